#include "cli/command_line/json_text.hpp"

#include <algorithm>
#include <string_view>

#include "core/text/hex.hpp"
#include "core/text/visible_text.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;

void add_unit(std::uint32_t unit, std::string& out) {
  out += "\\u";
  core::append_hex(unit, 4, out);
}

/// Characters beyond U+FFFF are two units (RFC 8259, section 7).
void add_escape(std::uint32_t point, std::string& out) {
  if (point < 0x10000) return add_unit(point, out);
  add_unit(0xD800 + ((point - 0x10000) >> 10U), out);
  add_unit(0xDC00 + (point & 0x3FFU), out);
}

/// A hidden character is written as an escape: a reader of the text sees it, a parser gets it back.
void add_character(core::CharacterReader::Step const& step, std::string& out) {
  auto const point = step.character.point;
  if (!step.character.is_valid) return add_escape(0xFFFD, out);
  switch (point) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (point == '<' || point == '>' || point == '&' || step.is_hidden)
    add_escape(point, out);
  else
    out += step.bytes;
}

/// Most characters, which stand for themselves.
bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

void add_string(std::string_view text, std::string& out) {
  out += '"';
  if (std::ranges::all_of(text, is_plain))
    out += text;
  else
    for (core::CharacterReader reader{text}; !reader.at_end();) add_character(reader.next(), out);
  out += '"';
}

void add(json::value const& value, std::size_t depth, std::string& out);

void add_line(std::size_t depth, std::string& out) {
  out += '\n';
  out.append(depth * 2, ' ');
}

void add_object(json::object const& members, std::size_t depth, std::string& out) {
  char separator = '{';
  for (auto const& [key, value] : members) {
    out += separator;
    add_line(depth + 1, out);
    add_string({key.data(), key.size()}, out);
    out += ": ";
    add(value, depth + 1, out);
    separator = ',';
  }
  add_line(depth, out);
  out += '}';
}

void add_array(json::array const& items, std::size_t depth, std::string& out) {
  char separator = '[';
  for (auto const& item : items) {
    out += separator;
    add_line(depth + 1, out);
    add(item, depth + 1, out);
    separator = ',';
  }
  add_line(depth, out);
  out += ']';
}

void add(json::value const& value, std::size_t depth, std::string& out) {
  switch (value.kind()) {
    case json::kind::null: out += "null"; return;
    case json::kind::bool_: out += value.get_bool() ? "true" : "false"; return;
    case json::kind::int64: out += std::to_string(value.get_int64()); return;
    case json::kind::uint64: out += std::to_string(value.get_uint64()); return;
    case json::kind::double_: reflect::write_number(value.get_double(), out); return;
    case json::kind::string: return add_string({value.get_string().data(), value.get_string().size()}, out);
    case json::kind::array:
      if (value.get_array().empty())
        out += "[]";
      else
        add_array(value.get_array(), depth, out);
      return;
    case json::kind::object:
      if (value.get_object().empty())
        out += "{}";
      else
        add_object(value.get_object(), depth, out);
      return;
  }
}

}  // namespace

std::string json_text(json::value const& value) {
  std::string out;
  add(value, 0, out);
  out += '\n';
  return out;
}

}  // namespace andon::cli
