#include "runner/merging/patch_lines.hpp"

#include <algorithm>

#include "runner/git/hunk_head.hpp"

namespace andon::runner {
void PatchLines::begin_hunk(std::string_view line) {
  auto const head = hunk_head(line);
  is_clear_ = is_clear_ && head && head->before.size() == 1;
  if (!head || head->before.empty()) return;
  before_ = head->before.front().first;
  left_before_ = head->before.front().count;
  after_ = head->after.first;
  left_after_ = head->after.count;
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
