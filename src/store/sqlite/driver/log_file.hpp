#pragma once

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// The write-ahead log of a connection. It is synced to the disk separately from the commits that write it.
class LogFile {
 public:
  /// The connection must outlive the log. A connection without a log, such as one in memory, is not synced.
  explicit LogFile(Connection& db) : db_(db) {}
  /// Waits until every finished commit is on the disk. The first call comes on the connection's thread after
  /// its first commit, later calls on any thread. After a failure it stays unknown which commits are on the
  /// disk.
  void sync();

 private:
  void find();

  Connection& db_;
  bool is_known_ = false;
  sqlite3_file* file_ = nullptr;
};

}  // namespace andon::store::sqlite
