#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "store/contract/store.hpp"
#include "store/engine/driver.hpp"

namespace andon::store::sqlite {

/// Waits for the disk, so that the writer can run the next batch meanwhile. It takes the answers of batches
/// and gives each answer when the commit behind it is durable. All calls except `await` and `trouble` come on
/// the writer's thread.
class Flusher {
 public:
  struct Answer {
    Done done;
    std::exception_ptr trouble;
  };
  struct Group {
    std::vector<Answer> answers;
    core::EventSeq seq = 0;   ///< the last event of the group, for the listeners; 0 for none
    std::int64_t commit = 0;  ///< the last commit behind the answers; set by the flusher
  };
  /// Callbacks: `Heard` gets the last event of each durable commit, `Idle` is called when no group is left,
  /// and `Failed` gets the trouble that ended writing for good.
  using Heard = std::function<void(core::EventSeq seq)>;
  using Idle = std::function<void()>;
  using Failed = std::function<void(std::exception_ptr const& trouble)>;

  Flusher(engine::Driver& driver, Heard heard, Idle idle, Failed failed);
  ~Flusher() { close(); }

  /// Call before a commit: from now on readers that may see the commit wait for it.
  void begin_commit();
  /// Call when a commit failed; no reader can have seen it.
  void cancel_commit();
  /// Whether the flusher's thread has groups to answer.
  bool is_busy() const;
  /// Waits for the disk on the writer's own thread. Rethrows the failure of this sync or of an earlier one.
  void sync();
  /// Answers at once when no earlier group or commit waits for the disk, otherwise in turn.
  void give(Group group);
  /// Waits until every commit that has begun is durable; rethrows the failure of a sync.
  void await();
  /// The reason why nothing may be written any more; null while the disk works.
  std::exception_ptr trouble() const;
  /// Answers all queued groups and ends the thread.
  void close();

 private:
  void run();
  void flush(std::vector<Group> groups);
  bool is_durable(std::int64_t commit) const;
  void answer(Group& group, std::exception_ptr const& trouble);
  void settle(std::int64_t commit, std::exception_ptr const& trouble);

  engine::Driver& driver_;
  Heard heard_;
  Idle idle_;
  Failed failed_;
  mutable std::mutex mutex_;
  std::condition_variable given_;
  std::condition_variable settled_;
  std::vector<Group> groups_;  ///< guarded by mutex_, as all below
  bool is_flushing_ = false;   ///< the thread has taken groups and not answered all of them
  bool is_closing_ = false;
  std::int64_t begun_ = 0;    ///< the last commit that has begun
  std::int64_t durable_ = 0;  ///< the last commit on the disk
  std::exception_ptr trouble_;
  std::thread thread_;
};

}  // namespace andon::store::sqlite
