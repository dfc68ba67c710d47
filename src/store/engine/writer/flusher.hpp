#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "os/processes/mutex.hpp"
#include "store/engine/writer/durability.hpp"
#include "store/engine/writer/submission.hpp"

namespace andon::store::engine {

/// Waits for the disk, so that the writer can run the next batch meanwhile. It takes the answers of batches
/// and gives each answer when the commit behind it is durable. All calls come on the writer's thread.
class Flusher {
 public:
  struct Group {
    Answers answers;
    core::EventSeq seq = 0;   ///< the last event of the group, for the listeners; 0 for none
    std::int64_t commit = 0;  ///< the last commit behind the answers; set by the flusher
  };
  /// Callbacks: `Heard` gets the last event of each durable commit, `Idle` is called when no group is left,
  /// and `Failed` gets the trouble that ended writing for good.
  using Heard = std::function<void(core::EventSeq seq)>;
  using Idle = std::function<void()>;
  using Failed = std::function<void(std::exception_ptr const& trouble)>;

  Flusher(Durability& durability, Heard heard, Idle idle, Failed failed);
  ~Flusher() { close(); }

  /// True when the flusher's thread has groups to answer.
  bool is_busy();
  /// Answers at once when no earlier group or commit waits for the disk, otherwise in turn.
  void give(Group group);
  /// Answers all queued groups and ends the thread.
  void close();

 private:
  bool try_to_queue(Group& group);
  void run();
  void flush(std::vector<Group> groups);
  void answer(Group& group, std::exception_ptr const& trouble);

  Durability& durability_;
  Heard heard_;
  Idle idle_;
  Failed failed_;
  os::Mutex mutex_;
  os::Condition given_;
  std::vector<Group> groups_ GUARDED_BY(mutex_);
  bool is_flushing_ GUARDED_BY(mutex_) = false;  ///< the thread has taken groups and not answered all of them
  bool is_closing_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace andon::store::engine
