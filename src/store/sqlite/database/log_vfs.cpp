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

/// A frame of the log is a header and a page. The header's second word is not zero in the last frame of a
/// commit: https://www.sqlite.org/fileformat2.html#walformat
constexpr std::size_t kHeader = 24, kLogHeader = 32;
constexpr std::size_t kPiece = std::size_t{64} * 1024;  // the VFS of Unix writes less than 128 KiB at once

/// A log in memory that SQLite provides; the file below lies behind it.
struct LogFile {
  sqlite3_file seen{};  ///< what SQLite knows of it; first
  std::unique_ptr<std::byte[]> held{new (std::nothrow) std::byte[kPiece]};
  std::size_t size = 0;
  sqlite3_int64 at = 0;
  sqlite3_int64 end = 0;  ///< of the last write
  bool ends_commit = false;
  int trouble = SQLITE_OK;  ///< why frames from `at` on are lost

  sqlite3_file* below() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  sqlite3_io_methods const& methods() { return *below()->pMethods; }

  void hold(std::span<std::byte const> bytes, sqlite3_int64 where) {
    if (size == 0) at = where;
    std::memcpy(held.get() + size, bytes.data(), bytes.size());
    size += bytes.size();
  }
  /// What cannot be written is lost, and with it everything that would come behind it: see `check`.
  int write_held() {
    auto const bytes = static_cast<int>(std::exchange(size, 0));
    if (bytes != 0) trouble = methods().xWrite(below(), held.get(), bytes, at);
    return trouble;
  }
  /// A transaction that lost frames cannot be committed; the next one begins with a header where they were or
  /// before.
  int check(bool is_page, sqlite3_int64 where) {
    if (trouble != SQLITE_OK && !is_page && where <= at) trouble = SQLITE_OK;
    return trouble;
  }
};
static_assert(alignof(LogFile) <= 8 && sizeof(LogFile) % 8 == 0);  // as SQLite's memory is

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
  // Frames are gathered behind others only: those that are written again in their place are not.
  if (log.size == 0 && !(is_header && is_next)) return log.methods().xWrite(log.below(), bytes, size, where);
  log.hold(piece, where);
  if (is_header) log.ends_commit = is_last_of_commit(piece);
  return is_page && log.ends_commit ? log.write_held() : SQLITE_OK;
}

/// Every other call but a sync finds the file complete.
template <auto Method, class... Arguments>
int pass(sqlite3_file* file, Arguments... arguments) {
  auto& log = log_of(file);
  if (log.size != 0)
    if (auto const code = log.write_held(); code != SQLITE_OK) return code;
  return (log.methods().*Method)(log.below(), arguments...);
}

/// Frames that were lost belong to a transaction that cannot be committed; what is there instead is no page.
int read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 where) {
  auto& log = log_of(file);
  if (log.trouble != SQLITE_OK && where >= log.at) return log.trouble;
  return pass<&sqlite3_io_methods::xRead>(file, bytes, size, where);
}

/// May come from another thread while frames are gathered: those of a commit are in the file when it has
/// returned.
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
