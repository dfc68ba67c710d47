#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/land_limits.hpp"

namespace andon::core {

/// A line of a change that is shown to the person who is asked.
struct LandedLine {
  enum class Kind {
    secret,     ///< it looks like a secret
    hidden,     ///< a reader does not see all of it
    weak,       ///< it skips a test, or asserts what is always true
    assertion,  ///< it is gone
    obeyed,     ///< it is executed or obeyed
    odd,        ///< the reason why the file is no ordinary one
    plain,
  };
  Kind kind = Kind::plain;
  std::int64_t number = 0;  ///< after the change, or before it for a line that is gone; 0 for none
  std::string text;
};

/// One file of a change that is about to land, as it was measured. A renamed file is neither new nor deleted.
struct LandedFile {
  enum class Fate { added, changed, deleted, renamed };

  std::string path;
  Fate fate = Fate::changed;
  std::int64_t lines_added = 0;
  std::int64_t lines_removed = 0;
  std::int64_t bytes_before = 0;
  std::int64_t bytes_after = 0;
  bool is_binary = false;
  bool is_submodule = false;
  bool is_reverted = false;          ///< it becomes what it was before others changed it
  bool is_uprooted = false;          ///< it left a top folder of which nothing stays
  std::string from{};                ///< the path before; that of a file which was not renamed too
  std::int64_t bytes_lost = 0;       ///< of lines that come back nowhere in the change
  std::int64_t lines_lost = 0;       ///< such lines, less those that the file gains
  std::int64_t assertions_lost = 0;  ///< among them, less those that the file gains
  std::int64_t secret_lines = 0;     ///< that it gains
  std::int64_t hidden_lines = 0;     ///< that it gains
  std::int64_t weak_lines = 0;       ///< that it gains
  std::string oddity{};              ///< a reason why it is no ordinary file, in words
  std::vector<LandedLine> lines{};   ///< the first ones of each kind
  std::string digest{};              ///< of what changes in it
};

/// A change that is about to land.
struct LandedChange {
  std::vector<LandedFile> files{};
  std::int64_t files_before = 0;           ///< of the whole repository
  std::vector<std::string> touches{};      ///< of its task
  std::vector<std::string> check_files{};  ///< the files that the board's checks execute
  std::vector<std::string> tools{};        ///< the programs that they start
  bool is_cut = false;  ///< it is larger than what was measured: then every limit counts as exceeded
};

/// True for a file that is executed or obeyed by the board's checks, the CI, agents, editors or package
/// managers, before or after the change. `paths` are patterns of more such files.
bool is_check(LandedFile const& file, LandedChange const& change, std::vector<std::string> const& paths);

/// The limits that a change exceeds, in the order of `LandLimits`.
std::vector<LandFinding> findings_of(LandedChange const& change, LandLimits const& limits);

/// The finding that paths of the work are left out, so that only a part of it would land.
LandFinding left_out_of(std::int64_t count, std::vector<std::string> const& first);

/// A finding that no limit of the board is about; `limit` is one of the constants below.
LandFinding finding_of(std::string_view limit, std::int64_t count, std::vector<std::string> lines);
/// Places in commits or messages with a secret of the machine, by value.
inline constexpr std::string_view kKnownSecrets = "known_secrets";
/// True for a finding about secrets, in the files of the work or in its history.
bool is_about_secrets(LandFinding const& finding);
/// True for one about secrets in its history, which one commit does not have.
bool is_about_history(LandFinding const& finding);
/// Checks that pass with the files of the checks as the change makes them, and fail with the old ones.
inline constexpr std::string_view kOldChecks = "old_checks";

/// Adds tests that are gone or skipped to the finding about lost tests, when they are more than the limit.
void add_lost_tests(std::vector<LandFinding>& findings, LandLimits const& limits,
                    std::vector<std::string> const& lost);

/// The tests of the work cannot be compared, since those of the default branch are not known.
inline constexpr std::string_view kUnknownTests = "unknown_tests";

/// The findings that a person has not allowed: those of another limit, and of other content.
std::vector<LandFinding> beyond(std::vector<LandFinding> found, std::vector<LandFinding> const& allowed);

/// The findings as a sentence for a person, without what to do.
std::string in_words(std::vector<LandFinding> const& findings);

/// The files that a check starts: its program, and the script of an interpreter, as paths of the repository.
/// Names that are no such path are among them.
std::vector<std::string> files_of_check(std::vector<std::string> const& command);

}  // namespace andon::core
