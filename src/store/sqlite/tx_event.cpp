#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "reflect/text.hpp"
#include "store/sqlite/json_text.hpp"
#include "store/sqlite/transaction.hpp"

namespace andon::store::sqlite {
namespace {

namespace json = boost::json;
using Kind = reflect::TextForm<core::EventKind>;

Query const kLastSeq{"event_last_seq"};
Query const kAdd{"event_add"};
Query const kSelect{"events_select"};
Query const kBoards{"events_boards"};
Query const kTask{"events_task"};
Query const kKind{"events_kind"};
Query const kSince{"events_since"};
Query const kOldest{"events_oldest"};
Query const kNewest{"events_newest"};
Query const kSearchNew{"text_new"};
Query const kNoteAdd{"note_add"};

core::Event event_in(Statement const& row) {
  core::Event event;
  event.seq = row.integer(0);
  event.ts = row.instant(1);
  event.actor = core::parse_actor(row.view(2)).value_or(core::Actor{});
  Kind::read(row.view(3), event.kind);
  event.board = row.text(4);
  event.task = row.maybe_integer(5);
  event.run = row.maybe_integer(6);
  event.from = row.text(7);
  event.to = row.text(8);
  event.data = row.text(9);
  event.mutation = row.text(10);
  return event;
}

std::optional<std::string_view> unless_empty(std::string const& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

/// The words of a note, for search.
std::string note_text(std::string const& data) {
  auto const value = reflect::parse_json(data);
  if (!value || !value->is_object()) return {};
  auto const* text = value->get_object().if_contains("text");
  return text && text->is_string() ? std::string{text->get_string()} : std::string{};
}

/// The asked boards, and events of no board.
std::string board_list(std::vector<std::string> const& boards) {
  json::array list{""};
  for (auto const& board : boards) list.emplace_back(board);
  return json::serialize(list);
}

}  // namespace

std::int64_t Transaction::append(core::Event event) {
  before_write();
  event.seq = ++numbers_->seq;
  if (mirror_) mirror_->appending(*this, event);
  db_.run(kAdd, event.seq, event.ts, core::to_text(event.actor), Kind::write(event.kind), event.board,
          event.task, event.run, unless_empty(event.from), unless_empty(event.to), unless_empty(event.data),
          unless_empty(event.mutation));
  if (event.kind != core::EventKind::task_noted) return event.seq;
  if (auto const text = note_text(event.data); !text.empty()) {
    db_.run(kNoteAdd, event.seq, text);
    db_.run(kSearchNew, -event.seq);
  }
  return event.seq;
}

std::vector<core::Event> Transaction::events(EventFilter const& filter) {
  auto sql = kSelect.text();
  if (!filter.boards.empty()) sql += kBoards.text();
  if (filter.task) sql += kTask.text();
  if (filter.kind) sql += kKind.text();
  if (filter.since) sql += kSince.text();
  sql += filter.newest ? kNewest.text() : kOldest.text();

  auto row = db_.assembled(sql);
  std::optional<std::string_view> kind;
  if (filter.kind) kind = Kind::write(*filter.kind);
  row.bind_all(filter.after, board_list(filter.boards), filter.task, kind, filter.since, filter.limit);
  std::vector<core::Event> out;
  while (row.step()) out.push_back(event_in(row));
  if (filter.newest) std::ranges::reverse(out);
  return out;
}

std::int64_t Transaction::last_seq() {
  if (rights_ == Rights::write) return numbers_->seq;
  auto row = db_.query(kLastSeq);
  return row.step() ? row.integer(0) : 0;
}

}  // namespace andon::store::sqlite
