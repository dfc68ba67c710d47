#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "reflect/text.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

namespace json = boost::json;
using KindForm = reflect::TextForm<core::EventKind>;

Query const kEventAdd{"event_add"};
Query const kAbandonedAdd{"abandoned_add"};
Query const kEventsWalk{"events_walk"};
Query const kEventsWalkBack{"events_walk_back"};
Query const kNextBoard{"event_next_board"};
Query const kBySeq{"event_by_seq"};
Query const kTimeFrom{"event_time_from"};
Query const kSelect{"events_select"};
Query const kEventBoards{"events_boards"};
Query const kTask{"events_task"};
Query const kKind{"events_kind"};
Query const kSince{"events_since"};
Query const kOldest{"events_oldest"};
Query const kNewest{"events_newest"};
Query const kNoteAdd{"note_add"};

/// A history of at most this many events is walked in order, whatever the filter. The events that a stream
/// has not seen yet are fewer.
constexpr std::int64_t kShortHistory = 5'000;

core::Event event_in(Statement const& row) {
  core::Event event;
  event.seq = core::EventSeq{row.integer(0)};
  event.ts = row.instant(1);
  event.actor = core::parse_actor(row.view(2)).value_or(core::Actor{});
  KindForm::read(row.view(3), event.kind);
  event.board = row.text(4);
  event.task = row.maybe_id<core::TaskId>(5);
  event.run = row.maybe_id<core::RunId>(6);
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

/// The asked boards and the empty name, for events of no board.
std::string board_list(std::vector<std::string> const& boards) {
  json::array list{""};
  for (auto const& board : boards) list.emplace_back(board);
  return json::serialize(list);
}

/// Walks the history of a task, or of the whole store.
std::vector<core::Event> events_in_order(Connection& db, EventFilter const& filter) {
  auto sql = db.text(kSelect);
  if (!filter.boards.empty()) sql += db.text(kEventBoards);
  if (filter.task) sql += db.text(kTask);
  if (filter.kind) sql += db.text(kKind);
  if (filter.since) sql += db.text(kSince);
  sql += db.text(filter.newest ? kNewest : kOldest);

  auto row = db.assembled(sql);
  std::optional<std::string_view> kind;
  if (filter.kind) kind = KindForm::write(*filter.kind);
  row.bind_all(filter.after, board_list(filter.boards), filter.task, kind, filter.since, filter.limit);
  std::vector<core::Event> out;
  while (row.step()) out.push_back(event_in(row));
  if (filter.newest) std::ranges::reverse(out);
  return out;
}

/// The asked boards and the empty name, for events of no board. All boards of the history when none is asked
/// for.
std::vector<std::string> boards_to_walk(Connection& db, EventFilter const& filter) {
  std::vector<std::string> out{""};
  if (!filter.boards.empty()) {
    out.insert(out.end(), filter.boards.begin(), filter.boards.end());
    return out;
  }
  for (;;) {
    auto row = db.query(kNextBoard, out.back());
    if (!row.step() || row.is_null(0)) return out;
    out.push_back(row.text(0));
  }
}

std::vector<std::string_view> kinds_to_walk(EventFilter const& filter) {
  if (filter.kind) return {KindForm::write(*filter.kind)};
  return {core::kEventKindNames.begin(), core::kEventKindNames.end()};
}

/// Merges one walk per board and kind; each walk has its events in order.
std::vector<core::Event> events_by_index(Connection& db, EventFilter const& filter) {
  std::vector<std::string> const boards = boards_to_walk(db, filter);
  std::vector<Statement> walks;
  auto const is_later = [&](auto const& a, auto const& b) { return filter.newest ? a < b : a > b; };
  std::vector<std::pair<core::EventSeq, std::size_t>> heads;  // a heap: the next event of each walk
  auto const advance = [&](std::size_t walk) {
    if (!walks[walk].step()) return;
    heads.emplace_back(core::EventSeq{walks[walk].integer(0)}, walk);
    std::ranges::push_heap(heads, is_later);
  };
  for (auto const& board : boards)
    for (auto const kind : kinds_to_walk(filter)) {
      walks.push_back(db.query(filter.newest ? kEventsWalkBack : kEventsWalk, board, kind, filter.after));
      advance(walks.size() - 1);
    }
  std::vector<core::Event> out;
  while (!heads.empty() && out.size() < filter.limit) {
    std::ranges::pop_heap(heads, is_later);
    auto const [seq, walk] = heads.back();
    heads.pop_back();
    advance(walk);
    auto row = db.query(kBySeq, seq);
    if (!row.step()) continue;
    if (auto event = event_in(row); !filter.since || event.ts >= *filter.since)
      out.push_back(std::move(event));
  }
  if (filter.newest) std::ranges::reverse(out);
  return out;
}

/// A number before all events that happened at or after the time. Times rise with the numbers, except when
/// the clock was set back, for which the search allows two hours.
core::EventSeq last_seq_before(Connection& db, core::Instant at, core::EventSeq last) {
  constexpr auto kClockStep = std::chrono::hours{2};
  std::int64_t low = 0, high = last;
  while (low < high) {
    auto const middle = low + (high - low) / 2;
    auto row = db.query(kTimeFrom, middle + 1);
    if (row.step() && row.instant(1) < at - kClockStep)
      low = row.integer(0);
    else
      high = middle;
  }
  return core::EventSeq{low};
}

}  // namespace

void SqlSession::append(engine::AppendedEvent const& appended) {
  auto const& event = appended.event;
  db_.run(kEventAdd, event.seq, event.ts, core::to_text(event.actor), KindForm::write(event.kind),
          event.board, event.task, event.run, unless_empty(event.from), unless_empty(event.to),
          unless_empty(event.data), unless_empty(event.mutation));
  if (appended.is_abandoned) db_.run(kAbandonedAdd, event.task, event.ts);
  if (appended.note.empty()) return;
  db_.run(kNoteAdd, event.seq, appended.note);
  note_text_new(appended);
}

std::vector<core::Event> SqlSession::events(EventFilter const& given) {
  auto filter = given;
  bool const is_narrowed = filter.kind || !filter.boards.empty();
  if (!filter.since && (!is_narrowed || filter.task)) return events_in_order(db_, filter);
  auto const last = last_seq(db_);
  if (filter.since) filter.after = std::max(filter.after, last_seq_before(db_, *filter.since, last));
  if (is_narrowed && !filter.task && last - filter.after > kShortHistory) return events_by_index(db_, filter);
  return events_in_order(db_, filter);
}

}  // namespace andon::store::sql
