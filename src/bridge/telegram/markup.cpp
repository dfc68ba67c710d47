#include "bridge/telegram/markup.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/text/ascii.hpp"
#include "core/text/visible_text.hpp"

namespace andon::bridge::telegram {
namespace {

struct Tag {
  Style style;
  std::string_view name;
};

constexpr std::array kTags{Tag{Style::plain, ""}, Tag{Style::bold, "b"}, Tag{Style::code, "code"},
                           Tag{Style::quote, "blockquote"}, Tag{Style::command, ""}};
static_assert(std::ranges::all_of(kTags, [](Tag const& tag) {
  return kTags[static_cast<std::size_t>(tag.style)].name == tag.name;
}));

/// A visible character with its style.
struct Cell {
  std::string_view bytes;
  std::size_t units = 1;  ///< in UTF-16
  Style style = Style::plain;
};

using Cells = std::span<Cell const>;

bool is_line_end(Cell const& cell) { return cell.bytes == "\n"; }
bool is_blank_cell(Cell const& cell) { return core::is_blank(cell.bytes); }

constexpr std::string_view kWordJoiner = "\u2060";
/// Signs with which Telegram begins or joins links, names, hashtags, commands and numbers to call.
constexpr std::string_view kSigns = "/@#$+.:";

bool is_of_word(char c) {
  return core::is_ascii_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// `#12` alone is no hashtag, and people copy it.
bool is_number_sign(std::string_view text) {
  auto const end = std::ranges::find_if_not(text.substr(1), &core::is_ascii_digit);
  return text.front() == '#' && (end == text.end() || !is_of_word(*end));
}

/// True at a sign that would make something to press of what follows; `before` is the character before it.
bool is_live(std::string_view text, char before) {
  if (text.size() < 2 || !kSigns.contains(text.front())) return false;
  if (text.front() == ':') return text[1] == '/';
  if (text.front() == '+' && is_of_word(before)) return false;
  return is_of_word(text[1]) && !is_number_sign(text);
}

/// The text with an invisible character behind such signs. It ends a word for Telegram, so nothing is
/// found there. Inside `code` Telegram looks for nothing.
std::string disarmed(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (is_live(text.substr(i), i == 0 ? ' ' : text[i - 1])) out += kWordJoiner;
  }
  return out;
}

/// The text of a span as a message has it.
std::string shown_text(Span const& span) {
  auto text = core::visible_text(span.text);
  bool const is_harmless = span.style == Style::code || span.style == Style::command;
  return is_harmless ? text : disarmed(text);
}

/// The cells point into `texts`.
std::vector<Cell> cells_of(std::vector<Span> const& spans, std::vector<std::string>& texts) {
  std::vector<Cell> cells;
  for (auto const& span : spans) texts.push_back(shown_text(span));
  for (std::size_t i = 0; i < spans.size(); ++i)
    for (std::string_view rest = texts[i]; !rest.empty();) {
      auto const character = core::first_character(rest);
      cells.push_back({rest.substr(0, character.bytes), character.point > 0xFFFF ? 2U : 1U, spans[i].style});
      rest.remove_prefix(character.bytes);
    }
  return cells;
}

/// How many cells at the beginning fit into one message: up to a line end if one is among them.
std::size_t count_that_fits(Cells cells, std::size_t most) {
  std::size_t units = 0;
  std::size_t line = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    units += cells[i].units;
    if (units > most) return line ? line : i;
    if (is_line_end(cells[i])) line = i + 1;
  }
  return cells.size();
}

Cells trimmed(Cells cells) {
  while (!cells.empty() && is_line_end(cells.front())) cells = cells.subspan(1);
  while (!cells.empty() && is_blank_cell(cells.back())) cells = cells.first(cells.size() - 1);
  return cells;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char const c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      default: out += c;
    }
  return out;
}

std::string html(Cells cells) {
  std::string out;
  while (!cells.empty()) {
    auto const style = cells.front().style;
    auto const end = std::ranges::find_if(cells, [&](Cell const& cell) { return cell.style != style; });
    auto const count = static_cast<std::size_t>(end - cells.begin());
    auto const run = cells.first(count);
    bool const is_block = style == Style::code && std::ranges::any_of(run, is_line_end);
    auto const name = is_block ? "pre" : kTags[static_cast<std::size_t>(style)].name;
    if (!name.empty()) out += "<" + std::string{name} + ">";
    for (auto const& cell : run) out += escaped(cell.bytes);
    if (!name.empty()) out += "</" + std::string{name} + ">";
    cells = cells.subspan(count);
  }
  return out;
}

}  // namespace

std::vector<std::string> html_parts(std::vector<Span> const& text, std::size_t most_units) {
  std::vector<std::string> texts;
  auto const all = cells_of(text, texts);
  std::vector<std::string> out;
  for (Cells rest = all; !rest.empty() && out.size() < kMostParts;) {
    auto const count = count_that_fits(rest, most_units);
    auto const part = trimmed(rest.first(count));
    if (!std::ranges::all_of(part, is_blank_cell)) out.push_back(html(part));
    rest = rest.subspan(count);
  }
  return out;
}

}  // namespace andon::bridge::telegram
