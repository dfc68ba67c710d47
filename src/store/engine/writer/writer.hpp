#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "store/engine/writer/batch.hpp"
#include "store/engine/writer/commit_listeners.hpp"
#include "store/engine/writer/commit_queue.hpp"
#include "store/engine/writer/durability.hpp"
#include "store/engine/writer/ending.hpp"
#include "store/engine/writer/flusher.hpp"
#include "store/engine/writer/parking.hpp"
#include "store/engine/writer/upkeep.hpp"

namespace andon::store::engine {

/// The only thread that writes to the database. It runs all waiting units in one transaction, commits once,
/// and answers them when the commit is on the disk. While it waits for the disk it collects the next batch,
/// or runs it when other units wait.
class Writer {
 public:
  /// The times and the source are not owned; the source may be null.
  Writer(std::shared_ptr<Driver> driver, OnFatal on_fatal, WriterTimes& times,
         ExternalSource* source = nullptr);
  ~Writer();

  void submit(Work work, Done done, Milliseconds patience, UnitKind kind, Rights rights);
  /// Runs a reading unit among the writing ones and returns when it has ended; throws what the unit throws.
  void read(std::function<void(Tx&)> const& work);
  /// Returns when every commit that a reader may have seen by now is on the disk.
  void await_disk() { durability_.await(); }
  void on_commit(CommitListeners::Listener listener) { listeners_.add(std::move(listener)); }
  bool is_this_thread() const { return std::this_thread::get_id() == thread_.get_id(); }
  /// Finishes queued units, runs parked units a last time, and ends the thread.
  void close();

 private:
  /// The result of one batch.
  struct Finished {
    Answers answers;
    Occasion occasion = Occasion::batch_ended;
  };

  void run();
  /// Waits until there is work and takes the queued units; false when the store closes and no unit is left.
  bool collect();
  /// Waits for a unit or a deadline, and looks after the database meanwhile.
  void wait();
  Finished run_batch();
  Answers run_units();
  Occasion commit(Answers& answers);
  /// Brings the commit to the disk, or leaves that to the flusher.
  void make_durable(Answers& answers);
  void give(Answers answers);
  /// Ends the process when its time has come.
  void end_if_due(Moment now);
  /// Lets parked units and listeners see what others wrote.
  void look_at_others(std::function<void()> const& begun);
  bool is_shared() const { return source_ && source_->is_shared(); }

  std::shared_ptr<Driver> const driver_;
  ExternalSource* const source_;
  Ending ending_;
  CommitQueue queue_;
  Parking parking_;
  BatchTransaction transaction_;
  Batch batch_;
  Upkeep upkeep_;
  Durability durability_;
  CommitListeners listeners_;
  Flusher flusher_;
  std::thread thread_;
};

}  // namespace andon::store::engine
