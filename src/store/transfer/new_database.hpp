#pragma once

#include <filesystem>
#include <functional>

#include "core/time/time.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::transfer {

enum class Sealing { none, sealed };

/// Makes a SQLite database (mode 0600) with this schema, lets it be filled in one transaction, and gives it
/// its name when it is complete. Throws StoreError{refused} when there is such a file; none is left after a
/// failure.
void make_database(std::filesystem::path const& file, Sealing sealing, core::Instant now,
                   std::function<void(sqlite::Connection&)> const& fill);

}  // namespace andon::store::transfer
