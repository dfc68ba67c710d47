// Any thread puts units into one of two queues with `submit`; `arrived_` wakes the writer's thread. The
// writer waits with `await` between batches, and with `await_more` while a batch is open. It takes both
// queues at once with `take`. Within a batch it takes again as soon as `has_urgent`, so that urgent units run
// next. `close` ends the waits; what was queued before is still taken.

#include "store/engine/writer/commit_queue.hpp"

#include <utility>

#include "store/contract/store_error.hpp"
#include "store/contract/writer_times.hpp"

namespace andon::store::engine {
namespace {

constexpr std::size_t kQueue = 4096;

}  // namespace

void CommitQueue::submit(Submission unit) {
  bool is_closing = false;
  if (try_to_queue(unit, is_closing)) return arrived_.notify_one();
  // outside the lock, which the woken thread takes at once
  unit.done(std::make_exception_ptr(
      is_closing ? StoreError{StoreError::Kind::other, "the store is closed"}
                 : StoreError{StoreError::Kind::busy, "too many writes are waiting; try again"}));
}

bool CommitQueue::try_to_queue(Submission& unit, bool& is_closing) {
  bool const is_urgent = unit.kind.urgency == Urgency::urgent;
  os::MutexLock const lock{mutex_};
  auto& queue = is_urgent ? urgent_ : usual_;
  is_closing = is_closing_;
  if (is_closing || queue.size() >= kQueue) return false;
  if (is_urgent) unit.done = timed(std::move(unit.done));
  queue.push_back(std::move(unit));
  if (is_urgent) has_urgent_ = true;
  return true;
}

/// Measures the wait for an urgent unit, which includes the batch and the disk.
Done CommitQueue::timed(Done done) {
  return [this, came = os::SteadyClock::now(), done = std::move(done)](std::exception_ptr trouble) mutable {
    times_.note_urgent(std::chrono::duration_cast<std::chrono::microseconds>(os::SteadyClock::now() - came));
    done(std::move(trouble));
  };
}

void CommitQueue::close() {
  os::MutexLock const lock{mutex_};
  is_closing_ = true;
  arrived_.notify_one();
}

void CommitQueue::wake() {
  {
    os::MutexLock const lock{mutex_};
  }
  arrived_.notify_one();
}

bool CommitQueue::await(std::optional<Moment> until) {
  os::MutexLock const lock{mutex_};
  while (!has_news()) {
    if (until && os::SteadyClock::now() >= *until) return false;
    if (until)
      arrived_.wait_until(mutex_, *until);
    else
      arrived_.wait(mutex_);
  }
  return true;
}

bool CommitQueue::await_more(std::function<bool()> const& goes_on) {
  os::MutexLock const lock{mutex_};
  bool does_go_on = goes_on();
  while (!has_news() && does_go_on) {
    arrived_.wait(mutex_);
    does_go_on = goes_on();
  }
  return does_go_on;
}

bool CommitQueue::is_any_waiting() {
  os::MutexLock const lock{mutex_};
  return !usual_.empty() || !urgent_.empty();
}

CommitQueue::Arrivals CommitQueue::take() {
  os::MutexLock const lock{mutex_};
  has_urgent_ = false;
  return {std::exchange(urgent_, {}), std::exchange(usual_, {}), is_closing_};
}

}  // namespace andon::store::engine
