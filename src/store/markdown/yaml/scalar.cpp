#include "store/markdown/yaml/scalar.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace andon::store::markdown {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kBlank = " \t";

/// Plain texts that readers of YAML 1.1 or 1.2 read as another type than text.
constexpr std::array<std::string_view, 51> kWords{
    "y",    "Y",     "yes",   "Yes",   "YES",   "on",       "On",      "ON",   "n",     "N",     "no",
    "No",   "NO",    "off",   "Off",   "OFF",   "true",     "True",    "TRUE", "false", "False", "FALSE",
    "null", "Null",  "NULL",  "~",     "",      "<<",       ".nan",    ".NaN", ".NAN",  ".inf",  ".Inf",
    ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf",    "-.INF",   "=",    "nan",   "NaN",   "inf",
    "Inf",  "-inf",  "+inf",  "-Inf",  "+Inf",  "infinity", "Infinity"};

bool is_all(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

bool is_integer(std::string_view text) {
  auto const number = without_sign(text);
  if (number.starts_with("0x")) return is_all(number.substr(2), "0123456789abcdefABCDEF_");
  if (number.starts_with("0o")) return is_all(number.substr(2), "01234567_");
  if (number.starts_with("0b")) return is_all(number.substr(2), "01_");
  return is_all(number, "0123456789_") && number.front() != '_';
}

bool is_decimal(std::string_view text) {
  auto number = without_sign(text);
  auto const exponent = number.find_first_of("eE");
  if (exponent != std::string_view::npos && !is_all(without_sign(number.substr(exponent + 1)), kDigits))
    return false;
  number = number.substr(0, exponent);
  bool const digits = number.find_first_of(kDigits) != std::string_view::npos;
  return digits && is_all(number, "0123456789_.") && std::ranges::count(number, '.') <= 1 &&
         number.front() != '_';
}

/// YAML 1.1 has numbers to the base of 60: `1:20` is 80.
bool is_sexagesimal(std::string_view text) {
  auto const number = without_sign(text);
  auto const colon = number.find(':');
  return colon != std::string_view::npos && is_all(number, "0123456789_:.") && number.front() != '_' &&
         number.front() != ':' && number.back() != ':';
}

bool is_date(std::string_view text) {
  auto const year = text.substr(0, 4);
  return text.size() >= 8 && is_all(year, kDigits) && text[4] == '-' &&
         text.substr(5, 1).find_first_of(kDigits) == 0 && is_all(text, "0123456789-:.TtZz+ ");
}

bool is_something_else(std::string_view text) {
  return std::ranges::find(kWords, text) != kWords.end() || is_integer(text) || is_decimal(text) ||
         is_sexagesimal(text) || is_date(text);
}

struct Point {
  std::uint32_t value;
  std::size_t bytes;
};

/// The code point at a place of valid UTF-8.
Point point_at(std::string_view text, std::size_t at) {
  auto const first = static_cast<unsigned char>(text[at]);
  std::size_t const n = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t value = n == 1 ? first : first & (0xFFU >> (n + 1));
  for (std::size_t i = 1; i < n && at + i < text.size(); ++i)
    value = (value << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  return {value, n};
}

bool is_printable(std::uint32_t p) {
  return (p >= 0x20 && p <= 0x7E) || (p >= 0xA0 && p < 0x2028) || (p > 0x2029 && p < 0xD800) ||
         (p >= 0xE000 && p < 0xFEFF) || (p > 0xFEFF && p < 0xFFFE);
}

enum class Style { plain, single_quotes, double_quotes, block };

/// The properties of a text by which go-yaml chooses a style.
struct ScalarLook {
  bool special = false;  ///< has a character that needs an escape
  bool tab = false;
  bool lines = false;
  bool blank_at_line_end = false;
  bool marks = false;  ///< would be read as YAML syntax, or begins or ends with a blank
};

bool is_mark(std::string_view text, std::size_t at, bool in_flow) {
  char const c = text[at];
  bool const blank_follows = at + 1 == text.size() || kBlank.contains(text[at + 1]) || text[at + 1] == '\n';
  if (at == 0 && std::string_view{"#,[]{}&*!|>'\"%@`"}.contains(c)) return true;
  if (at == 0 && (c == '-' || c == '?')) return blank_follows || (in_flow && c == '?');
  if (in_flow && std::string_view{",?[]{}"}.contains(c)) return true;
  if (c == ':') return blank_follows || in_flow;
  return c == '#' && at > 0 && kBlank.contains(text[at - 1]);
}

ScalarLook look_at(std::string_view text, bool in_flow) {
  ScalarLook out;
  for (std::size_t at = 0; at < text.size();) {
    auto const [point, bytes] = point_at(text, at);
    if (point == '\n') {
      out.lines = true;
      if (at > 0 && text[at - 1] == ' ') out.blank_at_line_end = true;
    } else if (point == '\t') {
      out.tab = true;
    } else if (!is_printable(point)) {
      out.special = true;
    }
    out.marks = out.marks || is_mark(text, at, in_flow);
    at += bytes;
  }
  if (text.starts_with("---") || text.starts_with("...")) out.marks = true;
  if (!text.empty() && (text.front() == ' ' || text.back() == ' ')) out.marks = true;
  return out;
}

Style style_of(std::string_view text, bool in_flow) {
  auto const look = look_at(text, in_flow);
  if (look.special || look.blank_at_line_end) return Style::double_quotes;
  if (look.lines) return in_flow || text.ends_with(' ') ? Style::double_quotes : Style::block;
  if (look.tab || is_something_else(text)) return Style::double_quotes;
  return look.marks ? Style::single_quotes : Style::plain;
}

void put_hex(std::string& out, char kind, std::uint32_t value, int digits) {
  out += '\\';
  out += kind;
  for (int i = digits - 1; i >= 0; --i) out += "0123456789ABCDEF"[(value >> (4 * i)) & 0xFU];
}

void put_escaped(std::string& out, std::uint32_t p) {
  struct Escape {
    std::uint32_t point;
    char letter;
  };
  constexpr std::array kEscapes{
      Escape{0, '0'},     Escape{7, 'a'},    Escape{8, 'b'},      Escape{9, 't'},     Escape{10, 'n'},
      Escape{11, 'v'},    Escape{12, 'f'},   Escape{13, 'r'},     Escape{27, 'e'},    Escape{'"', '"'},
      Escape{'\\', '\\'}, Escape{0x85, 'N'}, Escape{0x2028, 'L'}, Escape{0x2029, 'P'}};
  auto const* known = std::ranges::find(kEscapes, p, &Escape::point);
  if (known != kEscapes.end()) return out.append({'\\', known->letter}), void();
  if (p <= 0xFF) return put_hex(out, 'x', p, 2);
  if (p <= 0xFFFF) return put_hex(out, 'u', p, 4);
  put_hex(out, 'U', p, 8);
}

std::string in_double_quotes(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    auto const [point, bytes] = point_at(text, at);
    if (is_printable(point) && point != '"' && point != '\\')
      out += text.substr(at, bytes);
    else
      put_escaped(out, point);
    at += bytes;
  }
  return out + "\"";
}

std::string in_single_quotes(std::string_view text) {
  std::string out = "'";
  for (char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out + "'";
}

std::string as_block(std::string_view text) {
  std::string out = "|";
  if (text.front() == ' ' || text.front() == '\n' || text.front() == '\t') out += '4';
  auto const end = text.find_last_not_of('\n');
  auto const breaks = text.size() - (end == std::string_view::npos ? 0 : end + 1);
  if (breaks == 0) out += '-';
  if (breaks > 1 || end == std::string_view::npos) out += '+';
  if (breaks > 0) text.remove_suffix(1);
  for (std::size_t at = 0; at <= text.size();) {
    auto const line = text.substr(at, text.find('\n', at) - at);
    out += '\n';
    if (!line.empty()) (out += "    ") += line;
    at += line.size() + 1;
  }
  return out;
}

std::string written(std::string_view text, Style style) {
  switch (style) {
    case Style::plain: return std::string{text};
    case Style::single_quotes: return in_single_quotes(text);
    case Style::double_quotes: return in_double_quotes(text);
    case Style::block: return as_block(text);
  }
  return {};
}

}  // namespace

std::string yaml_text(std::string_view text) { return written(text, style_of(text, false)); }
std::string yaml_item(std::string_view text) { return written(text, style_of(text, true)); }

bool is_yaml_null(reflect::YamlNode const& node) {
  constexpr std::array<std::string_view, 5> kNulls{"", "~", "null", "Null", "NULL"};
  return node.kind == reflect::YamlNode::Kind::scalar && node.plain &&
         std::ranges::find(kNulls, node.text) != kNulls.end();
}

std::optional<bool> yaml_flag(std::string_view word) {
  constexpr std::array<std::string_view, 7> kYes{"true", "True", "TRUE", "y", "Y", "yes", "on"};
  constexpr std::array<std::string_view, 7> kNo{"false", "False", "FALSE", "n", "N", "no", "off"};
  if (std::ranges::find(kYes, word) != kYes.end()) return true;
  if (std::ranges::find(kNo, word) != kNo.end()) return false;
  return std::nullopt;
}

std::string yaml_time(core::Instant at) {
  auto out = core::to_text(at);
  out.pop_back();
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out + "Z";
}

}  // namespace andon::store::markdown
