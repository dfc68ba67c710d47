#pragma once

#include <functional>
#include <string>

#include "core/error.hpp"

namespace andon::store::markdown {

/// Three states of a text: the common ancestor and the state on each side. The members have git's names.
struct Sides {
  std::string base;
  std::string ours;
  std::string theirs;
};

struct Merged {
  std::string text;
  bool is_clean = true;  ///< false when it contains conflict markers
};

/// Merges texts line by line, as `git merge-file` does.
using MergeLines = std::function<core::Result<Merged>(Sides const&)>;

/// Merges the files of a task value by value. A value that one side changed is taken. Of two claims the one
/// with the higher epoch wins, and without epochs the one with the later `claimed_at`. Lists are united,
/// without the items that either side removed. Other values are those of the side with the later `updated`.
/// Texts that both sides appended to a body are kept in the order of `updated`; other changes of bodies are
/// merged by lines. Refuses unreadable files and files of different tasks.
core::Result<Merged> merge_task_files(Sides const& files, MergeLines const& lines);

/// Merges `config.yml` by lines; `next_id` is the highest of the three states.
core::Result<Merged> merge_settings(Sides const& files, MergeLines const& lines);

}  // namespace andon::store::markdown
