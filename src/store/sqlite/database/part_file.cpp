#include "store/sqlite/database/part_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "os/random.hpp"
#include "store/contract/store_error.hpp"
#include "store/sqlite/database/copy.hpp"

namespace andon::store::sqlite {
namespace {

constexpr std::size_t kPartNameBytes = 4;

[[noreturn]] void refuse_as_existing(std::filesystem::path const& file) {
  throw StoreError{StoreError::Kind::refused, file.native() + " exists already; name a new file"};
}

}  // namespace

StoreError file_failure(std::string const& doing, std::filesystem::path const& file) {
  auto const kind = errno == ENOSPC || errno == EDQUOT ? StoreError::Kind::no_space
                    : errno == EROFS                   ? StoreError::Kind::read_only
                                                       : StoreError::Kind::other;
  return {kind, "cannot " + doing + " " + file.native() + ": " + std::strerror(errno)};
}

StoreError file_failure(os::SystemError const& error) {
  return {error.number() == ENOSPC ? StoreError::Kind::no_space : StoreError::Kind::other, error.what()};
}

void refuse_stream(std::filesystem::path const& file) {
  std::error_code failed;
  auto const type = std::filesystem::status(file, failed).type();
  using enum std::filesystem::file_type;
  if (type == fifo || type == character || type == socket)
    throw StoreError{StoreError::Kind::refused,
                     file.native() + " is a pipe or a device; name a file, and copy that file as you like"};
}

void refuse_existing(std::filesystem::path const& file) {
  refuse_stream(file);
  std::error_code unknown;
  if (std::filesystem::symlink_status(file, unknown).type() != std::filesystem::file_type::not_found)
    refuse_as_existing(file);
}

PartFile PartFile::of(std::filesystem::path const& finished) {
  return PartFile{finished.native() + "." + os::random_hex(kPartNameBytes) + ".part"};
}

PartFile::~PartFile() {
  for (auto const* end : {"", "-journal", "-wal", "-shm"})
    if (!path_.empty()) ::unlink((path_.native() + end).c_str());
}

void PartFile::publish(std::filesystem::path const& name) {
  if (::link(path_.c_str(), name.c_str()) != 0) {
    if (errno == EEXIST) refuse_as_existing(name);
    if (errno != EPERM && errno != EOPNOTSUPP) throw file_failure("make", name);
    // This file system has no hard links.
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) != 0)
      throw file_failure("make", name);
    keep();
  }
  try {
    sync_file(name);
  } catch (...) {
    ::unlink(name.c_str());
    throw;
  }
}

}  // namespace andon::store::sqlite
