#pragma once

#include <filesystem>
#include <string_view>

#include "core/time/time.hpp"
#include "store/contract/backup.hpp"

namespace andon::store::transfer {

/// Writes a backup of a PostgreSQL store, as it is at one moment, into a new file. It has the format of
/// `store::back_up`, so that it can be restored into either database. Servers may use the store meanwhile. An
/// empty `runs` leaves the files of runs out. Throws StoreError: `refused` when the file exists already.
BackedUp backup_postgres(std::string_view url, std::filesystem::path const& to,
                         std::filesystem::path const& runs, core::Instant now);

/// Replaces the data of a PostgreSQL store by that of a backup, all of it or nothing, while its servers wait
/// for their turn. The data gets a new incarnation, and numbers that the replaced data or a directory of a
/// run uses are not given again. The former data is not kept. Throws StoreError: `damaged` or `newer_schema`
/// for a backup that cannot be used.
Restored restore_postgres(std::filesystem::path const& backup, std::string_view url,
                          std::filesystem::path const& runs, core::Instant now);

}  // namespace andon::store::transfer
