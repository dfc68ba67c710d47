#include "store/markdown/yaml/front_matter_reading.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "store/markdown/yaml/lines.hpp"

namespace andon::store::markdown {
namespace {

using core::Result;
using reflect::YamlNode;
using reflect::YamlPlace;

constexpr std::string_view kFence = "---";
/// The limit for values in a request applies here too; a task has fewer than a hundred.
constexpr std::size_t kMostValues = 10'000;

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == kNowhere; }

YamlPlace place_at(std::string_view text, std::size_t offset) {
  auto const before = text.substr(0, offset);
  auto const line = before.rfind('\n');
  auto const begin = line == kNowhere ? 0 : line + 1;
  return {static_cast<int>(std::ranges::count(before, '\n')) + 1,
          static_cast<int>(core::length_in_characters(before.substr(begin))) + 1};
}

/// The place of git's three conflict markers, which mark versions that could not be merged; `npos` when there
/// are none.
std::size_t conflict_in(std::string_view text) {
  constexpr std::string_view kOurs = "<<<<<<< ", kTheirs = ">>>>>>> ";
  auto const ours = text.starts_with(kOurs) ? 0 : text.find("\n<<<<<<< ");
  if (ours == kNowhere) return kNowhere;
  auto const middle = text.find("\n=======", ours);
  if (middle == kNowhere || text.find("\n" + std::string{kTheirs}, middle) == kNowhere) return kNowhere;
  return ours == 0 ? 0 : ours + 1;
}

Result<void> check_bytes(std::string_view text, std::string_view name) {
  if (text.starts_with("\xEF\xBB\xBF"))
    return malformed(name, {}, "the file begins with a byte order mark; expected a line of ---");
  if (auto const nul = text.find('\0'); nul != kNowhere)
    return malformed(name, place_at(text, nul), "there is a NUL byte; expected text");
  ANDON_CHECK(check_conflict(text, name));
  if (core::is_utf8(text)) return {};
  std::size_t line = 0;
  while (core::is_utf8(line_at(text, line).of(text))) line = line_at(text, line).next;
  return malformed(name, place_at(text, line), "the line is not UTF-8");
}

bool is_key_letter(char c) { return core::is_ascii_alphanumeric(c) || c == '_' || c == '-' || c == '.'; }

/// Whether the characters from `at` to `end` are a scalar that every YAML reader reads as written.
bool is_simple(std::string_view line, std::size_t at, std::size_t end) {
  if (end <= at) return false;  // a carriage return alone
  auto const value = line.substr(at, end - at);
  char const first = value.front();
  bool const quoted = value.size() >= 2 && (first == '"' || first == '\'') && value.back() == first;
  if (quoted) {
    auto const inside = value.substr(1, value.size() - 2);
    return inside.find_first_of("\"'\\") == kNowhere && !inside.contains('\t') &&
           !inside.contains("\u2028") && !inside.contains("\u2029");
  }
  if (std::string_view{"[]{}#,&*!|>'\"%@`?-:~<="}.contains(first) && value != "-") {
    bool const number = first == '-' && value.size() > 1 && core::is_ascii_digit(value[1]);
    if (!number) return false;
  }
  return value != "-" && !value.contains(": ") && !value.ends_with(':') && !value.contains('\t');
}

/// Whether only blanks and a comment follow a value on its line.
bool ends_line(std::string_view line, std::size_t end) {
  auto const rest = line.substr(end);
  auto const mark = rest.find_first_not_of(" \t");
  return mark == kNowhere || (mark > 0 && rest[mark] == '#');
}

YamlNode scalar_at(std::string_view text, Line const& line, std::size_t at, std::size_t end, int number) {
  YamlNode out;
  out.begin = line.begin + at;
  out.end = line.begin + end;
  out.place = {number, static_cast<int>(core::length_in_characters(text.substr(line.begin, at))) + 1};
  auto value = text.substr(out.begin, end - at);
  out.plain = value.front() != '"' && value.front() != '\'';
  if (!out.plain) value = value.substr(1, value.size() - 2);
  out.text = value;
  return out;
}

/// Splits simple front matter into its keys line by line.
class Cutting {
 public:
  Cutting(std::string_view text, Frame const& frame) : text_(text), frame_(frame) {}

  /// False when the front matter contains forms that this class does not read.
  bool read() {
    for (auto at = frame_.first; at < frame_.close; ++number_) {
      auto const line = line_at(text_, at);
      if (!take(line) || is_too_much()) return false;
      at = line.next;
    }
    return true;
  }
  bool is_too_much() const { return values_ > kMostValues; }
  int line() const { return number_; }
  std::vector<Entry> entries;

 private:
  bool take(Line const& line) {
    auto const text = line.of(text_);
    auto const first = text.find_first_not_of(' ');
    if (first == kNowhere || text[first] == '#') return true;
    if (text[first] == '-') return take_item(line, first);
    return first == 0 && take_key(line);
  }

  bool take_key(Line const& line) {
    auto const text = line.of(text_);
    auto const end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_key_letter) - text.begin());
    if (end == 0 || end >= text.size() || text[end] != ':') return false;
    auto const key = text.substr(0, end);
    if (!keys_.insert(key).second) return false;
    ++values_;
    Entry entry;
    entry.key = key;
    entry.begin = line.begin;
    entry.colon = line.begin + end + 1;
    auto const value = text.find_first_not_of(" \t", end + 1);
    if (value != kNowhere && value == end + 1) return false;
    entry.next = line.next;
    if (value == kNowhere || text[value] == '#') {
      entry.value.place = {number_, static_cast<int>(end) + 2};
      entry.value.plain = true;
      entry.text = entry.end = entry.colon;
    } else {
      auto const stop = end_of_value(text, value);
      if (stop == kNowhere || !is_simple(text, value, stop) || !ends_line(text, stop)) return false;
      entry.value = scalar_at(text_, line, value, stop, number_);
      entry.text = entry.value.begin;
      entry.end = entry.value.end;
    }
    entries.push_back(std::move(entry));
    return true;
  }

  /// Takes an item of the list that the last key began.
  bool take_item(Line const& line, std::size_t dash) {
    auto const text = line.of(text_);
    if (entries.empty()) return false;
    auto& list = entries.back();
    bool const is_first = list.value.kind != YamlNode::Kind::list;
    if (is_first && (list.text != list.end || !list.value.text.empty() || list.text != list.colon))
      return false;
    if (!is_first && dash != indent_) return false;
    indent_ = dash;
    auto const value = text.find_first_not_of(' ', dash + 1);
    if (value == kNowhere || value == dash + 1) return false;
    auto const stop = end_of_value(text, value);
    if (stop == kNowhere || !is_simple(text, value, stop) || !ends_line(text, stop)) return false;
    ++values_;
    list.value.kind = YamlNode::Kind::list;
    list.value.items.push_back(scalar_at(text_, line, value, stop, number_));
    list.one_line = false;
    list.end = line.begin + stop;
    list.next = line.next;
    return true;
  }

  std::string_view text_;
  Frame const& frame_;
  int number_ = 2;
  std::size_t indent_ = 0;
  std::unordered_set<std::string_view> keys_;
  std::size_t values_ = 0;
};

/// Finds the bytes of a value that the YAML parser has read.
void find_bytes(std::string_view text, std::size_t limit, Entry& entry, reflect::YamlEntry const& found) {
  entry.begin = found.begin;
  entry.colon = found.colon;
  auto const line = line_at(text, entry.begin);
  auto const beside = text.find_first_not_of(" \t", entry.colon);
  bool const is_beside = beside < line.end && text[beside] != '#';
  entry.text = is_beside ? beside : entry.colon;
  auto const stop = is_beside ? end_of_value(text, beside) : kNowhere;
  auto last = line;
  for (auto at = line.next; at < limit; at = line_at(text, at).next) {
    auto const next = line_at(text, at);
    auto const says = next.of(text);
    if (!is_blank(says) && !says.starts_with('#')) last = next;
  }
  entry.one_line = stop != kNowhere && last.begin == line.begin;
  entry.end = entry.one_line ? stop : !is_beside && last.begin == line.begin ? entry.colon : last.end;
  entry.next = last.next;
}

Result<std::vector<Entry>> parsed(std::string_view text, Frame const& frame, std::string_view name) {
  auto const front = text.substr(0, frame.close);
  ANDON_TRY(auto root, reflect::parse_yaml(front, name, {.values = kMostValues}));
  if (root.kind != YamlNode::Kind::map)
    return malformed(name, root.place, "expected keys with values, such as `id: 1`");
  std::vector<Entry> out;
  for (std::size_t i = 0; i < root.entries.size(); ++i) {
    auto& found = root.entries[i];
    bool const is_last = i + 1 == root.entries.size();
    auto const limit = is_last ? frame.close : root.entries[i + 1].begin;
    if (found.place.column != 1 || (!is_last && root.entries[i + 1].place.line == found.place.line))
      return malformed(name, found.place, "expected every key at the beginning of a line of its own");
    Entry entry;
    entry.key = found.key;
    find_bytes(text, limit, entry, found);
    entry.value = std::move(found.value);
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

std::unexpected<core::Error> malformed(std::string_view name, YamlPlace place, std::string_view what) {
  return core::refuse(core::Code::kMalformed, std::string{name} + ":" + std::to_string(place.line) + ":" +
                                                  std::to_string(place.column) + ": " + std::string{what});
}

Result<void> check_conflict(std::string_view text, std::string_view name) {
  auto const conflict = conflict_in(text);
  if (conflict == kNowhere) return {};
  return malformed(name, place_at(text, conflict), "git's marks of a conflict stand here; resolve it first");
}

Result<Frame> frame_of(std::string_view text, std::string_view name) {
  ANDON_CHECK(check_bytes(text, name));
  auto const open = line_at(text, 0);
  if (open.of(text) != kFence || open.next == open.end)
    return malformed(name, {}, "expected a line of --- at the beginning");
  Frame out;
  out.first = open.next;
  out.carriage_returns = open.next - open.end == 2;
  for (auto at = open.next; at < text.size();) {
    auto const line = line_at(text, at);
    if (line.of(text) == kFence) {
      out.close = line.begin;
      out.after = line.next;
      return out;
    }
    at = line.next;
  }
  return malformed(name, place_at(text, text.size()), "the front matter has no end; expected a line of ---");
}

Result<std::vector<Entry>> entries_of(std::string_view text, Frame const& frame, std::string_view name) {
  Cutting cutting(text, frame);
  if (cutting.read()) return std::move(cutting.entries);
  if (cutting.is_too_much())
    return malformed(name, {cutting.line(), 1},
                     "there are more than " + std::to_string(kMostValues) + " keys and values");
  return parsed(text, frame, name);
}

}  // namespace andon::store::markdown
