#pragma once

#include <atomic>
#include <deque>
#include <functional>

#include "os/processes/mutex.hpp"
#include "store/engine/writer/submission.hpp"

namespace andon::store::engine {

/// The units that wait for the writer. All threads submit, the writer's thread takes.
class CommitQueue {
 public:
  /// Units in the order of their arrival.
  struct Arrivals {
    std::deque<Submission> urgent;
    std::deque<Submission> usual;
    bool is_closing = false;  ///< no further units come
  };

  /// The times are not owned.
  explicit CommitQueue(WriterTimes& times) : times_(times) {}

  // On any thread
  /// Calls `done` with the reason when the unit cannot be queued.
  void submit(Submission unit);
  /// Refuses further units.
  void close();
  /// Lets `await_more` look again whether it goes on.
  void wake();

  // On the writer's thread
  /// Waits for a unit, until the queue closes, or for the time, if there is one. False when the time has
  /// come.
  bool await(std::optional<Moment> until);
  /// Waits for a unit or until the queue closes, while `goes_on`; returns what `goes_on` says at the end.
  bool await_more(std::function<bool()> const& goes_on);
  bool is_any_waiting();
  /// Cheap, for a look before each unit of a batch.
  bool has_urgent() const { return has_urgent_; }
  Arrivals take();

 private:
  bool try_to_queue(Submission& unit, bool& is_closing);
  Done timed(Done done);
  bool has_news() const REQUIRES(mutex_) { return is_closing_ || !usual_.empty() || !urgent_.empty(); }

  WriterTimes& times_;
  os::Mutex mutex_;
  os::Condition arrived_;
  std::deque<Submission> usual_ GUARDED_BY(mutex_);
  std::deque<Submission> urgent_ GUARDED_BY(mutex_);
  std::atomic<bool> has_urgent_ = false;  ///< true when `urgent_` holds any
  bool is_closing_ GUARDED_BY(mutex_) = false;
};

}  // namespace andon::store::engine
