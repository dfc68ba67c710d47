#include <algorithm>
#include <array>

#include <boost/json/serialize.hpp>

#include "core/text/ascii.hpp"
#include "reflect/json.hpp"
#include "reflect/yaml.hpp"

namespace andon::reflect {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestFlow = 100;

/// Words that some reader of YAML, old or new, takes for something else than a text.
constexpr std::array<std::string_view, 12> kOtherMeanings{"null", "~",   "true", "false", "yes", "no",
                                                          "on",   "off", "y",    "n",     "<<",  "="};

bool means_something_else(std::string_view text) {
  auto const word = core::ascii_lower(text);
  if (std::ranges::find(kOtherMeanings, word) != kOtherMeanings.end()) return true;
  // Numbers, dates and times: let no reader guess. `1h` and `2nd` are none.
  auto const first = text.find_first_not_of("+-.");
  if (first == std::string_view::npos) return true;
  bool const starts_like_a_number = core::is_ascii_digit(text[first]);
  return starts_like_a_number && word.find_first_not_of("0123456789abcdefxotz_:.,+- ") == std::string::npos;
}

/// Characters beyond ASCII that some reader takes for a line end, or for nothing.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kUnseen{{{"\xC2\x85", "\\u0085"},
                                                                                {"\xE2\x80\xA8", "\\u2028"},
                                                                                {"\xE2\x80\xA9", "\\u2029"},
                                                                                {"\xEF\xBB\xBF", "\\uFEFF"}}};

bool holds_unseen(std::string_view text) {
  return std::ranges::any_of(kUnseen, [&](auto const& unseen) { return text.contains(unseen.first); });
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// Whether a text needs no quotes, wherever it stands.
bool is_plain(std::string_view text) {
  constexpr std::string_view kNotFirst = "-?:,[]{}#&*!|>'\"%@` ";
  if (text.empty() || kNotFirst.contains(text.front()) || text.back() == ' ' || text.back() == ':')
    return false;
  if (text.starts_with("...")) return false;  // the end of a document at the beginning of a line
  if (text.find_first_of(",[]{}") != std::string_view::npos || text.contains(": ") || text.contains(" #"))
    return false;
  return std::ranges::none_of(text, is_control) && !holds_unseen(text) && !means_something_else(text);
}

void write_text(std::string_view text, std::string& out) {
  if (is_plain(text)) {
    out += text;
    return;
  }
  std::string quoted;
  write_string(text, quoted);
  for (auto const& [unseen, escape] : kUnseen)
    for (std::size_t at = 0; (at = quoted.find(unseen, at)) != std::string::npos; at += escape.size())
      quoted.replace(at, unseen.size(), escape);
  out += quoted;
}

/// Whether a text of several lines can stand as a block, where every byte is meant as it is written.
bool is_block(std::string_view text) {
  if (!text.contains('\n') || text.front() == ' ' || text.front() == '\n' || text.front() == '\t')
    return false;
  return std::ranges::none_of(text, [](char c) { return c != '\n' && c != '\t' && is_control(c); }) &&
         !holds_unseen(text);
}

void write_block(std::string_view text, std::size_t indent, std::string& out) {
  bool const ends = text.ends_with('\n');
  bool const ends_twice = text.ends_with("\n\n");
  out += ends_twice ? "|+\n" : ends ? "|\n" : "|-\n";
  if (ends) text.remove_suffix(1);
  while (true) {
    auto const line = text.substr(0, text.find('\n'));
    if (!line.empty()) out.append(indent, ' ').append(line);
    out += '\n';
    if (line.size() == text.size()) return;
    text.remove_prefix(line.size() + 1);
  }
}

bool is_simple(json::value const& value) {
  if (auto const* text = value.if_string()) return !is_block({text->data(), text->size()});
  return !value.is_array() && !value.is_object();
}

/// A number with a point stays one with a point.
void write_double(double number, std::string& out) {
  auto const start = out.size();
  write_number(number, out);
  if (!std::string_view{out}.substr(start).contains('.')) out += ".0";
}

void write_simple(json::value const& value, std::string& out) {
  if (auto const* text = value.if_string())
    write_text({text->data(), text->size()}, out);
  else if (value.is_double())
    write_double(value.get_double(), out);
  else
    out += json::serialize(value);
}

/// A list of simple values, or a map of them, in one line.
std::string flow(json::value const& value) {
  std::string out;
  if (auto const* items = value.if_array()) {
    for (auto const& item : *items) {
      out += out.empty() ? "[" : ", ";
      write_simple(item, out);
    }
    return out.empty() ? "[]" : out + "]";
  }
  for (auto const& [key, item] : value.get_object()) {
    out += out.empty() ? "{" : ", ";
    write_text({key.data(), key.size()}, out);
    out += ": ";
    write_simple(item, out);
  }
  return out.empty() ? "{}" : out + "}";
}

bool fits(json::value const& value) {
  bool const simple =
      value.is_array()
          ? std::ranges::all_of(value.get_array(), is_simple)
          : std::ranges::all_of(value.get_object(), [](auto const& e) { return is_simple(e.value()); });
  return simple && flow(value).size() <= kLongestFlow;
}

/// Inside a list, all maps are written in the same way.
bool are_lines(json::array const& items) {
  return std::ranges::all_of(items, [](auto const& item) { return item.is_object() && fits(item); });
}

void write_value(json::value const& value, std::size_t indent, std::string& out);

void write_items(json::array const& items, std::size_t indent, std::string& out) {
  bool const lines = indent > 2 && are_lines(items);
  for (auto const& item : items) {
    out.append(indent, ' ').append("- ");
    if (lines)
      out.append(flow(item)).append("\n");
    else
      write_value(item, indent + 2, out);
  }
}

/// The entries of a map; the first stands where the text already is.
void write_entries(json::object const& map, std::size_t indent, std::string& out) {
  bool first = true;
  for (auto const& [key, value] : map) {
    if (!std::exchange(first, false)) out.append(indent, ' ');
    write_text({key.data(), key.size()}, out);
    auto const* inner = value.if_object();
    bool const opens = inner ? !inner->empty() : value.is_array() && !fits(value);
    out += opens ? ":\n" : ": ";
    if (!opens) {
      write_value(value, indent + 2, out);
    } else if (auto const* items = value.if_array()) {
      write_items(*items, indent + 2, out);
    } else {
      out.append(indent + 2, ' ');
      write_entries(value.get_object(), indent + 2, out);
    }
  }
}

void write_value(json::value const& value, std::size_t indent, std::string& out) {
  if (auto const* text = value.if_string(); text && is_block({text->data(), text->size()}))
    return write_block({text->data(), text->size()}, indent, out);
  if (is_simple(value))
    write_simple(value, out);
  else if (auto const* map = value.if_object(); map && !map->empty())
    return write_entries(*map, indent, out);
  else if (map || fits(value))
    out += flow(value);
  else {
    out += '\n';
    return write_items(value.get_array(), indent, out);
  }
  out += '\n';
}

}  // namespace

std::string to_yaml(json::value const& value) {
  std::string out;
  if (auto const* items = value.if_array(); items && !items->empty())
    write_items(*items, 0, out);
  else
    write_value(value, value.is_string() ? 2 : 0, out);
  return out;
}

}  // namespace andon::reflect
