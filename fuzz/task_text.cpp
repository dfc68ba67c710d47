#include "store/markdown/yaml/task_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/boards/templates.hpp"
#include "text_parts.hpp"
#include "yaml_mutation.hpp"

using namespace andon;
using namespace andon::store::markdown;
using fuzz::take_text;

// A file, and after NUL bytes what is to become of its task: what is written tells that task.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static auto const board = *core::board_from_template("flow");
  std::string_view rest{reinterpret_cast<char const*>(data), size};
  auto file = FrontMatter::parse(take_text(rest), "f.md");
  if (!file) return 0;
  auto const was = task_in(*file, board, "f.md");
  if (!was) return 0;
  auto is = *was;
  auto const title = take_text(rest);
  if (title.find_first_not_of(" \t\n") != std::string::npos) is.title = title;
  is.block_reason = take_text(rest);
  if (!is.tags.empty()) is.tags.erase(is.tags.begin() + static_cast<std::ptrdiff_t>(size % is.tags.size()));
  if (auto const tag = take_text(rest); !tag.empty()) is.tags.push_back(tag);
  is.body = FrontMatter::as_body(take_text(rest));
  write_task(*file, *was, is, EpochKey::write);
  file->set_body(is.body);
  auto const text = text_that_tells(is, *file, board, "f.md");
  if (!text) return 0;
  auto const again = FrontMatter::parse(*text, "f.md");
  if (!again) std::abort();
  auto const read = task_in(*again, board, "f.md");
  if (!read || !is_same_in_file(*read, is)) std::abort();
  return 0;
}
