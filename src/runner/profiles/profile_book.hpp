#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// A profile file that cannot be used; the others still can.
struct ProfileProblem {
  std::string file;
  std::string pointer;  ///< JSON pointer to what is wrong; empty when the whole file is
  std::string reason;
};

/// `FILE at POINTER: reason`.
std::string to_text(ProfileProblem const& problem);

/// The built-in profiles and the administrator's, which lie in a directory and replace built-in ones of the
/// same id. Not thread-safe.
class ProfileBook {
 public:
  explicit ProfileBook(std::filesystem::path administrators);

  /// Reads the directory again if a file came, went or changed; tells whether it did.
  bool reload();

  /// Null when there is none of that name. The pointer holds until the next reload.
  Profile const* find(std::string_view id) const;
  /// Why there is none of that name, for people: the fault of its file, or the names there are. Begins with
  /// `kNoProfile`.
  std::string why_missing(std::string_view id) const;
  /// The file a profile was read from; empty when there is none of that name.
  std::string file_of(std::string_view id) const;
  /// In the order of their ids.
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
