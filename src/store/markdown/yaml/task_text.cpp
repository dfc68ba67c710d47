#include "store/markdown/yaml/task_text.hpp"

#include <algorithm>

#include "store/markdown/files/board_folder.hpp"

namespace andon::store::markdown {
namespace {

using core::Code;
using core::Result;
using core::Task;

Result<void> check_that_it_tells(Task const& task, std::string const& text, core::Board const& board,
                                 std::string_view name) {
  ANDON_TRY(auto const file, FrontMatter::parse(text, name));
  ANDON_TRY(auto const read, task_in(file, board, name));
  if (is_same_in_file(read, task)) return {};
  return core::refuse(Code::kMalformed, std::string{name} + " cannot say what the task is to be");
}

/// The text with all of Andon's keys written anew; other keys keep their lines.
std::string written_anew(Task const& task, FrontMatter const& file) {
  auto out = FrontMatter::empty();
  auto const& own = key_order();
  write_task(out, Task{}, task, EpochKey::write);
  for (auto const& entry : file.entries())
    if (std::ranges::find(own, entry.key) == own.end()) out.take(entry.key, file, own);
  out.set_body(task.body);
  return out.text();
}

}  // namespace

Result<std::string> text_that_tells(Task const& task, FrontMatter const& file, core::Board const& board,
                                    std::string_view name) {
  auto text = file.text();
  if (!check_that_it_tells(task, text, board, name)) {
    text = written_anew(task, file);
    ANDON_CHECK(check_that_it_tells(task, text, board, name));
  }
  if (text.size() > kLongestTask)
    return core::refuse(Code::kTooLarge, std::string{name} + " would be larger than " +
                                             std::to_string(kLongestTask >> 10U) + " KiB");
  return text;
}

}  // namespace andon::store::markdown
