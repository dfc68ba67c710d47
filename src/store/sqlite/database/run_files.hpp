#pragma once

#include <cstdint>
#include <filesystem>

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Adds the files of runs to a backup; returns how many. Files that are larger than any of a run are left
/// out.
std::int64_t add_run_files(Connection& db, std::filesystem::path const& runs);
/// Writes the files of those runs that have no directory; returns how many. Throws StoreError{damaged} for a
/// name that lies outside of `runs`.
std::int64_t extract_run_files(Connection& backup, std::filesystem::path const& runs);
/// The highest number of a run that has a directory; 0 when none has.
std::int64_t highest_run_directory(std::filesystem::path const& runs);

}  // namespace andon::store::sqlite
