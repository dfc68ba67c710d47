#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <expected>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "os/processes/clock.hpp"
#include "store/engine/driver.hpp"
#include "store/sqlite/transaction/transaction.hpp"
#include "store/sqlite/units/flusher.hpp"

namespace andon::store::sqlite {

using OnFatal = std::function<void(std::string_view reason)>;

/// The only thread that writes to the database. It runs all waiting units in one transaction, commits once,
/// and answers them when the commit is on the disk. A unit that fails or asks for it is undone alone. While
/// the writer waits for the disk it collects the next batch, or runs it when other units wait: see `Flusher`.
/// Nearly every refused unit has written nothing, so queued units have no savepoints. When a unit that has
/// written is undone, the batch is rolled back and its units run again, each with a savepoint. Urgent units
/// run before other queued units, but never interrupt a running unit. Before each answer, and four times a
/// second, the writer checks that the files of the database are those that it opened.
class Writer {
 public:
  using Clock = os::SteadyClock;

  /// The times and the mirror are not owned; the mirror may be null.
  Writer(std::shared_ptr<engine::Driver> driver, OnFatal on_fatal, WriterTimes& times,
         Mirror* mirror = nullptr);
  ~Writer();

  void submit(Work work, Done done, Milliseconds patience, UnitKind kind, engine::Rights rights);
  /// Runs a reading unit among the writing ones and returns when it has ended; throws what the unit throws.
  void read(std::function<void(Tx&)> const& work);
  /// Returns when every commit that a reader may have seen by now is on the disk.
  void await_disk() { flusher_.await(); }
  void on_commit(std::function<void(core::EventSeq last_seq)> listener);
  bool is_this_thread() const { return std::this_thread::get_id() == thread_.get_id(); }
  /// Finishes queued units, runs parked units a last time, and ends the thread.
  void close();

 private:
  struct Unit {
    Work work;
    Done done;
    engine::Rights rights;
    Milliseconds patience;
    UnitKind kind;
    Clock::time_point deadline{};  ///< the end of a parked unit's patience
    Clock::time_point looked{};    ///< when the unit last ran and looked for tasks
    Interest interest{};
    bool waits = false;  ///< the unit ran and is to be parked
    std::exception_ptr trouble{};
  };
  enum class Turn { usual, last };

  /// Returns a `done` that also measures how long an urgent unit waited for its answer.
  Done timed(Done done, UnitKind const& kind);
  void run();
  /// Waits until there is work and takes the queued units; false when the store closes and no unit is left.
  bool collect();
  /// Waits for a unit or a deadline, and checks the files of the database meanwhile.
  void wait(std::unique_lock<std::mutex>& lock);
  /// Ends writing when the files of the database are no longer those that were opened.
  bool are_files_there();
  /// Calls `on_fatal` when its time has come.
  void end_if_due();
  /// The time at which a parked unit has to run even when nothing was written.
  std::optional<Clock::time_point> next_deadline() const;
  /// Moves the queues into the batch, urgent units first. The caller holds `mutex_`.
  void take_queue();
  /// Moves urgent units that arrived meanwhile to the front of the batch.
  void let_urgent_pass();
  void run_batch();
  bool more_join();
  void run_queued();
  /// Rolls a spoiled batch back and runs its units again, each with its own savepoint.
  void run_each_alone();
  void run_first(std::size_t most, Transaction::Undo undo);
  void park_or_answer(Unit unit);
  void run_parked();
  void run_due();
  /// Continues one unit that had more to look at than one run may.
  void run_unfinished();
  bool may_wait(Unit const& unit, Turn turn) const;
  /// Runs a unit and records its outcome in it.
  void attempt(Unit& unit, Turn turn, Transaction::Undo undo);
  /// Runs a parked unit; true when the unit stays parked.
  bool attempt_parked(Unit& unit, Turn turn);
  /// The time at which time alone may make a task pickable for a parked unit.
  std::optional<Clock::time_point> next_time();
  /// Runs the work once. Refused with Outdated when the mirror requires a new run.
  std::expected<Outcome, Outdated> decide(Unit& unit, Turn turn, Transaction::Undo undo);
  void begin();
  void open_transaction();
  void catch_up();
  void commit();
  bool try_to_commit();
  void sync();
  void roll_back() noexcept;
  void take_back() noexcept;
  void refuse_all(std::exception_ptr const& trouble);
  void give_answers();
  void tell_listeners(core::EventSeq seq);
  /// Called by the flusher when it has no groups left.
  void wake();
  void tidy();
  void close_shared();
  /// The process is to end after the grace, in which everything is refused.
  void stop_writing(std::exception_ptr trouble, Milliseconds grace = {});

  std::shared_ptr<engine::Driver> const driver_;
  std::unique_ptr<engine::Session> session_;
  Transaction tx_;
  OnFatal on_fatal_;
  WriterTimes& times_;
  Mirror* mirror_;
  bool are_files_gone_ = false;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Unit> queue_;                                      ///< guarded by mutex_
  std::deque<Unit> urgent_;                                     ///< guarded by mutex_
  std::atomic<bool> has_urgent_ = false;                        ///< whether `urgent_` holds any
  bool closing_ = false;                                        ///< guarded by mutex_
  std::vector<std::function<void(core::EventSeq)>> listeners_;  ///< guarded by mutex_

  // Used by the writer's thread only
  std::deque<Unit> batch_;
  std::vector<Unit> ran_;   ///< queued units that ran in this transaction
  std::list<Unit> parked_;  ///< in the order of arrival
  std::optional<Clock::time_point> next_time_;
  std::vector<Flusher::Answer> answers_;
  Changes changes_;         ///< changes that parked units have not seen yet
  Changes changes_before_;  ///< `changes_` when the batch began
  Changes unit_changes_;    ///< changes of the unit that ran last
  bool ending_ = false;
  std::optional<Clock::time_point> ends_at_;  ///< when the process is to end
  bool wants_room_ = false;                   ///< a commit failed on a full disk
  core::EventSeq announced_seq_;
  std::exception_ptr lost_;     ///< the reason why the transaction of this batch is gone
  std::exception_ptr stopped_;  ///< the reason why nothing is written any more
  bool has_synced_ = false;

  Flusher flusher_;
  std::thread thread_;
};

}  // namespace andon::store::sqlite
