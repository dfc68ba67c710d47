#pragma once

#include <cstdint>
#include <filesystem>

#include "core/time/time.hpp"

namespace andon::store {

// A backup is one file: a SQLite database like the one it was made of, with two tables beside: `backup` tells
// when it was made, `backup_file` holds files of runs under their names beneath the directory of runs.

struct BackedUp {
  std::int64_t bytes = 0;  ///< of the backup
  std::int64_t files = 0;  ///< of runs
};

/// Writes a backup of a database as it is at one moment into a new file (0600), also while a server has it
/// open: it reads one snapshot and holds no writer up. An empty `runs` leaves the files of runs out. Throws
/// StoreError: `refused` where the file is there already.
BackedUp back_up(std::filesystem::path const& database, std::filesystem::path const& to,
                 std::filesystem::path const& runs, core::Instant now);

struct Restored {
  core::Instant made{};          ///< when the backup was made
  std::int64_t files = 0;        ///< of runs that came back
  std::filesystem::path former;  ///< the database that was replaced; empty when there was none
};

/// Puts the data of a backup in place of a database, all of it or nothing. The data gets another incarnation,
/// so that pages and cursors of the old one are told to begin anew, and gives no number again that the
/// replaced data or a directory of a run has. Files of runs come back where none stand. Throws StoreError:
/// `busy` while a process holds the database, `damaged` or `newer_schema` for a backup that cannot be used.
Restored restore(std::filesystem::path const& backup, std::filesystem::path const& database,
                 std::filesystem::path const& runs, core::Instant now);

}  // namespace andon::store
