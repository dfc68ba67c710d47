// `run` is the middle of a batch: the transaction has begun, and is committed later.
//
// - It runs waiting units in turn until there are `kBatch` or `kBatchTime` has passed. Units that are left
//   wait for the next batch. Before each unit it lets urgent ones pass.
// - While the last batch waits for the disk, it lets arriving units join this batch. So there are no more
//   commits than syncs.
// - At the end it writes the changes that wait in memory, so that parked units have only their own to write.
// - When the transaction is spoiled, all units that ran go back to the front and run again, each alone. The
//   changes that they made are forgotten.

#include "store/engine/writer/batch.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace andon::store::engine {
namespace {

constexpr std::size_t kBatch = 256;
constexpr auto kBatchTime = std::chrono::milliseconds{5};

}  // namespace

void Batch::add(CommitQueue::Arrivals arrivals) {
  std::ranges::move(arrivals.urgent | std::views::reverse, std::front_inserter(waiting_));
  std::ranges::move(arrivals.usual, std::back_inserter(waiting_));
}

Answers Batch::run(std::function<bool()> const& is_disk_busy) {
  auto const unseen_before = parking_.unseen();
  do run_first(kBatch, BatchTransaction::Undo::with_batch);
  while (more_join(is_disk_busy));
  transaction_.settle();
  if (!transaction_.is_spoiled() || transaction_.lost()) return {};
  parking_.unseen() = unseen_before;
  return run_each_alone();
}

Answers Batch::run_each_alone() {
  auto const again = ran_.size();
  for (auto& ran : ran_ | std::views::reverse) waiting_.push_front(std::move(ran.unit));
  ran_.clear();
  if (!transaction_.start_over(parking_.unseen())) return refuse();
  run_first(again, BatchTransaction::Undo::alone);
  return {};
}

bool Batch::more_join(std::function<bool()> const& is_disk_busy) {
  if (transaction_.lost() || transaction_.is_spoiled()) return false;
  if (ran_.empty() || ran_.size() >= kBatch || !waiting_.empty()) return false;
  if (!queue_.await_more(is_disk_busy)) return false;
  add(queue_.take());
  return !waiting_.empty();
}

void Batch::run_first(std::size_t most, BatchTransaction::Undo undo) {
  auto const start = os::SteadyClock::now();
  for (bool is_first = true;
       !waiting_.empty() && ran_.size() < most && !transaction_.lost() && !transaction_.is_spoiled();
       is_first = false) {
    if (!is_first && os::SteadyClock::now() - start > kBatchTime) return;
    if (queue_.has_urgent()) add(queue_.take());
    Ran ran{std::move(waiting_.front())};
    waiting_.pop_front();
    ran.result = transaction_.attempt(ran.unit, Turn::usual,
                                      transaction_.writes_files() ? BatchTransaction::Undo::alone : undo,
                                      parking_.unseen());
    parking_.unseen().add(std::move(ran.result.changes));
    ran_.push_back(std::move(ran));
  }
}

Answers Batch::take_ran() {
  Answers answers;
  auto ran = std::exchange(ran_, {});
  for (auto& [unit, result] : ran)
    if (result.waits)
      parking_.park(std::move(unit), std::move(result), os::SteadyClock::now());
    else
      answers.push_back({std::move(unit.done), std::move(result.trouble)});
  return answers;
}

Answers Batch::refuse() {
  auto const& trouble = transaction_.lost();
  Answers answers;
  for (auto& unit : waiting_) answers.push_back({std::move(unit.done), trouble});
  waiting_.clear();
  std::ranges::move(parking_.refuse(trouble, os::SteadyClock::now(), transaction_.is_stopped()),
                    std::back_inserter(answers));
  return answers;
}

}  // namespace andon::store::engine
