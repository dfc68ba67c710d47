#include "bridge/conversation/chat_text.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"
#include "core/text/visible_text.hpp"

namespace andon::bridge {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kEllipsis = "…";
constexpr std::size_t kLinesOfExcerpt = 8;
/// A text is cut at the last space if that lies in this part of it.
constexpr std::size_t kFarEnough = 2;
constexpr std::size_t kLongestSentence = 400;

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

/// At most that many bytes more than enough for so many characters, so that a long text is not read to its
/// end.
std::string_view front(std::string_view text, std::size_t characters) {
  constexpr std::size_t kLongestCharacter = 4;
  return text.substr(0, (characters + 1) * kLongestCharacter);
}

/// The number of bytes of the first characters.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t bytes = 0;
  for (; characters > 0 && bytes < text.size(); --characters)
    bytes += core::first_character(text.substr(bytes)).bytes;
  return bytes;
}

std::string cut(std::string_view text, std::size_t most) {
  if (bytes_of(text, most) >= text.size()) return std::string{text};
  auto kept = text.substr(0, bytes_of(text, most - 1));
  if (auto const space = kept.find_last_of(kSpaces);
      space != std::string_view::npos && space > kept.size() / kFarEnough)
    kept = kept.substr(0, space);
  return std::string{trimmed(kept)}.append(kEllipsis);
}

std::string with_single_spaces(std::string_view text) {
  std::string out;
  for (char const c : trimmed(text)) {
    bool const is_space = kSpaces.contains(c);
    if (!is_space || out.back() != ' ') out += is_space ? ' ' : c;
  }
  return out;
}

}  // namespace

std::string cleaned(std::string_view text) {
  std::string out;
  for (core::CharacterReader reader{text}; !reader.at_end();)
    if (auto const step = reader.next(); !step.is_hidden && step.bytes != "\r") out += step.bytes;
  return std::string{trimmed(out)};
}

std::string one_line(std::string_view text, std::size_t most) {
  auto const line = with_single_spaces(text);
  return cut(core::visible_text(front(line, most)), most);
}

std::string excerpt(std::string_view text) {
  auto const rest = trimmed(text);
  auto shown = front(rest, kLongestExcerpt);
  std::size_t end = 0;
  for (std::size_t line = 0; line < kLinesOfExcerpt && end < shown.size(); ++line)
    end = std::min(shown.find('\n', end), shown.size() - 1) + 1;
  bool const has_more = end < rest.size();
  auto out = cut(core::visible_text(trimmed(shown.substr(0, end))), kLongestExcerpt);
  if (has_more && !out.ends_with(kEllipsis)) out += kEllipsis;
  return out;
}

std::string sentence(std::string_view text) {
  auto out = one_line(text, kLongestSentence);
  if (out.empty()) return out;
  if (out.front() >= 'a' && out.front() <= 'z') out.front() = static_cast<char>(out.front() - 'a' + 'A');
  if (!out.ends_with('.') && !out.ends_with('?') && !out.ends_with('!') && !out.ends_with(kEllipsis))
    out += '.';
  return out;
}

TaskText task_text(std::string_view message) {
  auto const text = cleaned(message);
  auto const end = std::min(text.find('\n'), text.size());
  auto const first = with_single_spaces(std::string_view{text}.substr(0, end));
  auto title = cut(first, kLongestTitle);
  if (title != first) return {std::move(title), text};
  return {std::move(title), std::string{trimmed(std::string_view{text}.substr(end))}};
}

}  // namespace andon::bridge
