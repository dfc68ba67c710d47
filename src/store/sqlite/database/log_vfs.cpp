#include "store/sqlite/database/log_vfs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include <sqlite3.h>

namespace andon::store::sqlite {
namespace {

/// A frame of the log is a header and a page. The second word of the header is not zero in the last frame of
/// a commit: https://www.sqlite.org/fileformat2.html#walformat
constexpr std::size_t kHeader = 24, kLogHeader = 32;
constexpr std::size_t kPiece = std::size_t{64} * 1024;  // the VFS of Unix writes less than 128 KiB at once

/// An open log. SQLite provides its memory; the file object of the default VFS lies directly behind it.
struct LogFile {
  sqlite3_file seen{};  ///< the part that SQLite uses; must be the first member
  std::unique_ptr<std::byte[]> held{new (std::nothrow) std::byte[kPiece]};
  std::size_t size = 0;
  sqlite3_int64 at = 0;
  sqlite3_int64 end = 0;  ///< the end of the last write
  bool ends_commit = false;
  int trouble = SQLITE_OK;  ///< why the frames from `at` on are lost

  sqlite3_file* below() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  sqlite3_io_methods const& methods() { return *below()->pMethods; }

  void hold(std::span<std::byte const> bytes, sqlite3_int64 where) {
    if (size == 0) at = where;
    std::memcpy(held.get() + size, bytes.data(), bytes.size());
    size += bytes.size();
  }
  /// Writes the held frames. Frames that cannot be written are lost, and `check` refuses all frames behind
  /// them.
  int write_held() {
    auto const bytes = static_cast<int>(std::exchange(size, 0));
    if (bytes != 0) trouble = methods().xWrite(below(), held.get(), bytes, at);
    return trouble;
  }
  /// Refuses frames of a transaction that lost frames, so that it cannot be committed. The next transaction
  /// begins with a header at the place of the lost frames or before it.
  int check(bool is_page, sqlite3_int64 where) {
    if (trouble != SQLITE_OK && !is_page && where <= at) trouble = SQLITE_OK;
    return trouble;
  }
};
static_assert(alignof(LogFile) <= 8 && sizeof(LogFile) % 8 == 0);  // SQLite's memory is aligned to 8 bytes

LogFile& log_of(sqlite3_file* file) { return *reinterpret_cast<LogFile*>(file); }

bool is_last_of_commit(std::span<std::byte const> header) {
  return std::ranges::any_of(header.subspan(4, 4), [](std::byte byte) { return byte != std::byte{0}; });
}

int write(sqlite3_file* file, void const* bytes, int size, sqlite3_int64 where) {
  auto& log = log_of(file);
  std::span const piece{static_cast<std::byte const*>(bytes), static_cast<std::size_t>(size)};
  bool const is_header = piece.size() == kHeader, is_page = piece.size() > kLogHeader;
  if (auto const code = log.check(is_page, where); code != SQLITE_OK) return code;
  bool const is_next = where == std::exchange(log.end, where + size);
  if (!is_next || log.size + piece.size() > kPiece)
    if (auto const code = log.write_held(); code != SQLITE_OK) return code;
  // Only frames that append to the log are gathered. Frames that SQLite writes again in place are passed
  // through.
  if (log.size == 0 && !(is_header && is_next)) return log.methods().xWrite(log.below(), bytes, size, where);
  log.hold(piece, where);
  if (is_header) log.ends_commit = is_last_of_commit(piece);
  return is_page && log.ends_commit ? log.write_held() : SQLITE_OK;
}

/// Forwards any call other than a sync after writing the held frames, so that the file is complete.
template <auto Method, class... Arguments>
int pass(sqlite3_file* file, Arguments... arguments) {
  auto& log = log_of(file);
  if (log.size != 0)
    if (auto const code = log.write_held(); code != SQLITE_OK) return code;
  return (log.methods().*Method)(log.below(), arguments...);
}

/// Lost frames belong to a transaction that cannot be committed. The bytes at their place in the file are not
/// a page.
int read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 where) {
  auto& log = log_of(file);
  if (log.trouble != SQLITE_OK && where >= log.at) return log.trouble;
  return pass<&sqlite3_io_methods::xRead>(file, bytes, size, where);
}

/// Another thread may sync while this one gathers frames. The frames of a commit are in the file when the
/// write of its last page has returned.
int sync(sqlite3_file* file, int flags) {
  auto& log = log_of(file);
  return log.methods().xSync(log.below(), flags);
}

int close(sqlite3_file* file) {
  auto& log = log_of(file);
  auto const closed = log.methods().xClose(log.below());
  std::destroy_at(&log);
  return closed;
}

using Methods = sqlite3_io_methods;
constexpr Methods kMethods = [] {
  Methods methods{};
  methods.iVersion = 1;
  methods.xClose = close;
  methods.xRead = read;
  methods.xWrite = write;
  methods.xTruncate = pass<&Methods::xTruncate>;
  methods.xSync = sync;
  methods.xFileSize = pass<&Methods::xFileSize>;
  methods.xLock = pass<&Methods::xLock>;
  methods.xUnlock = pass<&Methods::xUnlock>;
  methods.xCheckReservedLock = pass<&Methods::xCheckReservedLock>;
  methods.xFileControl = pass<&Methods::xFileControl>;
  methods.xSectorSize = pass<&Methods::xSectorSize>;
  methods.xDeviceCharacteristics = pass<&Methods::xDeviceCharacteristics>;
  return methods;
}();

int open(sqlite3_vfs* /*self*/, char const* path, sqlite3_file* file, int flags, int* flags_out) {
  auto* const usual = sqlite3_vfs_find(nullptr);
  if ((flags & SQLITE_OPEN_WAL) == 0) return usual->xOpen(usual, path, file, flags, flags_out);
  auto* const log = std::construct_at(reinterpret_cast<LogFile*>(file));
  auto const code = log->held ? usual->xOpen(usual, path, log->below(), flags, flags_out) : SQLITE_NOMEM;
  if (code == SQLITE_OK)
    log->seen.pMethods = &kMethods;
  else
    std::destroy_at(log);
  return code;
}

}  // namespace

char const* log_vfs() {
  static sqlite3_vfs vfs = [] {
    auto copy = *sqlite3_vfs_find(nullptr);
    copy.pNext = nullptr;
    copy.zName = "andon-log";
    copy.szOsFile += static_cast<int>(sizeof(LogFile));
    copy.xOpen = open;
    return copy;
  }();
  static int const registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK ? vfs.zName : nullptr;
}

}  // namespace andon::store::sqlite
