// A commit is first begun, then finished, then durable (on the disk).
//
// 1. The writer calls `begin_commit` before each commit. From then on `await` makes readers wait for this
//    commit, because they may have seen it. A commit that fails is cancelled.
// 2. After the commit the writer calls `reach`, or leaves it to the flusher's thread. One sync makes all
//    finished commits durable.
// 3. A failed sync is mostly final: it stays `trouble`, no commit becomes durable after it, and `await`
// throws
//    it. When the disk works, only the commits of this sync are in doubt.

#include "store/engine/writer/durability.hpp"

#include <algorithm>
#include <utility>

#include "store/contract/unknown_result.hpp"

namespace andon::store::engine {
namespace {

bool goes_on_after(std::exception_ptr const& trouble) try {
  std::rethrow_exception(trouble);
} catch (UnknownResult const& error) {
  return error.disk() == UnknownResult::Disk::works;
} catch (StoreError const&) {
  return false;
}

}  // namespace

void Durability::begin_commit() {
  os::MutexLock const lock{mutex_};
  ++begun_;
}

void Durability::cancel_commit() {
  os::MutexLock const lock{mutex_};
  --begun_;
  settled_.notify_all();
}

std::int64_t Durability::begun() {
  os::MutexLock const lock{mutex_};
  return begun_;
}

bool Durability::is_durable(std::int64_t commit) {
  os::MutexLock const lock{mutex_};
  return commit <= durable_;
}

bool Durability::was_asked() {
  os::MutexLock const lock{mutex_};
  return was_asked_;
}

std::exception_ptr Durability::trouble() {
  os::MutexLock const lock{mutex_};
  return trouble_;
}

Durability::Reached Durability::reach(std::int64_t commit) {
  {
    os::MutexLock const lock{mutex_};
    was_asked_ = true;
    if (trouble_) return {trouble_};
    if (commit <= durable_) return {};
  }
  try {
    driver_.sync();
  } catch (StoreError const&) {
    return settle(commit, std::current_exception());
  }
  return settle(commit, nullptr);
}

Durability::Reached Durability::settle(std::int64_t commit, std::exception_ptr const& trouble) {
  os::MutexLock const lock{mutex_};
  bool const is_final = trouble && !goes_on_after(trouble);
  if (is_final)
    trouble_ = trouble;
  else
    durable_ = std::max(durable_, commit);
  if (trouble && !is_final) ++losses_, last_loss_ = trouble;
  settled_.notify_all();
  return {trouble, is_final};
}

void Durability::await() {
  os::MutexLock const lock{mutex_};
  auto const seen = begun_;
  auto const losses = losses_;
  bool const waits = durable_ < seen;
  while (durable_ < std::min(seen, begun_)) {
    if (trouble_) std::rethrow_exception(trouble_);
    settled_.wait(mutex_);
  }
  if (waits && losses != losses_) std::rethrow_exception(last_loss_);
}

}  // namespace andon::store::engine
