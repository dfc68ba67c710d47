#pragma once

#include <string>
#include <string_view>

#include "store/markdown/yaml/task_file.hpp"

namespace andon::store::markdown {

/// The text of a changed file for `task` and its body. The text is parsed again as a check. When it gives a
/// different task, all of Andon's keys are written anew, and only keys of other programs keep their lines.
/// Refuses a task that no file can express, and a text that is too large.
core::Result<std::string> text_that_tells(core::Task const& task, FrontMatter const& file,
                                          core::Board const& board, std::string_view name);

}  // namespace andon::store::markdown
