#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/land_limits.hpp"

namespace andon::core {

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
  bool is_reverted = false;   ///< it becomes what it was before others changed it
  bool holds_secret = false;  ///< among the lines that it gains
};

/// A change that is about to land.
struct LandedChange {
  std::vector<LandedFile> files{};
  std::int64_t files_before = 0;           ///< of the whole repository
  std::vector<std::string> touches{};      ///< of its task
  std::vector<std::string> check_files{};  ///< the files that the board's checks start
  bool is_cut = false;  ///< it is larger than what was measured: then every limit counts as exceeded
};

/// The limits that a change exceeds, in the order of `LandLimits`.
std::vector<LandFinding> findings_of(LandedChange const& change, LandLimits const& limits);

/// The finding that paths of the work are left out, so that only a part of it would land.
LandFinding left_out_of(std::int64_t count, std::vector<std::string> const& first);

/// The finding that commits of the work hold secrets of the machine, by value.
LandFinding known_secrets_in(std::vector<std::string> const& commits);

/// The findings that exceed what a person has allowed: another limit, more of it, or other files.
std::vector<LandFinding> beyond(std::vector<LandFinding> found, std::vector<LandFinding> const& allowed);

/// The findings as a sentence for a person, without what to do.
std::string in_words(std::vector<LandFinding> const& findings);

/// The files that a check starts: its program, and the script of an interpreter, as paths of the repository.
/// Names that are no such path are among them.
std::vector<std::string> files_of_check(std::vector<std::string> const& command);

}  // namespace andon::core
