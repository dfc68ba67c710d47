#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runner/git/git.hpp"

namespace andon::runner {

/// The commits of a work: those that `joined` has and `tip` lacks.
struct CommitRange {
  std::string tip;
  std::string joined;
};

/// A place of a secret; never the secret itself.
struct SecretPlace {
  std::string commit;
  std::string path;       ///< empty for its message and its names of people
  std::int64_t line = 0;  ///< of the file after the commit, or of the message; 0 for the name of the file
  std::string what;       ///< the rule that found it, or "a secret of this machine"
  std::string digest{};   ///< of the line
  bool operator==(SecretPlace const&) const = default;
};

/// The number of places that are named of each sort.
inline constexpr std::size_t kMostSecretPlaces = 20;

struct HistorySecrets {
  std::vector<SecretPlace> known{};   ///< the first ones
  std::vector<SecretPlace> likely{};  ///< the first ones
  bool is_cut = false;                ///< there is more than what was searched
};

/// A digest of a line with a secret, which tells whether two places have the same line.
std::string digest_of_line(std::string_view line);

/// Searches all commits of the work, the first one first, also for what a later commit takes away again: in
/// the lines that they bring, in names of new files and in messages. `values` are known secrets; likely ones
/// are those that a rule finds. Binary files and UTF-16 are searched too. Time, memory and output are
/// bounded: what exceeds them is marked as cut.
HistorySecrets find_history_secrets(Git const& git, CommitRange const& commits,
                                    std::vector<std::string> const& values);

}  // namespace andon::runner
