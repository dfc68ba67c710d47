#include "store/engine/buffer/known_answers.hpp"

#include <algorithm>
#include <utility>

#include "store/engine/buffer/pending_writes.hpp"

namespace andon::store::engine {
namespace {

constexpr std::size_t kMostKnown = 256;

/// True when the changes are of more than single tasks.
bool changes_sets(Writes const& writes) {
  bool const changes_boards =
      !writes.boards.empty() || !writes.boards_removed.empty() || !writes.settled.empty() || writes.reshaped;
  return changes_boards || !writes.derived.empty() || !writes.promoted.empty() || !writes.claims.empty() ||
         !writes.erased.empty() || !writes.forgotten.empty();
}

bool is_claim_of_holder(core::Task const& task) {
  using enum core::Stage;
  return !task.claimed_by.empty() && (task.stage == ready || task.stage == claimed || task.stage == active);
}

/// Makes the row what a session would read after the change; its body stays.
void follow_in(TaskRow& row, TaskChange const& change) {
  auto body = std::move(row.task.body);
  row.task = *change.task;
  core::strip_told(row.task);
  row.task.board.clear();
  row.task.body = std::move(body);
  row.board = change.board;
  row.pickable_at = change.derived->available_at;
  row.queue_key = change.derived->queue_key;
}

/// The place in the map for a new entry; a full map is emptied first.
template <class Map, class Key, class Value>
auto& put(Map& map, Key const& key, Value value) {
  if (map.size() >= kMostKnown) map.clear();
  return map.insert_or_assign(key, std::move(value)).first->second;
}

template <class Map, class Key>
auto const* find(Map const& map, Key const& key) {
  auto const found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

LinksQuery KnownAnswers::all_links_of(std::vector<core::TaskId> tasks) {
  return {.tasks = std::move(tasks),
          .dependents = true,
          .children = true,
          .progress = true,
          .open_review = true,
          .most = kMostLinks};
}

void KnownAnswers::follow(Writes const& writes) {
  if (changes_sets(writes)) forget();
  if (!writes.runs.empty()) live_runs_.reset();
  for (auto const& change : writes.tasks) follow(change);
}

void KnownAnswers::follow(TaskChange const& change) {
  auto const& derived = *change.derived;
  queues_.follow(change);
  if (touches_relations(change)) links_.clear();
  if (derived.available == 2 && nothing_due_until_)
    nothing_due_until_ = std::min(*nothing_due_until_, *derived.available_at);
  follow_task(change);
  follow_claims(change);
}

void KnownAnswers::follow_task(TaskChange const& change) {
  auto const known = tasks_.find(change.task->id);
  if (known == tasks_.end()) return;
  if (change.with_body) {
    tasks_.erase(known);
    return;
  }
  follow_in(known->second, change);
}

void KnownAnswers::follow_claims(TaskChange const& change) {
  auto const drop = [&](std::string const& holder) {
    if (auto const known = claims_.find(holder); known != claims_.end())
      std::erase_if(known->second, [&](TaskRow const& row) { return row.task.id == change.task->id; });
  };
  auto const& task = *change.task;
  if (change.before) drop(change.before->claimed_by);
  drop(task.claimed_by);
  auto const known = claims_.find(task.claimed_by);
  if (known == claims_.end() || !is_claim_of_holder(task)) return;
  auto const place =
      std::ranges::upper_bound(known->second, task.id, {}, [](TaskRow const& row) { return row.task.id; });
  follow_in(*known->second.emplace(place), change);
}

std::optional<std::vector<Candidate>> KnownAnswers::candidates(CandidatesQuery const& query) const {
  return queues_.find(query);
}

void KnownAnswers::keep(CandidatesQuery const& query, std::vector<Candidate> const& rows) {
  queues_.keep(query, rows);
}

TaskRow const* KnownAnswers::task(core::TaskId id) const { return find(tasks_, id); }

void KnownAnswers::keep_with_body(TaskRow row) {
  auto const id = row.task.id;
  put(tasks_, id, std::move(row));
}

Links const* KnownAnswers::links(core::TaskId id) const { return find(links_, id); }

bool KnownAnswers::keep(core::TaskId id, Links links) {
  if (links.dependents.size() >= kMostLinks || links.children.size() >= kMostLinks) return false;
  put(links_, id, std::move(links));
  return true;
}

std::vector<TaskRow> const* KnownAnswers::claims(std::string const& holder) const {
  return find(claims_, holder);
}

std::vector<TaskRow> const& KnownAnswers::keep_claims(std::string const& holder, std::vector<TaskRow> rows) {
  return put(claims_, holder, std::move(rows));
}

}  // namespace andon::store::engine
