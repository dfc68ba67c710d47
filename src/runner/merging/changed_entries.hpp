#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runner/git/git.hpp"

namespace andon::runner {

/// A file of a difference between two commits as git prints it: `--raw`, with lines where `--numstat` told
/// them.
struct ChangedEntry {
  char status = 'M';  ///< A, D, M, R, T as in git-diff(1)
  bool is_submodule = false;
  std::string mode_before;  ///< as git writes it: 100644, 100755, 120000, 160000, or 000000 for none
  std::string mode_after;
  std::string before;  ///< the object; zeros for none
  std::string after;
  std::string from;  ///< the raw name before; that of a file which was not renamed too
  std::string path;  ///< the raw name
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool is_binary = false;
};

struct ChangedEntries {
  std::vector<ChangedEntry> entries;
  bool is_cut = false;  ///< the output was longer than what is read
};

/// Reads the output of `git diff --raw -z`, of `git log --raw -z`, or of either with `--numstat` behind it.
ChangedEntries parse_entries(std::string_view output);

/// True when the output of a git command may lack its end.
bool is_cut_short(std::string_view output);

/// The names in lists that fit into one command line each.
std::vector<std::vector<std::string>> in_batches(std::vector<std::string> const& names);

}  // namespace andon::runner
