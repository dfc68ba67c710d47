#pragma once

#include <cstdint>
#include <filesystem>

#include "core/time/time.hpp"

namespace andon::store {

// A backup is one file: a SQLite database with the rows of the original and two more tables. The table
// `backup` holds the time of the backup. The table `backup_file` holds files of runs under their paths in the
// directory of runs.

struct BackedUp {
  std::int64_t bytes = 0;  ///< of the backup
  std::int64_t files = 0;  ///< of runs
};

/// Writes a backup of a database, as it is at one moment, into a new file (mode 0600). A server may have the
/// database open: the backup reads one snapshot and blocks no writer. An empty `runs` leaves the files of
/// runs out. Throws StoreError: `refused` when the file exists already.
BackedUp back_up(std::filesystem::path const& database, std::filesystem::path const& to,
                 std::filesystem::path const& runs, core::Instant now);

struct Restored {
  core::Instant made{};          ///< when the backup was made
  std::int64_t files = 0;        ///< files of runs that were restored
  std::filesystem::path former;  ///< the database that was replaced; empty when there was none
};

/// Replaces the data of a database by that of a backup, all of it or nothing. The data gets a new
/// incarnation, so that pages and cursors of the old data are refused and clients begin anew. Numbers that
/// the replaced data or a directory of a run already uses are not given again. Files of a run are restored
/// only when the run has no directory. Throws StoreError: `busy` while a process holds the database,
/// `damaged` or `newer_schema` for a backup that cannot be used.
Restored restore(std::filesystem::path const& backup, std::filesystem::path const& database,
                 std::filesystem::path const& runs, core::Instant now);

}  // namespace andon::store
