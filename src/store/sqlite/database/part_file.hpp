#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::sqlite {

/// The StoreError for a failed call of the system on a file, by `errno`.
StoreError file_failure(std::string const& doing, std::filesystem::path const& file);
StoreError file_failure(os::SystemError const& error);

/// Throws StoreError{refused} for a pipe or a device. A database needs a file in which it can be read and
/// written at any place.
void refuse_stream(std::filesystem::path const& file);
/// Throws StoreError{refused} when there is something under this name.
void refuse_existing(std::filesystem::path const& file);

/// The name of an unfinished database. The file, and what SQLite makes beside it, is removed on destruction
/// unless `publish` or `keep` was called.
class PartFile {
 public:
  explicit PartFile(std::filesystem::path path) : path_(std::move(path)) {}
  /// A new name beside that of the finished file.
  static PartFile of(std::filesystem::path const& finished);
  PartFile(PartFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile();

  std::filesystem::path const& path() const { return path_; }
  /// Gives the file its final name, which must be free, and brings that to the disk.
  void publish(std::filesystem::path const& name);
  void keep() { path_.clear(); }

 private:
  std::filesystem::path path_;
};

}  // namespace andon::store::sqlite
