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
#include "store/sqlite/database/database_files.hpp"

namespace andon::store::sqlite {

/// The write-ahead log of a connection. The log is synced to the disk separately from the commits that write
/// it.
class Log {
 public:
  /// The connection and the files must outlive the log. A connection without a log, such as one in memory, is
  /// not synced. Without `files`, no files are checked.
  Log(Connection& db, DatabaseFiles const* files) : db_(db), files_(files) {}
  /// Finds the log's file. The connection's thread calls it after its first commit, so that later syncs may
  /// come from another thread.
  void find();
  /// Waits until every finished commit is on the disk, in the files that have the database's names. After a
  /// failure it stays unknown which commits are on the disk.
  void sync();

 private:
  Connection& db_;
  DatabaseFiles const* files_;
  sqlite3_file* file_ = nullptr;
};

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

  Flusher(Log& log, Heard heard, Idle idle, Failed failed);
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

  Log& log_;
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
