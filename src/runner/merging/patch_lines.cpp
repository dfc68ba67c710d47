#include "runner/merging/patch_lines.hpp"

#include <algorithm>
#include <charconv>

namespace andon::runner {
namespace {

/// Reads a number at the front of the text and removes it.
std::int64_t take_number(std::string_view& text, std::int64_t otherwise) {
  std::int64_t out = otherwise;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error == std::errc{}) text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return out;
}

struct HunkSide {
  std::int64_t first;
  std::int64_t count;
};

/// Reads `12,3`, or `12` for a single line.
HunkSide take_side(std::string_view& text) {
  HunkSide out{take_number(text, 0), 1};
  if (!text.starts_with(',')) return out;
  text.remove_prefix(1);
  out.count = take_number(text, 0);
  return out;
}

}  // namespace

void PatchLines::begin_hunk(std::string_view head) {
  head.remove_prefix(std::min(head.size(), head.find('-') + 1));
  auto const before = take_side(head);
  head.remove_prefix(std::min(head.size(), head.find('+') + 1));
  auto const after = take_side(head);
  before_ = before.first;
  left_before_ = before.count;
  after_ = after.first;
  left_after_ = after.count;
}

bool PatchLines::in_hunk(std::string_view raw, Line& line) {
  line.text = raw.substr(std::min<std::size_t>(1, raw.size()));
  bool const is_added = raw.starts_with('+'), is_removed = raw.starts_with('-');
  line.kind = is_added ? Kind::added : is_removed ? Kind::removed : Kind::context;
  line.number = is_removed ? before_ : after_;
  if (!is_added) ++before_, --left_before_;
  if (!is_removed) ++after_, --left_after_;
  return true;
}

bool PatchLines::next(Line& line) {
  while (!rest_.empty()) {
    auto const raw = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(rest_.size(), raw.size() + 1));
    if (raw.starts_with('\\')) continue;  // "\ No newline at end of file"
    if (left_before_ > 0 || left_after_ > 0) return in_hunk(raw, line);
    if (raw.starts_with("@@ ")) begin_hunk(raw);
    if (!raw.starts_with("diff --git ")) continue;
    line = {Kind::file, 0, raw};
    return true;
  }
  return false;
}

}  // namespace andon::runner
