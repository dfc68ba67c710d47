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
#include "store/sqlite/transaction/transaction.hpp"
#include "store/sqlite/units/flusher.hpp"

namespace andon::store::sqlite {

using OnFatal = std::function<void(std::string_view reason)>;

/// The one thread that writes. It takes all units that wait, runs them in one transaction, each undone alone
/// when it asks for that or throws, commits once, and answers all of them when that is on the disk. While it
/// waits for the disk the next batch collects, or runs already when others wait: see `Flusher`. Nearly every
/// unit that is refused has written nothing, so queued units have no savepoints: when one is undone that has
/// written, the batch is rolled back and its units run again, each with its own. Urgent units pass the others
/// between two units.
class Writer {
 public:
  using Clock = os::SteadyClock;

  /// Neither the times nor the mirror are owned; the mirror may be null.
  Writer(std::unique_ptr<Connection> db, OnFatal on_fatal, WriterTimes& times, Mirror* mirror = nullptr);
  ~Writer();

  void submit(Work work, Done done, Milliseconds patience, UnitKind kind, Transaction::Rights rights);
  /// Runs a reading unit among the others and returns when it is through; throws what the unit throws.
  void read(std::function<void(Tx&)> const& work);
  /// Returns when all that could be read by now is on the disk.
  void await_disk() { flusher_.await(); }
  void on_commit(std::function<void(std::int64_t last_seq)> listener);
  bool is_this_thread() const { return std::this_thread::get_id() == thread_.get_id(); }
  /// Finishes what is queued, gives parked units their last run, and ends the thread.
  void close();

 private:
  struct Unit {
    Work work;
    Done done;
    Transaction::Rights rights;
    Milliseconds patience;
    UnitKind kind;
    Clock::time_point deadline{};  ///< of a parked unit
    Clock::time_point looked{};    ///< when it looked for what it waits for
    Interest interest{};
    bool waits = false;  ///< it ran and wants to be parked
    std::exception_ptr trouble{};
  };
  enum class Turn { usual, last };

  /// Notes how long an urgent unit waited for its answer.
  Done timed(Done done, UnitKind const& kind);
  void run();
  /// Waits for something to do and takes what is queued; false when the store closes and nothing is left.
  bool collect();
  /// When the first parked unit has to run though nothing was written.
  std::optional<Clock::time_point> next_deadline() const;
  /// Takes what is queued, the urgent first; under the lock.
  void take_queue();
  /// Lets urgent units that came meanwhile run next.
  void let_urgent_pass();
  void run_batch();
  bool more_join();
  void run_queued();
  /// Runs again, each with its savepoint, the units of a batch that is spoiled.
  void run_each_alone();
  void run_first(std::size_t most, Transaction::Undo undo);
  void park_or_answer(Unit unit);
  void run_parked();
  void run_due();
  /// Lets one of those go on that had more to look at than one unit may.
  void run_unfinished();
  bool may_wait(Unit const& unit, Turn turn) const;
  /// Runs a unit and notes what became of it.
  void attempt(Unit& unit, Turn turn, Transaction::Undo undo);
  /// The same for a parked one; true when it goes on waiting.
  bool attempt_parked(Unit& unit, Turn turn);
  /// When time alone may give a parked unit what it waits for.
  std::optional<Clock::time_point> next_time();
  /// Runs the work once; refused when a mirror says that it must be decided again.
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
  void tell_listeners(std::int64_t seq);
  /// The flusher has nothing left to do.
  void wake();
  void checkpoint();
  void close_shared();
  void stop_writing(std::exception_ptr trouble);

  std::unique_ptr<Connection> db_;
  Transaction tx_;
  OnFatal on_fatal_;
  WriterTimes& times_;
  Mirror* mirror_;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Unit> queue_;                                    ///< guarded by mutex_
  std::deque<Unit> urgent_;                                   ///< guarded by mutex_
  std::atomic<bool> has_urgent_ = false;                      ///< whether `urgent_` holds any
  bool closing_ = false;                                      ///< guarded by mutex_
  std::vector<std::function<void(std::int64_t)>> listeners_;  ///< guarded by mutex_

  // The writer's thread only
  std::deque<Unit> batch_;
  std::vector<Unit> ran_;   ///< of the queued ones, in this transaction
  std::list<Unit> parked_;  ///< in the order they came
  std::optional<Clock::time_point> next_time_;
  std::vector<Flusher::Answer> answers_;
  Changes changes_;         ///< that parked units have not seen yet
  Changes changes_before_;  ///< when the batch began
  Changes unit_changes_;    ///< of the unit that ran last
  bool ending_ = false;
  bool fatal_ = false;
  int wal_pages_ = 0;
  int checkpoint_at_;
  std::int64_t told_seq_;
  std::exception_ptr lost_;     ///< why the transaction of this batch is gone
  std::exception_ptr stopped_;  ///< why nothing is written any more
  bool is_log_known_ = false;

  Log log_;
  Flusher flusher_;
  std::thread thread_;
};

}  // namespace andon::store::sqlite
