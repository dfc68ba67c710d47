#include <algorithm>
#include <charconv>
#include <cmath>

#include <boost/json/serialize.hpp>

#include "core/text/hex.hpp"
#include "core/text/names.hpp"
#include "reflect/json.hpp"

namespace andon::reflect {
namespace {

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// True for a character that stands for itself in JSON.
constexpr bool is_unescaped(char c) {
  constexpr char kDelete = 0x7F;
  return c >= ' ' && is_ascii(c) && c != kDelete && c != '"' && c != '\\';
}

/// The bytes at the beginning of the text for which the predicate is true.
template <class Predicate>
std::string_view run_of(std::string_view text, Predicate const& predicate) {
  return {text.begin(), std::ranges::find_if_not(text, predicate)};
}

void write_escaped(unsigned char c, std::string& out) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: out += "\\u"; core::append_hex(c, 4, out);
  }
}

/// Bytes beyond ASCII; those that are not UTF-8, as names of files may have, become U+FFFD.
void write_beyond_ascii(std::string_view bytes, std::string& out) {
  if (core::is_utf8(bytes)) {
    out += bytes;
    return;
  }
  while (!bytes.empty()) {
    std::size_t length = 1;
    while (length < 4 && length < bytes.size() && !core::is_utf8(bytes.substr(0, length))) ++length;
    bool const is_character = core::is_utf8(bytes.substr(0, length));
    out += is_character ? bytes.substr(0, length) : "\xEF\xBF\xBD";
    bytes.remove_prefix(is_character ? length : 1);
  }
}

bool is_empty(Type const& type, void const* object) {
  switch (type.kind) {
    case Kind::optional: return type.value(object) == nullptr;
    case Kind::list:
    case Kind::map: return type.size(object) == 0;
    case Kind::text: return type.size && type.size(object) == 0;
    case Kind::json: return static_cast<boost::json::value const*>(object)->is_null();
    default: return false;
  }
}

bool is_zero(Type const& type, void const* object) {
  if (type.kind == Kind::boolean) return !*static_cast<bool const*>(object);
  if (type.kind == Kind::integer) return type.get_integer(object) == 0;
  if (!type.choices.empty()) return type.get_text(object) == type.choices.front();
  return is_empty(type, object);
}

bool is_left_out(Member const& member, void const* object) {
  if (member.presence == core::always || member.presence == core::required)
    return member.type->kind == Kind::optional && is_empty(*member.type, object);
  if (member.presence == core::set_only) return is_zero(*member.type, object);
  return is_empty(*member.type, object);
}

enum class Absent { skip, null };

void write_object(Type const& type, void const* object, std::string& out, Absent absent = Absent::skip) {
  char separator = '{';
  for (auto const& member : type.members()) {
    void const* value = member.at(const_cast<void*>(object));
    bool const left_out = is_left_out(member, value);
    if (left_out && absent == Absent::skip && member.presence != core::or_null) continue;
    out += separator;
    out += '"';
    out += member.name;
    out += "\":";
    if (left_out)
      out += "null";
    else
      write_json(*member.type, value, out);
    separator = ',';
  }
  out += separator == '{' ? "{}" : "}";
}

void write_list(Type const& type, void const* object, std::string& out) {
  out += '[';
  for (std::size_t i = 0, n = type.size(object); i < n; ++i) {
    if (i != 0) out += ',';
    write_json(*type.element, type.element_at(const_cast<void*>(object), i), out);
  }
  out += ']';
}

struct MapContext {
  Type const& element;
  std::string& out;
  char separator = '{';
};

void write_map(Type const& type, void const* object, std::string& out) {
  MapContext context{*type.element, out};
  type.each(object, &context, [](void* p, std::string_view key, void const* value) {
    auto& c = *static_cast<MapContext*>(p);
    c.out += c.separator;
    write_string(key, c.out);
    c.out += ':';
    write_json(c.element, value, c.out);
    c.separator = ',';
  });
  out += context.separator == '{' ? "{}" : "}";
}

}  // namespace

void write_whole_json(Type const& type, void const* object, std::string& out) {
  write_object(type, object, out, Absent::null);
}

void write_string(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    auto const plain = run_of(text, is_unescaped);
    out += plain;
    text.remove_prefix(plain.size());
    if (text.empty()) break;
    if (is_ascii(text.front())) {
      write_escaped(static_cast<unsigned char>(text.front()), out);
      text.remove_prefix(1);
    } else {
      auto const bytes = run_of(text, [](char c) { return !is_ascii(c); });
      write_beyond_ascii(bytes, out);
      text.remove_prefix(bytes.size());
    }
  }
  out += '"';
}

void write_number(double number, std::string& out) {
  if (!std::isfinite(number)) number = 0;
  char text[400];
  auto const end = std::to_chars(std::begin(text), std::end(text), number, std::chars_format::fixed).ptr;
  out.append(text, end);
}

void write_json(Type const& type, void const* object, std::string& out) {
  switch (type.kind) {
    case Kind::boolean: out += *static_cast<bool const*>(object) ? "true" : "false"; return;
    case Kind::integer: out += std::to_string(type.get_integer(object)); return;
    case Kind::number: write_number(*static_cast<double const*>(object), out); return;
    case Kind::text: write_string(type.get_text(object), out); return;
    case Kind::json: out += boost::json::serialize(*static_cast<boost::json::value const*>(object)); return;
    case Kind::object: write_object(type, object, out); return;
    case Kind::list: write_list(type, object, out); return;
    case Kind::map: write_map(type, object, out); return;
    case Kind::optional:
      if (auto const* value = type.value(object))
        write_json(*type.element, value, out);
      else
        out += "null";
      return;
  }
}

}  // namespace andon::reflect
