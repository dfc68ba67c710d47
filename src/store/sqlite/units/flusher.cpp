// A commit is first begun, then finished, then durable (on the disk). `begun_` and `durable_` hold the last
// commit in each state.
//
// 1. The writer calls `begin_commit` before each commit. From then on `await` makes readers wait for this
//    commit, because they may have seen it.
// 2. After the commit the writer calls `sync` on its own thread, or leaves the sync to the flusher's thread.
// 3. The writer calls `give` with the answers of the batch. `give` answers at once when all commits are
//    durable and no group waits. Otherwise it queues the group.
// 4. The flusher's thread takes all queued groups and syncs the disk once, unless a sync has covered their
//    last commit already. Then it answers the groups in order and calls the listeners. Meanwhile the writer
//    runs the next batch.
//
// A failed sync is final: each later group is answered with the failure, and `failed_` ends the process.

#include "store/sqlite/units/flusher.hpp"

#include <algorithm>
#include <utility>

namespace andon::store::sqlite {

Flusher::Flusher(engine::Driver& driver, Heard heard, Idle idle, Failed failed)
    : driver_(driver), heard_(std::move(heard)), idle_(std::move(idle)), failed_(std::move(failed)) {}

void Flusher::begin_commit() {
  std::scoped_lock const lock{mutex_};
  ++begun_;
}

void Flusher::cancel_commit() {
  std::scoped_lock const lock{mutex_};
  --begun_;
  settled_.notify_all();
}

bool Flusher::is_busy() const {
  std::scoped_lock const lock{mutex_};
  return !groups_.empty() || is_flushing_;
}

std::exception_ptr Flusher::trouble() const {
  std::scoped_lock const lock{mutex_};
  return trouble_;
}

void Flusher::sync() {
  auto const commit = [&] {
    std::scoped_lock const lock{mutex_};
    if (trouble_) std::rethrow_exception(trouble_);
    return begun_;
  }();
  try {
    driver_.sync();
  } catch (StoreError const&) {
    settle(commit, std::current_exception());
    throw;
  }
  settle(commit, nullptr);
}

void Flusher::give(Group group) {
  std::unique_lock lock{mutex_};
  group.commit = begun_;
  bool const must_wait = begun_ > durable_ || !groups_.empty() || is_flushing_;
  if (must_wait && !is_closing_) {
    groups_.push_back(std::move(group));
    if (!thread_.joinable()) thread_ = std::thread{[this] { run(); }};
    lock.unlock();
    return given_.notify_one();
  }
  auto const failure = trouble_;
  lock.unlock();
  answer(group, failure);
}

void Flusher::await() {
  std::unique_lock lock{mutex_};
  auto const seen = begun_;
  auto const is_durable = [&] { return durable_ >= std::min(seen, begun_); };
  settled_.wait(lock, [&] { return is_durable() || trouble_; });
  if (!is_durable()) std::rethrow_exception(trouble_);
}

void Flusher::close() {
  {
    std::scoped_lock const lock{mutex_};
    is_closing_ = true;
    given_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void Flusher::run() {
  std::unique_lock lock{mutex_};
  for (;;) {
    given_.wait(lock, [&] { return is_closing_ || !groups_.empty(); });
    if (groups_.empty()) return;
    is_flushing_ = true;
    auto groups = std::exchange(groups_, {});
    lock.unlock();
    flush(std::move(groups));
    lock.lock();
    is_flushing_ = false;
    if (!groups_.empty()) continue;
    lock.unlock();
    idle_();
    lock.lock();
  }
}

void Flusher::flush(std::vector<Group> groups) {
  auto failure = trouble();
  bool const was_well = !failure;
  auto const last = groups.back().commit;
  if (was_well && !is_durable(last)) try {
      driver_.sync();
    } catch (StoreError const&) {
      failure = std::current_exception();
    }
  settle(last, failure);
  for (auto& group : groups) answer(group, failure);
  if (failure && was_well) failed_(failure);
}

bool Flusher::is_durable(std::int64_t commit) const {
  std::scoped_lock const lock{mutex_};
  return commit <= durable_;
}

void Flusher::answer(Group& group, std::exception_ptr const& trouble) {
  for (auto& [done, own] : group.answers) done(own ? own : trouble);
  if (!trouble && group.seq != 0) heard_(group.seq);
}

void Flusher::settle(std::int64_t commit, std::exception_ptr const& trouble) {
  std::scoped_lock const lock{mutex_};
  if (trouble)
    trouble_ = trouble;
  else
    durable_ = std::max(durable_, commit);
  settled_.notify_all();
}

}  // namespace andon::store::sqlite
