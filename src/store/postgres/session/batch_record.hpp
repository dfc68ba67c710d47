#pragma once

#include <cstdint>
#include <string>

#include "os/processes/mutex.hpp"

namespace andon::store::postgres {

/// The batches that this server has committed, numbered from 1. The database keeps the number of the last one
/// with the changes of the batch. So a new connection finds out which batches outlived a lost one.
/// Thread-safe.
class BatchRecord {
 public:
  BatchRecord();

  /// A name for the batches of this process; no other process has it.
  std::string const& server() const { return server_; }
  /// A number for the next batch. No number is given twice, whatever becomes of the batch.
  std::int64_t next();
  /// The last batch that was committed.
  std::int64_t last();
  /// The last batch that the database should have.
  std::int64_t expected();
  /// Notes that the database answered to the commit of a batch.
  void note_commit(std::int64_t batch);
  /// Notes the last batch that a new connection found in the database. `expected` is what the function of
  /// that name returned before the database was asked.
  void note_found(std::int64_t found, std::int64_t expected);
  /// Notes that a sync of all batches up to `last` has ended. False when the database has lost any of them
  /// that no earlier sync has ended, because it crashed before they were on its disk.
  bool end_sync(std::int64_t last);

 private:
  /// The batches after the first number, up to the second one.
  struct Range {
    std::int64_t after = 0;
    std::int64_t last = 0;
  };

  std::string const server_;
  os::Mutex mutex_;
  std::int64_t given_ GUARDED_BY(mutex_) = 0;
  std::int64_t last_ GUARDED_BY(mutex_) = 0;
  std::int64_t expected_ GUARDED_BY(mutex_) = 0;
  std::int64_t synced_ GUARDED_BY(mutex_) = 0;
  Range lost_ GUARDED_BY(mutex_);
};

}  // namespace andon::store::postgres
