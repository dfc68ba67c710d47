#include <algorithm>

#include "store/sql/rows/task_row.hpp"
#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

using engine::Candidate;
using engine::Part;
using engine::Queue;
using engine::QueueFacts;

Query const kApproved{"pick_approved"};
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

/// No page of a queue is larger.
constexpr std::size_t kMostReserved = 128;

/// The key stands after the columns of the task, which have its last two parts.
Candidate candidate_in(Statement const& row) {
  Candidate out;
  out.row = row_in(row);
  out.key = {static_cast<int>(row.integer(kTaskColumnCount)),
             static_cast<int>(row.integer(kTaskColumnCount + 1)),
             static_cast<int>(row.integer(kTaskColumnCount + 2)), out.row.task.rank, out.row.task.id};
  return out;
}

std::vector<Candidate> candidates_in(Statement rows, std::size_t most) {
  std::vector<Candidate> out;
  out.reserve(std::min(most, kMostReserved));
  while (rows.step()) out.push_back(candidate_in(rows));
  return out;
}

std::int64_t number_in(Statement row) { return row.step() ? row.integer(0) : 0; }

void answer(Connection& db, engine::AskQueueCount const& ask, QueueFacts& out) {
  auto const& queue = ask.queue;
  if (!ask.before) {
    out.count = number_in(db.query(kWaiting, queue.board, queue.column, queue.queue_key, ask.most));
    return;
  }
  auto const& key = *ask.before;
  out.count =
      number_in(db.query(queue.tag.empty() ? kBefore : kBeforeTag, queue.board, queue.column, queue.queue_key,
                         key.class_rank, key.due, key.priority_rank, key.rank, key.id, ask.most, queue.tag));
}

void answer(Connection& db, engine::AskQueueKeys const& ask, QueueFacts& out) {
  std::string last;
  while (static_cast<std::int64_t>(out.keys.size()) < ask.most) {
    auto row = db.query(kNextQueue, ask.board, ask.column, last);
    if (!row.step() || row.is_null(0)) return;
    last = row.text(0);
    out.keys.push_back(last);
  }
}

void answer(Connection& db, engine::AskNextTime const& ask, QueueFacts& out) {
  auto row = db.query(kNextTime, ask.now);
  if (!row.step()) return;
  auto const pickable = row.maybe_instant(0), claim_end = row.maybe_instant(1);
  if (!pickable && !claim_end) return;
  out.next_time = std::min(pickable.value_or(core::Instant::max()), claim_end.value_or(core::Instant::max()));
}

void answer(Connection& db, engine::AskRankBeside const& ask, QueueFacts& out) {
  auto const& key = ask.key;
  auto row = db.query(ask.side == Side::after ? kRankAfter : kRankBefore, ask.board, ask.column,
                      key.class_rank, key.due, key.priority_rank, ask.but, key.rank);
  if (row.step()) out.rank = row.text(0);
}

}  // namespace

std::vector<Candidate> SqlSession::candidates(engine::CandidatesQuery const& query) {
  auto const& from = query.from;
  if (query.waiting_on)
    return candidates_in(db_.query(kApproved, *query.waiting_on, from.class_rank, from.due,
                                   from.priority_rank, from.rank, from.id, query.most),
                         query.most);
  if (!query.queue) return candidates_in(db_.query(kDueNow, query.due), 0);
  auto const& queue = *query.queue;
  return candidates_in(
      db_.query(probe_of(queue), queue.board, queue.column, queue.queue_key, queue.class_rank, queue.tag,
                from.class_rank, from.due, from.priority_rank, from.rank, from.id, query.most),
      query.most);
}

engine::QueueFacts SqlSession::queues(engine::QueueQuestion const& question) {
  QueueFacts out;
  std::visit([&](auto const& ask) { answer(db_, ask, out); }, question);
  return out;
}

}  // namespace andon::store::sql
