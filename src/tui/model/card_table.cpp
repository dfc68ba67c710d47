#include "tui/model/card_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/text/lower_case.hpp"
#include "core/text/visible_text.hpp"

namespace andon::tui {
namespace {

struct SortRow {
  SortField field;
  std::string_view name;
  bool reverse;  ///< as it begins
};
/// In the order in which the key for it goes through them.
constexpr std::array kSorts{
    SortRow{SortField::priority, "priority", true}, SortRow{SortField::created, "created", true},
    SortRow{SortField::updated, "updated", true}, SortRow{SortField::title, "title", false}};

/// A filter of `#12` finds the numbers that begin with 12; `#12 ` finds 12 alone.
bool is_number(core::TaskId id, std::string_view asked) {
  std::array<char, 24> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(), id).ptr;
  std::string_view const number{text.data(), static_cast<std::size_t>(end - text.data())};
  if (asked.ends_with(' ')) return asked.substr(0, asked.size() - 1) == number;
  return number.starts_with(asked);
}

}  // namespace

CardOrder next_order(CardOrder order) {
  auto const found = std::ranges::find(kSorts, order.field, &SortRow::field);
  auto const& next = std::next(found) == kSorts.end() ? kSorts.front() : *std::next(found);
  return {next.field, next.reverse};
}

std::string_view name_of(SortField field) { return std::ranges::find(kSorts, field, &SortRow::field)->name; }

void CardTable::begin(core::Board const& board) {
  cards_.clear();
  columns_.clear();
  describe(board);
}

void CardTable::describe(core::Board const& board) {
  priorities_ = board.priorities;
  columns_.clear();
  for (auto const& column : board.columns)
    if (column.stage != core::Stage::archived) columns_.push_back({column.name, {}, {}, true});
  for (auto& [id, entry] : cards_) place(entry);
}

void CardTable::put(service::Card card) {
  auto const known = cards_.find(card.id);
  if (known == cards_.end() || card.rev >= known->second.card.rev) put_anew(std::move(card));
}

void CardTable::put_anew(service::Card card) {
  auto [found, is_new] = cards_.try_emplace(card.id);
  auto& entry = found->second;
  if (!is_new) take_out(entry);
  // The last line of a run comes apart from its card.
  if (!is_new && card.run && card.line.empty()) card.line = std::move(entry.card.line);
  card.excerpt.clear();
  card.title = core::visible_line(card.title);
  entry.card = std::move(card);
  entry.folded = core::lower_case(entry.card.title);
  place(entry);
}

void CardTable::place(Entry& entry) {
  auto const rank = std::ranges::find(priorities_, entry.card.priority);
  entry.priority = static_cast<int>(rank - priorities_.begin());
  auto const column = std::ranges::find(columns_, entry.card.status, &Column::name);
  entry.column = static_cast<std::size_t>(column - columns_.begin());
  if (column == columns_.end()) return;
  column->cards.push_back(&entry);
  column->is_dirty = true;
}

void CardTable::take_out(Entry const& entry) {
  if (entry.column >= columns_.size()) return;
  std::erase(columns_[entry.column].cards, &entry);
  columns_[entry.column].is_dirty = true;
}

void CardTable::remove(core::TaskId id) {
  auto const found = cards_.find(id);
  if (found == cards_.end()) return;
  take_out(found->second);
  cards_.erase(found);
}

void CardTable::set_line(core::TaskId id, std::string_view text) {
  if (auto const found = cards_.find(id); found != cards_.end())
    found->second.card.line = core::visible_line(text);
}

void CardTable::set_order(CardOrder order) {
  order_ = order;
  for (auto& column : columns_) column.is_dirty = true;
}

void CardTable::set_filter(std::string filter) {
  filter_ = std::move(filter);
  folded_filter_ = core::lower_case(filter_);
  for (auto& column : columns_) column.is_dirty = true;
}

bool CardTable::is_found(Entry const& entry) const {
  std::string_view const asked = folded_filter_;
  if (asked.empty()) return true;
  bool const is_of_number = asked.size() > 1 && asked[0] == '#' && asked[1] >= '0' && asked[1] <= '9';
  if (is_of_number) return is_number(entry.card.id, asked.substr(1));
  if (entry.folded.contains(asked)) return true;
  return std::ranges::any_of(entry.card.tags,
                             [&](auto const& tag) { return core::lower_case(tag).contains(asked); });
}

bool CardTable::is_before(Entry const* a, Entry const* b) const {
  if (order_.reverse) std::swap(a, b);
  switch (order_.field) {
    case SortField::priority:
      if (a->priority != b->priority) return a->priority < b->priority;
      break;
    case SortField::created:
      if (a->card.created != b->card.created) return a->card.created < b->card.created;
      break;
    case SortField::updated:
      if (a->card.updated != b->card.updated) return a->card.updated < b->card.updated;
      break;
    case SortField::title:
      if (a->folded != b->folded) return a->folded < b->folded;
      break;
  }
  return a->card.id < b->card.id;
}

void CardTable::arrange() {
  for (auto& column : columns_) {
    if (!std::exchange(column.is_dirty, false)) continue;
    std::ranges::sort(column.cards, [&](auto const* a, auto const* b) { return is_before(a, b); });
    column.rows.clear();
    for (auto const* entry : column.cards)
      if (is_found(*entry)) column.rows.push_back(&entry->card);
  }
}

service::Card const* CardTable::find(core::TaskId id) const {
  auto const found = cards_.find(id);
  return found == cards_.end() ? nullptr : &found->second.card;
}

std::size_t CardTable::shown() const {
  std::size_t sum = 0;
  for (auto const& column : columns_) sum += column.rows.size();
  return sum;
}

}  // namespace andon::tui
