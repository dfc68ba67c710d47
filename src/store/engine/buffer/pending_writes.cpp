#include "store/engine/buffer/pending_writes.hpp"

#include <algorithm>
#include <iterator>

namespace andon::store::engine {
namespace {

bool has_no_counts(CountChanges const& counts) {
  auto const& flow = counts.flow;
  return flow.moves.empty() && flow.finished.empty() && flow.spreads.empty() && flow.runs.empty() &&
         counts.tallies.empty() && !counts.counted_until;
}

bool has_relations(core::Task const& task) {
  return task.parent || !task.depends_on.empty() || task.state.reviews != 0;
}

bool has_no_records(Records const& records) {
  return records.guards.empty() && records.automations.empty() && records.tokens.empty() &&
         records.remembered.empty() && records.settings.empty() && records.settling.empty();
}

}  // namespace

bool touches_relations(TaskChange const& change) {
  return has_relations(*change.task) || (change.before && has_relations(*change.before));
}

bool PendingWrites::can_wait(Writes const& writes) {
  bool const changes_boards =
      !writes.boards.empty() || !writes.boards_removed.empty() || !writes.settled.empty() || writes.reshaped;
  bool const changes_workers = !writes.workers.empty() || !writes.workers_removed.empty();
  bool const changes_sets = !writes.derived.empty() || !writes.promoted.empty() || !writes.claims.empty() ||
                            !writes.erased.empty() || !writes.forgotten.empty();
  bool const changes_others =
      !writes.runs.empty() || !writes.automations_removed.empty() || writes.numbers.has_value();
  return !changes_boards && !changes_workers && !changes_sets && !changes_others &&
         has_no_counts(writes.counts) && has_no_records(writes.records);
}

void PendingWrites::add(Writes const& writes) {
  for (auto const& change : writes.tasks) add(change);
  std::ranges::copy(writes.events, std::back_inserter(events_));
  std::ranges::copy(writes.loads, std::back_inserter(loads_));
}

/// The first of two changes knows how the task is stored.
void PendingWrites::add(TaskChange const& change) {
  if (change.with_body) body_bytes_ += change.task->body.size();
  auto const first = tasks_.begin() + static_cast<std::ptrdiff_t>(mark_.tasks);
  auto const found = std::find_if(first, tasks_.end(),
                                  [&](PendingTask const& one) { return one.task.id == change.task->id; });
  if (found == tasks_.end()) {
    auto& added =
        tasks_.emplace_back(*change.task, std::nullopt, change.board, *change.derived, change.with_body);
    if (change.before) added.before = *change.before;
    if (change.sketch) added.sketch = *change.sketch;
    return;
  }
  auto body = change.with_body ? change.task->body : std::move(found->task.body);
  found->task = *change.task;
  found->task.body = std::move(body);
  found->board = change.board;
  found->derived = *change.derived;
  found->with_body |= change.with_body;
  if (change.sketch) found->sketch = *change.sketch;
}

bool PendingWrites::has(core::TaskId id) const {
  return std::ranges::any_of(tasks_, [&](PendingTask const& one) { return one.task.id == id; });
}

bool PendingWrites::touches_relations() const {
  return std::ranges::any_of(tasks_, [](PendingTask const& one) {
    return has_relations(one.task) || (one.before && has_relations(*one.before));
  });
}

void PendingWrites::mark() { mark_ = {tasks_.size(), events_.size(), loads_.size()}; }

void PendingWrites::undo_to_mark() {
  tasks_.resize(mark_.tasks);
  events_.resize(mark_.events);
  loads_.resize(mark_.loads);
  mark_ = {};
}

Writes PendingWrites::writes(Sizes const& from, Sizes const& to) const {
  Writes out;
  for (auto i = from.tasks; i < to.tasks; ++i) {
    auto const& one = tasks_[i];
    out.tasks.push_back({&one.task, one.before ? &*one.before : nullptr, one.board, &one.derived,
                         one.with_body, one.sketch ? &*one.sketch : nullptr});
  }
  auto const copy = [](auto const& all, std::size_t first, std::size_t last, auto& into) {
    for (auto i = first; i < last; ++i) into.push_back(all[i]);
  };
  copy(events_, from.events, to.events, out.events);
  copy(loads_, from.loads, to.loads, out.loads);
  return out;
}

void PendingWrites::clear() {
  tasks_.clear();
  events_.clear();
  loads_.clear();
  mark_ = {};
  body_bytes_ = 0;
}

bool PendingWrites::touches_claims_of(std::string_view holder) const {
  return std::ranges::any_of(tasks_, [&](PendingTask const& pending) {
    return pending.task.claimed_by == holder || (pending.before && pending.before->claimed_by == holder);
  });
}

}  // namespace andon::store::engine
