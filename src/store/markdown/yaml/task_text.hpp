#pragma once

#include <string>
#include <string_view>

#include "store/markdown/yaml/task_file.hpp"

namespace andon::store::markdown {

/// The text of a file that was changed so that it tells `task`, with its body. It is read again before
/// anybody sees it: where it tells another task, all of Andon's keys are written anew, after which only what
/// other programs keep there is as it was. Refuses what no file can tell, and what is too large for one.
core::Result<std::string> text_that_tells(core::Task const& task, FrontMatter const& file,
                                          core::Board const& board, std::string_view name);

}  // namespace andon::store::markdown
