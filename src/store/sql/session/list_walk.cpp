#include "store/sql/session/list_walk.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "store/sql/session/list_filter.hpp"

namespace andon::store::sql {
namespace {

constexpr int kFirstOfKey = 20;      // parameters from here on belong to the sort key
constexpr int kBoardParameter = 40;  // parameters from here on belong to the walk

std::string parameter(std::size_t number) { return "$" + std::to_string(kFirstOfKey + number); }

void bind_value(Statement& statement, int parameter, SortValue const& value) {
  std::visit([&](auto const& v) { statement.bind(parameter, v); }, value);
}

SortValue sort_value_in(Statement const& row, int column) {
  if (row.is_text(column)) return row.text(column);
  return row.integer(column);
}

}  // namespace

void bind_walk(Statement& statement, Walk const& walk) {
  statement.bind(kBoardParameter, walk.board);
  statement.bind(kBoardParameter + 1, std::string{walk.column});
  statement.bind(kBoardParameter + 2, std::string{walk.queue_key});
  statement.bind(kBoardParameter + 3, walk.archived);
}

SortKey key_in(Statement const& row, int first, std::size_t terms) {
  SortKey out;
  for (std::size_t i = 0; i < terms; ++i) out.push_back(sort_value_in(row, first + static_cast<int>(i)));
  return out;
}

std::string range_text(Connection const& db, Walk const& walk, TaskFilter const& filter, std::size_t given,
                       bool bounded, bool reverse) {
  auto const& terms = walk.terms;
  std::string keys, order, range;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    keys += ", " + terms[i];
    if (i < given) range += "AND " + terms[i] + " = " + parameter(i) + "\n";
    if (i >= given) order += (order.empty() ? "" : ", ") + terms[i] + (reverse ? " DESC" : "");
  }
  if (bounded) range += "AND " + terms[given] + (reverse ? " < " : " > ") + parameter(given) + "\n";
  return "SELECT (" + conditions_of(db, filter) + ")" + keys + "\n" + db.text(walk.from) + range +
         "ORDER BY " + order;
}

void ListWalk::add(Walk walk) {
  Source source{std::move(walk), {0}, false, {}, {}};
  auto const& beginning = source.walk.beginning;
  if (!after_.empty()) {
    SortKey const reached(after_.begin(), after_.begin() + std::ssize(beginning));
    if (reverse_ ? reached < beginning : beginning < reached) return;
    source.bounded = reached == beginning;
  }
  if (source.bounded)
    for (std::size_t given = 1; given < source.walk.terms.size(); ++given) source.ranges.push_back(given);
  sources_.push_back(std::move(source));
  open_range(sources_.back());
  advance(sources_.back());
  if (!sources_.back().head) sources_.pop_back();
}

void ListWalk::open_range(Source& source) {
  auto const given = source.ranges.back();
  source.ranges.pop_back();
  auto& rows = source.rows.emplace(
      db_.assembled(range_text(db_, source.walk, filter_, given, source.bounded, reverse_)));
  bind_filter(rows, filter_);
  auto const values =
      std::span{after_}.subspan(source.bounded ? source.walk.beginning.size() : after_.size());
  for (std::size_t i = 0; i < values.size() && i <= given; ++i)
    bind_value(rows, kFirstOfKey + static_cast<int>(i), values[i]);
  bind_walk(rows, source.walk);
}

void ListWalk::advance(Source& source) {
  while (!source.rows->step()) {
    source.rows.reset();
    source.head.reset();
    if (source.ranges.empty()) return;
    open_range(source);
  }
  auto const& row = *source.rows;
  auto& head = source.head.emplace(Passed{0, row.integer(0) != 0, source.walk.beginning});
  std::ranges::move(key_in(row, 1, source.walk.terms.size()), std::back_inserter(head.key));
  head.id = core::TaskId{std::get<std::int64_t>(head.key.back())};
}

std::optional<Passed> ListWalk::next() {
  Source* first = nullptr;
  for (auto& source : sources_)
    if (source.head && (!first || comes_first(*source.head, *first->head))) first = &source;
  if (!first) return std::nullopt;
  auto out = std::move(first->head);
  advance(*first);
  return out;
}

}  // namespace andon::store::sql
