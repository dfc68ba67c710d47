// A changed task waits in `PendingWrites`. Each read first asks `KnownAnswers`; where these do not have the
// answer, all that waits is written if it may touch the answer, and the session behind answers. Changes of
// other kinds than tasks and events are rare: they are written at once.
//
// A page of a queue is read with what the picks of its tasks will ask for (`read_ahead`), so that a pick
// finds all of it.
//
// The mark of a unit costs nothing while its changes wait. When they are written, the mark is set in the
// database before them (`flush`).

#include "store/engine/buffer/buffered_session.hpp"

#include <algorithm>
#include <utility>

namespace andon::store::engine {

BufferedSession::BufferedSession(std::unique_ptr<Session> inner, Sharing sharing)
    : inner_(std::move(inner)), sharing_(sharing), files_(*inner_, [this] { flush_for_write(); }) {}

void BufferedSession::begin(Rights rights) {
  if (sharing_ != Sharing::alone) known_.forget();
  has_changed_ = false;
  inner_->begin(rights);
  if (inner_->state().has_foreign_changes) known_.forget();
}

void BufferedSession::commit() {
  flush();
  inner_->commit();
  mark_ = Mark::none;
  pending_.clear();
}

void BufferedSession::rollback() {
  if (std::exchange(has_changed_, false)) known_.forget();
  pending_.clear();
  mark_ = Mark::none;
  inner_->rollback();
}

void BufferedSession::set_mark() {
  pending_.mark();
  mark_ = Mark::in_buffer;
}

void BufferedSession::undo_to_mark() {
  known_.forget();
  pending_.undo_to_mark();
  if (std::exchange(mark_, Mark::none) == Mark::in_database) inner_->undo_to_mark();
}

std::vector<TaskRow> BufferedSession::tasks(TasksQuery const& query) {
  if (query.ids.size() == 1 && query.longest_body == kAll)
    if (auto const* known = known_.task(query.ids.front())) {
      std::vector<TaskRow> out{*known};
      if (!query.with_bodies) out.front().task.body.clear();
      return out;
    }
  bool const waits = std::ranges::any_of(query.ids, [&](auto id) { return pending_.has(id); });
  return waits ? flushed().tasks(query) : inner_->tasks(query);
}

std::vector<TaskRow> BufferedSession::tasks_in(TaskSet const& set) {
  if (set.kind != TaskSet::Kind::claimed_by || set.most != kAll) return flushed().tasks_in(set);
  std::vector<TaskRow> out;
  for (auto const& row : claims_of(set.name))
    if (!row.task.claim_expires || *row.task.claim_expires > set.at) out.push_back(row);
  return out;
}

std::vector<TaskRow> const& BufferedSession::claims_of(std::string const& holder) {
  if (auto const* known = known_.claims(holder)) return *known;
  auto& session = pending_.touches_claims_of(holder) ? flushed() : *inner_;
  return known_.keep_claims(
      holder,
      session.tasks_in({.kind = TaskSet::Kind::claimed_by, .name = holder, .at = core::Instant::min()}));
}

std::vector<Links> BufferedSession::links(LinksQuery const& query) {
  if (query.levels > 0 || query.tasks.size() != 1) return flushed().links(query);
  auto const task = query.tasks.front();
  if (auto const* known = known_.links(task)) return {*known};
  auto& session = pending_.touches_relations() ? flushed() : *inner_;
  auto all = session.links(KnownAnswers::all_links_of({task}));
  return known_.keep(task, all.front()) ? all : session.links(query);
}

std::vector<core::Run> BufferedSession::runs(RunsQuery const& query) {
  if (query.kind != RunsQuery::Kind::live) return inner_->runs(query);
  if (!known_.live_runs()) known_.keep_live_runs(inner_->runs(query));
  return *known_.live_runs();
}

std::vector<Candidate> BufferedSession::candidates(CandidatesQuery const& query) {
  if (!query.queue && !query.waiting_on) return due(query);
  if (query.queue)
    if (auto known = known_.candidates(query)) return *std::move(known);
  if (!QueuePages::can_keep(query)) return flushed().candidates(query);
  auto const page = QueuePages::to_read(query);
  auto rows = flushed().candidates(page);
  known_.keep(page, rows);
  read_ahead(rows);
  rows.resize(std::min(rows.size(), query.most));
  return rows;
}

/// Reads what the picks of these tasks will ask for. Nothing waits to be written.
void BufferedSession::read_ahead(std::vector<Candidate> const& page) {
  std::vector<core::TaskId> ids;
  for (auto const& one : page)
    if (!known_.task(one.key.id)) ids.push_back(one.key.id);
  if (ids.empty()) return;
  for (auto& row : inner_->tasks({ids, true, KnownAnswers::kLongestBody}))
    known_.keep_with_body(std::move(row));
  auto links = inner_->links(KnownAnswers::all_links_of(ids));
  for (std::size_t i = 0; i < ids.size(); ++i) known_.keep(ids[i], std::move(links[i]));
}

std::vector<Candidate> BufferedSession::due(CandidatesQuery const& query) {
  if (known_.is_nothing_due(query.due)) return {};
  known_.forget_due();
  auto rows = flushed().candidates(query);
  if (rows.empty())
    known_.keep_nothing_due_until(
        inner_->queues(AskNextTime{query.due}).next_time.value_or(core::Instant::max()));
  return rows;
}

bool BufferedSession::index_texts(std::int64_t least) {
  flush_for_write();
  return inner_->index_texts(least);
}

Removed BufferedSession::remove(Removal const& removal) {
  flush_for_write();
  return inner_->remove(removal);
}

void BufferedSession::write(Writes const& writes) {
  has_changed_ = true;
  known_.follow(writes);
  if (PendingWrites::can_wait(writes)) {
    pending_.add(writes);
    if (pending_.is_full()) flush();
    return;
  }
  flush_for_write();
  inner_->write(writes);
}

Session& BufferedSession::flushed() {
  flush();
  return *inner_;
}

/// Changes from before the mark, or without a mark, are those of other units too. When they are stored in
/// part, the whole transaction is given up. The changes after the mark are undone with their unit.
void BufferedSession::flush() try {
  if (pending_.is_empty()) return;
  if (mark_ == Mark::in_buffer) {
    if (pending_.has_any_before_mark()) inner_->write(pending_.before_mark());
    move_mark_to_database();
  }
  if (pending_.has_any_after_mark()) inner_->write(pending_.after_mark());
  pending_.clear();
} catch (...) {
  bool const is_of_unit_alone =
      mark_ == Mark::in_database || (mark_ == Mark::in_buffer && !pending_.has_any_before_mark());
  if (!is_of_unit_alone) rollback();
  throw;
}

void BufferedSession::flush_for_write() {
  has_changed_ = true;
  flush();
  move_mark_to_database();
}

void BufferedSession::move_mark_to_database() {
  if (mark_ != Mark::in_buffer) return;
  inner_->set_mark();
  mark_ = Mark::in_database;
}

}  // namespace andon::store::engine
