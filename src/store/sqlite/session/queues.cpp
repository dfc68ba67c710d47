#include "store/sqlite/rows/task_row.hpp"
#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

using engine::Candidate;
using engine::Part;
using engine::Queue;

Query const kDueNow{"pick_due_now"};
Query const kNextTime{"pick_next_time"};
Query const kWaiting{"pick_waiting"};
Query const kBefore{"pick_before"};
Query const kBeforeTag{"pick_before_tag"};
Query const kNextQueue{"pick_next_queue"};
Query const kRankAfter{"rank_after"};
Query const kRankBefore{"rank_before"};

/// The statements for a queue: one for a whole column and lane, one for a single tag in it.
struct Probe {
  Query all;
  Query of_tag;
};
Probe const kProbeAll{Query{"pick_probe"}, Query{"pick_probe_tag"}};
Probe const kFirstClass{Query{"pick_probe_class"}, Query{"pick_probe_tag_class"}};
Probe const kOtherClasses{Query{"pick_probe_others"}, Query{"pick_probe_tag_others"}};

Query const& probe_of(Queue const& queue) {
  auto const& probe = [&]() -> Probe const& {
    switch (queue.part) {
      case Part::first_class: return kFirstClass;
      case Part::other_classes: return kOtherClasses;
      case Part::all: break;
    }
    return kProbeAll;
  }();
  return queue.tag.empty() ? probe.all : probe.of_tag;
}

/// The key stands after the columns of the task, which have its last two parts.
Candidate candidate_in(Statement const& row) {
  Candidate out;
  out.row = row_in(row);
  out.key = {static_cast<int>(row.integer(kTaskColumnCount)),
             static_cast<int>(row.integer(kTaskColumnCount + 1)),
             static_cast<int>(row.integer(kTaskColumnCount + 2)), out.row.task.rank, out.row.task.id};
  return out;
}

std::vector<Candidate> candidates_in(Statement rows) {
  std::vector<Candidate> out;
  while (rows.step()) out.push_back(candidate_in(rows));
  return out;
}

std::int64_t number_in(Statement row) { return row.step() ? row.integer(0) : 0; }

}  // namespace

std::vector<Candidate> SqliteSession::candidates(engine::CandidatesQuery const& query) {
  if (!query.queue) return candidates_in(db_.query(kDueNow, query.due));
  auto const& queue = *query.queue;
  auto const& from = query.from;
  return candidates_in(db_.query(probe_of(queue), queue.board, queue.column, queue.queue_key,
                                 queue.class_rank, queue.tag, from.class_rank, from.due, from.priority_rank,
                                 from.rank, from.id, query.most));
}

std::int64_t SqliteSession::count_queue(engine::QueueCount const& query) {
  auto const& queue = query.queue;
  if (!query.before)
    return number_in(db_.query(kWaiting, queue.board, queue.column, queue.queue_key, query.most));
  auto const& key = *query.before;
  return number_in(db_.query(queue.tag.empty() ? kBefore : kBeforeTag, queue.board, queue.column,
                             queue.queue_key, key.class_rank, key.due, key.priority_rank, key.rank, key.id,
                             query.most, queue.tag));
}

std::vector<std::string> SqliteSession::queue_keys(core::BoardId board, std::string const& column,
                                                   std::int64_t most) {
  std::vector<std::string> out;
  std::string last;
  while (static_cast<std::int64_t>(out.size()) < most) {
    auto row = db_.query(kNextQueue, board, column, last);
    if (!row.step() || row.is_null(0)) break;
    last = row.text(0);
    out.push_back(last);
  }
  return out;
}

std::optional<core::Instant> SqliteSession::next_time(core::Instant now) {
  auto row = db_.query(kNextTime, now);
  if (!row.step()) return std::nullopt;
  auto const pickable = row.maybe_instant(0), claim_end = row.maybe_instant(1);
  if (!pickable && !claim_end) return std::nullopt;
  return std::min(pickable.value_or(core::Instant::max()), claim_end.value_or(core::Instant::max()));
}

std::string SqliteSession::rank_beside(engine::RankQuery const& query) {
  auto row =
      db_.query(query.side == Side::after ? kRankAfter : kRankBefore, query.board, query.column,
                query.key.class_rank, query.key.due, query.key.priority_rank, query.but, query.key.rank);
  return row.step() ? row.text(0) : std::string{};
}

}  // namespace andon::store::sqlite
