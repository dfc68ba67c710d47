#include "tui/model/text_field.hpp"

#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"

namespace andon::tui {
namespace {

/// The beginning of the cluster that ends at `at`.
std::size_t start_before(std::string_view text, std::size_t at) {
  std::size_t start = 0;
  core::ClusterReader reader{text.substr(0, at)};
  for (std::size_t begin = 0; !reader.at_end();) {
    start = begin;
    begin += reader.next().bytes.size();
  }
  return start;
}

std::size_t end_after(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  return at + core::ClusterReader{text.substr(at)}.next().bytes.size();
}

}  // namespace

bool TextField::take(KeyPress const& key) {
  if (key.control) {
    if (key.text == "w") return remove_word(), true;
    if (key.text == "u") return text_.erase(0, at_), at_ = 0, true;
    if (key.text == "a") return at_ = 0, true;
    if (key.text == "e") return at_ = text_.size(), true;
    return false;
  }
  switch (key.key) {
    case Key::character: return key.alt ? false : (insert(key.text), true);
    case Key::backspace: return key.alt ? remove_word() : remove_before(), true;
    case Key::remove: return remove_after(), true;
    case Key::left: return at_ = start_before(text_, at_), true;
    case Key::right: return at_ = end_after(text_, at_), true;
    case Key::home: return at_ = 0, true;
    case Key::end: return at_ = text_.size(), true;
    default: return false;
  }
}

bool TextField::insert(std::string_view text) {
  std::string clean;
  for (core::CharacterReader reader{text}; !reader.at_end();) {
    auto const step = reader.next();
    if (step.bytes == "\n" || step.bytes == "\r" || step.bytes == "\t")
      clean += has_lines_ && step.bytes == "\n" ? '\n' : ' ';
    else if (!step.is_hidden)
      clean += step.bytes;
  }
  if (text_.size() + clean.size() > kLongest) return false;
  text_.insert(at_, clean);
  at_ += clean.size();
  return true;
}

void TextField::remove_before() {
  auto const start = start_before(text_, at_);
  text_.erase(start, at_ - start);
  at_ = start;
}

void TextField::remove_after() { text_.erase(at_, end_after(text_, at_) - at_); }

void TextField::remove_word() {
  auto start = at_;
  while (start > 0 && text_[start - 1] == ' ') --start;
  while (start > 0 && text_[start - 1] != ' ' && text_[start - 1] != '\n') --start;
  text_.erase(start, at_ - start);
  at_ = start;
}

}  // namespace andon::tui
