#pragma once

#include <functional>
#include <string>

#include "core/error.hpp"

namespace andon::store::markdown {

/// Three states of a text: what both sides began with, and what each made of it.
struct Sides {
  std::string base;
  std::string ours;
  std::string theirs;
};

struct Merged {
  std::string text;
  bool is_clean = true;  ///< else it holds marks of conflicts
};

/// Merges texts line by line, as `git merge-file` does.
using MergeLines = std::function<core::Result<Merged>(Sides const&)>;

/// Merges the files of a task value by value: what one side changed is taken; of claims the one with the
/// higher epoch (without epochs the later `claimed_at`); lists are united, without what either side took out;
/// of other values the one of the side with the later `updated`. What both sides appended to a body
/// stands in the order of `updated`; other changes of bodies are merged by lines. Refuses files that cannot
/// be read, and those of different tasks.
core::Result<Merged> merge_task_files(Sides const& files, MergeLines const& lines);

/// Merges `config.yml` by lines; `next_id` is the highest of all.
core::Result<Merged> merge_settings(Sides const& files, MergeLines const& lines);

}  // namespace andon::store::markdown
