// 1. The writer calls `give` with the answers of the batch. `give` answers at once when all commits are
//    durable and no group waits. Otherwise it queues the group.
// 2. The flusher's thread takes all queued groups and brings their last commit to the disk. Then it answers
//    the groups in order and calls the listeners. Meanwhile the writer runs the next batch.
//
// After a sync that failed for good each later group is answered with the failure, and `failed_` ends the
// process.

#include "store/engine/writer/flusher.hpp"

#include <utility>

namespace andon::store::engine {

Flusher::Flusher(Durability& durability, Heard heard, Idle idle, Failed failed)
    : durability_(durability), heard_(std::move(heard)), idle_(std::move(idle)), failed_(std::move(failed)) {}

bool Flusher::is_busy() {
  os::MutexLock const lock{mutex_};
  return !groups_.empty() || is_flushing_;
}

void Flusher::give(Group group) {
  group.commit = durability_.begun();
  if (try_to_queue(group)) return given_.notify_one();
  answer(group, durability_.trouble());
}

bool Flusher::try_to_queue(Group& group) {
  bool const is_durable = durability_.is_durable(group.commit);
  os::MutexLock const lock{mutex_};
  bool const must_wait = !is_durable || !groups_.empty() || is_flushing_;
  if (!must_wait || is_closing_) return false;
  groups_.push_back(std::move(group));
  if (!thread_.joinable()) thread_ = std::thread{[this] { run(); }};
  return true;
}

void Flusher::close() {
  {
    os::MutexLock const lock{mutex_};
    is_closing_ = true;
    given_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void Flusher::run() {
  os::MutexLock lock{mutex_};
  for (;;) {
    while (!is_closing_ && groups_.empty()) given_.wait(mutex_);
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
  auto const [trouble, ends_writing] = durability_.reach(groups.back().commit);
  for (auto& group : groups) answer(group, trouble);
  if (ends_writing) failed_(trouble);
}

void Flusher::answer(Group& group, std::exception_ptr const& trouble) {
  for (auto& [done, own] : group.answers) done(own ? own : trouble);
  if (!trouble && group.seq != 0) heard_(group.seq);
}

}  // namespace andon::store::engine
