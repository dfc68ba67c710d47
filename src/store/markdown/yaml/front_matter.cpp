#include "store/markdown/yaml/front_matter.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "store/markdown/yaml/front_matter_reading.hpp"
#include "store/markdown/yaml/lines.hpp"
#include "store/markdown/yaml/scalar.hpp"

namespace andon::store::markdown {
namespace {

using core::Result;

std::string without_returns(std::string_view text) {
  std::string out;
  for (char c : text) {
    while (c == '\n' && out.ends_with('\r')) out.pop_back();
    out += c;
  }
  return out;
}

std::size_t rank_in(std::vector<std::string_view> const& order, std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(order, key) - order.begin());
}

std::string as_list(std::span<std::string const> items, bool as_they_are, std::string_view indent) {
  std::string out;
  for (auto const& item : items) {
    auto const text = as_they_are ? item : yaml_text(item);
    ((out += "\n") += indent) += "- " + (text.starts_with('|') ? yaml_item(item) : text);
  }
  return out;
}

std::string joined(std::vector<std::string> const& texts) {
  std::string out;
  for (auto const& text : texts) (out += out.empty() ? "" : ", ") += text;
  return out;
}

/// The items of a list in brackets as they are to be written. Items that stay keep their quotes.
std::vector<std::string> for_brackets(NewValue const& list, reflect::YamlNode const& was,
                                      std::string_view text) {
  std::vector<std::string> out;
  for (auto const& item : list.items) {
    auto const known = std::ranges::find(was.items, item, &reflect::YamlNode::text);
    if (known != was.items.end())
      out.emplace_back(text.substr(known->begin, known->end - known->begin));
    else
      out.push_back(list.as_they_are ? item : yaml_item(item));
  }
  return out;
}

/// The value with the text between it and the colon.
std::string behind_colon(NewValue const& value) {
  return value.kind == NewValue::Kind::list ? as_list(value.items, value.as_they_are, "    ")
                                            : " " + value.text;
}

}  // namespace

Result<FrontMatter> FrontMatter::parse(std::string text, std::string_view name) {
  ANDON_TRY(auto const frame, frame_of(text, name));
  FrontMatter out;
  ANDON_SET(out.entries_, entries_of(text, frame, name));
  out.text_ = std::move(text);
  out.first_ = frame.first;
  out.close_ = frame.close;
  out.after_ = frame.after;
  out.carriage_returns_ = frame.carriage_returns;
  return out;
}

FrontMatter FrontMatter::empty() {
  FrontMatter out;
  out.text_ = "---\n---\n";
  out.first_ = out.close_ = 4;
  out.after_ = 8;
  return out;
}

Entry const* FrontMatter::find(std::string_view key) const {
  auto const found = std::ranges::find(entries_, key, &Entry::key);
  return found == entries_.end() ? nullptr : &*found;
}

std::string FrontMatter::body() const { return as_body(std::string_view{text_}.substr(after_)); }

std::string FrontMatter::as_body(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && line_at(text, at).of(text).find_first_not_of(" \t") == std::string_view::npos)
    at = line_at(text, at).next;
  auto out = without_returns(text.substr(at));
  if (out.ends_with('\n')) out.pop_back();
  while (out.ends_with('\r')) out.pop_back();  // it would be taken for a part of the line end behind it
  return out;
}

std::string FrontMatter::with_line_ends(std::string_view text) const {
  if (!carriage_returns_) return std::string{text};
  std::string out;
  for (char c : text) out.append(c == '\n' ? "\r" : "").append(1, c);
  return out;
}

void FrontMatter::replace(std::size_t from, std::size_t to, std::string text, std::size_t rank) {
  splices_.push_back({from, to - from, with_line_ends(text), rank, splices_.size()});
}

void FrontMatter::set(std::string_view key, NewValue const& value,
                      std::vector<std::string_view> const& order) {
  auto const* entry = find(key);
  if (entry && value.kind == NewValue::Kind::none) return replace(entry->begin, entry->next, {});
  if (entry) return change(*entry, value);
  if (value.kind != NewValue::Kind::none)
    add(key, std::string{key} + ":" + behind_colon(value) + "\n", order);
}

void FrontMatter::take(std::string_view key, FrontMatter const& from,
                       std::vector<std::string_view> const& order) {
  auto const *entry = find(key), *other = from.find(key);
  auto lines =
      other ? without_returns(std::string_view{from.text_}.substr(other->begin, other->next - other->begin))
            : std::string{};
  if (entry) return replace(entry->begin, entry->next, std::move(lines));
  if (other) add(key, std::move(lines), order);
}

void FrontMatter::add(std::string_view key, std::string lines, std::vector<std::string_view> const& order) {
  auto const rank = rank_in(order, key);
  Entry const* before = nullptr;
  for (auto const& entry : entries_)
    if (auto const at = rank_in(order, entry.key); at < rank && (!before || at > rank_in(order, before->key)))
      before = &entry;
  auto const at = before ? before->next : first_;
  replace(at, at, std::move(lines), rank + 1);
}

void FrontMatter::change(Entry const& entry, NewValue const& value) {
  if (value.kind == NewValue::Kind::list && change_items(entry, value)) return;
  bool const is_block = value.text.contains('\n') || value.kind == NewValue::Kind::list;
  if (entry.one_line && !is_block && entry.text < entry.end)
    return replace(entry.text, entry.end, value.text);
  replace(entry.colon, entry.end, behind_colon(value));
}

void FrontMatter::change_brackets(reflect::YamlNode const& was, NewValue const& list) {
  auto items = for_brackets(list, was, text_);
  auto const count = static_cast<std::ptrdiff_t>(was.items.size());
  auto const same = std::ranges::mismatch(was.items, list.items, {}, &reflect::YamlNode::text);
  if (same.in1 != was.items.end() || same.in2 == list.items.end())
    return replace(was.begin, was.end, "[" + joined(items) + "]");
  items.erase(items.begin(), items.begin() + count);
  replace(was.items.back().end, was.items.back().end, ", " + joined(items));
}

/// Removes the lines of removed items and adds lines for new items at the end. False when the list is not
/// written with one item per line, or when no item of it stays.
bool FrontMatter::change_items(Entry const& entry, NewValue const& list) {
  auto const& items = list.items;
  using Kind = reflect::YamlNode::Kind;
  if (entry.value.kind != Kind::list || entry.value.items.empty()) return false;
  if (text_[entry.value.begin] == '[') return change_brackets(entry.value, list), true;
  std::vector<Line> lines;
  auto at = line_at(text_, entry.begin).next;
  for (auto const& item : entry.value.items) {
    auto const line = line_at(text_, std::min(item.begin, text_.size()));
    auto const begin = text_.rfind('\n', line.begin == 0 ? 0 : line.begin - 1) + 1;
    bool const is_one_line = item.kind == Kind::scalar && begin >= at && item.end <= line.end &&
                             line_at(text_, begin).of(text_).find_first_not_of(" -") + begin == item.begin;
    if (!is_one_line) return false;
    lines.push_back(line_at(text_, begin));
    at = lines.back().next;
  }
  if (at != entry.next) return false;
  std::size_t kept = 0;
  std::vector<Line> gone;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (kept < items.size() && entry.value.items[i].text == items[kept])
      ++kept;
    else
      gone.push_back(lines[i]);
  }
  if (kept == 0) return false;
  auto const first = lines.front().of(text_);
  auto const indent = first.substr(0, first.find('-'));
  for (auto const& line : gone) replace(line.begin, line.next, {});
  auto added = as_list(std::span{items}.subspan(kept), list.as_they_are, indent);
  if (!added.empty()) replace(entry.next, entry.next, added.substr(1) + "\n");
  return true;
}

void FrontMatter::set_body(std::string_view body) {
  auto const old = this->body();
  if (body == old) return;
  bool const at_line_end = text_.ends_with('\n');
  if (!old.empty() && body.starts_with(old)) {
    auto const end = text_.size() - (!at_line_end ? 0 : text_.ends_with("\r\n") ? 2 : 1);
    return replace(end, text_.size(), std::string{body.substr(old.size())} + "\n");
  }
  std::string text = after_ > close_ && text_[after_ - 1] == '\n' ? "" : "\n";
  if (!body.empty()) ((text += "\n") += body) += "\n";
  replace(after_, text_.size(), std::move(text));
}

std::string FrontMatter::text() const {
  auto ordered = splices_;
  std::ranges::sort(ordered, {},
                    [](Splice const& s) { return std::tuple{s.at, s.length != 0, s.rank, s.number}; });
  std::string out;
  std::size_t at = 0;
  for (auto const& splice : ordered) {
    out.append(text_, at, splice.at - at).append(splice.text);
    at = splice.at + splice.length;
  }
  return out.append(text_, at);
}

}  // namespace andon::store::markdown
