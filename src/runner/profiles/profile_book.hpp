#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// A profile file that cannot be used. It does not affect other files.
struct ProfileProblem {
  std::string file;
  std::string pointer;  ///< JSON pointer to the fault; empty for the whole file
  std::string reason;
};

/// `FILE at POINTER: reason`.
std::string to_text(ProfileProblem const& problem);

/// The built-in profiles and the administrator's. The latter lie in a directory and replace built-in ones
/// with equal ids. Not thread-safe.
class ProfileBook {
 public:
  explicit ProfileBook(std::filesystem::path administrators);

  /// Reads the directory again if a file was added, removed or changed; returns whether it did.
  bool reload();

  /// Null for an unknown name. The pointer is valid until the next reload.
  Profile const* find(std::string_view id) const;
  /// Why `find` returns null, for people: the fault in the file, or the list of names. Begins with
  /// `kNoProfile`.
  std::string why_missing(std::string_view id) const;
  /// The file of a profile; empty for an unknown name.
  std::string file_of(std::string_view id) const;
  /// The profiles sorted by id.
  std::vector<Profile const*> profiles() const;
  std::vector<ProfileProblem> const& problems() const { return problems_; }

 private:
  std::string state_of_directory() const;
  void load();

  std::filesystem::path directory_;
  std::string state_;
  std::map<std::string, Profile, std::less<>> profiles_;
  std::map<std::string, std::string, std::less<>> files_;  ///< by id
  std::vector<ProfileProblem> problems_;
};

inline constexpr std::string_view kNoProfile = "there is no usable agent profile ";

}  // namespace andon::runner
