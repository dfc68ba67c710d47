#pragma once

#include <filesystem>

namespace andon::store::sqlite {

/// The verdict of the seal at a backup's end on the bytes before it.
enum class Seal {
  none,    ///< the file has no seal, as backups of former versions
  whole,   ///< the bytes are those that were sealed
  broken,  ///< a byte changed, came or went
};

/// Appends a line with the SHA-256 of all bytes of the file. SQLite reads no page beyond the size in the
/// database's header, so the file stays a database.
void seal(std::filesystem::path const& file);
Seal look_at_seal(std::filesystem::path const& file);

}  // namespace andon::store::sqlite
