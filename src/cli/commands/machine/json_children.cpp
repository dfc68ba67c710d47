#include "cli/commands/machine/json_children.hpp"

#include <algorithm>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "cli/command_line/json_text.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kBlanks = " \t\r\n";

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::size_t end_of_container(std::string_view text, std::size_t at) {
  for (int depth = 0; at < text.size();) {
    if (text[at] == '"') {
      at = end_of_string(text, at);
      continue;
    }
    if (text[at] == '{' || text[at] == '[') ++depth;
    if (text[at] == '}' || text[at] == ']') --depth;
    ++at;
    if (depth == 0) return at;
  }
  return text.size();
}

std::size_t end_of_value(std::string_view text, std::size_t at) {
  if (text[at] == '"') return end_of_string(text, at);
  if (text[at] == '{' || text[at] == '[') return end_of_container(text, at);
  return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
}

std::string key_at(std::string_view text, std::size_t at) {
  auto const key = json::parse(text.substr(at, end_of_string(text, at) - at));
  return {key.as_string().data(), key.as_string().size()};
}

/// The blanks between the line end before that place and the place; nothing if something else stands there.
std::string_view indent_before(std::string_view text, std::size_t at) {
  auto const line = text.substr(0, at).rfind('\n');
  if (line == std::string_view::npos) return {};
  auto const indent = text.substr(line + 1, at - line - 1);
  return indent.find_first_not_of(" \t") == std::string_view::npos ? indent : std::string_view{};
}

bool begins_a_line(std::string_view text, std::size_t at) {
  auto const before = text.substr(0, at).find_last_not_of(" \t");
  return before != std::string_view::npos && text[before] == '\n';
}

/// How the text is laid out.
struct Layout {
  std::string line_end;
  std::string level;  ///< the blanks of one level
  bool in_lines;      ///< whether members stand on lines of their own
};

Layout layout_of(std::string_view text) {
  auto const children = json_children(text, json_root(text));
  Layout out{text.contains("\r\n") ? "\r\n" : "\n", "  ", true};
  if (children.empty()) return out;
  out.in_lines = begins_a_line(text, children.front().begin);
  if (auto const indent = indent_before(text, children.front().begin); !indent.empty()) out.level = indent;
  return out;
}

/// The value with its lines behind the first one indented.
std::string in_lines(json::value const& value, Layout const& layout, std::string_view indent) {
  auto const text = json_text(value);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    auto const begin = std::min(text.find_first_not_of(' ', at), end);
    if (at > 0) {
      out.append(layout.line_end).append(indent);
      for (auto left = (begin - at) / 2; left > 0; --left) out += layout.level;
    }
    out.append(text, begin, end - begin);
    at = end + 1;
  }
  return out;
}

}  // namespace

std::size_t json_root(std::string_view text) { return skip_blanks(text, 0); }

std::vector<JsonChild> json_children(std::string_view text, std::size_t container) {
  std::vector<JsonChild> out;
  bool const is_object = text[container] == '{';
  auto at = skip_blanks(text, container + 1);
  while (at < text.size() && text[at] != '}' && text[at] != ']') {
    JsonChild child{{}, at, at, 0};
    if (is_object) {
      child.key = key_at(text, at);
      child.value = skip_blanks(text, skip_blanks(text, end_of_string(text, at)) + 1);
    }
    child.end = end_of_value(text, child.value);
    at = skip_blanks(text, child.end);
    if (at < text.size() && text[at] == ',') at = skip_blanks(text, at + 1);
    out.push_back(std::move(child));
  }
  return out;
}

void append_json_child(std::string& text, std::size_t container, std::string_view key,
                       json::value const& value) {
  auto const layout = layout_of(text);
  auto const children = json_children(text, container);
  bool const own_line = children.empty() ? layout.in_lines : begins_a_line(text, children.back().begin);
  auto const line = text.rfind('\n', container) + 1;  // 0 for the first line
  auto const outer = text.substr(line, text.find_first_not_of(" \t", line) - line);
  auto const indent =
      children.empty() ? outer + layout.level : std::string{indent_before(text, children.back().begin)};
  std::string piece = children.empty() ? "" : ",";
  if (own_line)
    piece.append(layout.line_end).append(indent);
  else if (!children.empty())
    piece += ' ';
  if (!key.empty()) piece.append(json::serialize(json::string(key))).append(": ");
  piece += own_line ? in_lines(value, layout, indent) : json::serialize(value);
  if (!children.empty()) {
    text.insert(children.back().end, piece);
    return;
  }
  if (own_line) piece.append(layout.line_end).append(outer);
  text.replace(container + 1, end_of_container(text, container) - container - 2, piece);
}

void erase_json_child(std::string& text, std::size_t container, std::size_t index) {
  auto const children = json_children(text, container);
  auto from = children[index].begin, to = children[index].end;
  if (children.size() == 1) {
    from = container + 1;
    to = end_of_container(text, container) - 1;
  } else if (index + 1 < children.size()) {
    to = children[index + 1].begin;
  } else {
    from = children[index - 1].end;
  }
  text.erase(from, to - from);
}

}  // namespace andon::cli
