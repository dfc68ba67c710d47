#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "core/time/time.hpp"
#include "store/engine/driver.hpp"

namespace andon::store::engine {

/// Opens databases that are only indexes of files. Several processes may have an index open. Failures are
/// thrown as StoreError: `damaged` means that the index is worth nothing.
class IndexOpener {
 public:
  virtual ~IndexOpener() = default;
  /// Opens an index for writing. It is made when it is missing, and an older one is brought to the schema of
  /// this program.
  virtual std::shared_ptr<Driver> open(std::filesystem::path const& file, core::Instant now) const = 0;
  /// For sessions that read. The file may be made later.
  virtual std::shared_ptr<Driver> open_to_read(std::filesystem::path const& file) const = 0;
  /// An empty index in memory.
  virtual std::shared_ptr<Driver> in_memory() const = 0;
  /// Looks for damage and changes nothing. Returns a session that reads the index; null when its schema is
  /// older.
  virtual std::unique_ptr<Session> examine(std::filesystem::path const& file) const = 0;
  /// The endings by which the names of an index's files differ; that of its own file is empty.
  virtual std::span<std::string_view const> endings() const = 0;
};

}  // namespace andon::store::engine
