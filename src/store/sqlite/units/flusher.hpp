#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "store/contract/store.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// The write-ahead log of a connection, brought to the disk apart from the commits that wrote it.
class Log {
 public:
  /// The connection must outlive the log. Nothing is synced when it has none, as in memory.
  explicit Log(Connection& db) : db_(db) {}
  /// Called by the connection's thread after its first commit, so that later syncs may come from another one.
  void find();
  /// Waits until everything that was committed is on the disk. After a failure that is unknown for good.
  void sync();

 private:
  Connection& db_;
  sqlite3_file* file_ = nullptr;
};

/// Waits for the disk, so that the writer can run the next batch meanwhile: it is given the answers of
/// batches and gives them when what they tell is durable. All calls but `await` and `trouble` come on the
/// writer's thread.
class Flusher {
 public:
  struct Answer {
    Done done;
    std::exception_ptr trouble;
  };
  struct Group {
    std::vector<Answer> answers;
    std::int64_t seq = 0;     ///< the last event they tell of, for the listeners; 0 for none
    std::int64_t commit = 0;  ///< the last commit they may tell of; the flusher knows
  };
  /// Called with the last event of a commit, when nothing is left to do, and with the trouble that ended
  /// writing for good.
  using Heard = std::function<void(std::int64_t seq)>;
  using Idle = std::function<void()>;
  using Failed = std::function<void(std::exception_ptr const& trouble)>;

  Flusher(Log& log, Heard heard, Idle idle, Failed failed);
  ~Flusher() { close(); }

  /// Before a commit: readers that may see it wait for it from now on.
  void begin_commit();
  /// The commit failed, nobody can have seen it.
  void cancel_commit();
  /// Whether its thread has something to do.
  bool is_busy() const;
  /// Waits for the disk on the writer's own thread. Rethrows what made a sync fail, also an earlier one.
  void sync();
  /// Gives the answers at once when nothing waits, else in their turn.
  void give(Group group);
  /// Waits until every commit is durable that has begun; rethrows what made a sync fail.
  void await();
  /// Why nothing may be written any more.
  std::exception_ptr trouble() const;
  /// Gives what it has and ends the thread.
  void close();

 private:
  void run();
  void flush(std::vector<Group> groups);
  bool is_durable(std::int64_t commit) const;
  void answer(Group& group, std::exception_ptr const& trouble);
  void settle(std::int64_t commit, std::exception_ptr const& trouble);

  Log& log_;
  Heard heard_;
  Idle idle_;
  Failed failed_;
  mutable std::mutex mutex_;
  std::condition_variable given_;
  std::condition_variable settled_;
  std::vector<Group> groups_;  ///< guarded by mutex_, as all below
  bool is_flushing_ = false;   ///< groups are on their way
  bool is_closing_ = false;
  std::int64_t begun_ = 0;    ///< the last commit
  std::int64_t durable_ = 0;  ///< the last one on the disk
  std::exception_ptr trouble_;
  std::thread thread_;
};

}  // namespace andon::store::sqlite
