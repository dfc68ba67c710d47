#include "store/sqlite/database/log_room.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>

#include "os/files/descriptor.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::sqlite {
namespace {

/// In bytes. A unit of work writes about thirty pages of 4 KiB.
constexpr off_t kRoom = off_t{256} * 1024;

}  // namespace

/// SQLite locks other files than its log, so closing a second descriptor of the log releases no lock.
void reserve_log_room(Connection& db) {
  auto const* const path = sqlite3_db_filename(db.handle(), "main");
  if (!path || *path == 0) return;
  os::Descriptor const log{::open((std::string{path} + "-wal").c_str(), O_WRONLY | O_CLOEXEC)};
  struct stat about{};
  if (!log || ::fstat(log.get(), &about) != 0) return;
  if (::fallocate(log.get(), FALLOC_FL_KEEP_SIZE, about.st_size, kRoom) == 0) return;
  if (errno == ENOSPC || errno == EDQUOT)
    throw StoreError{StoreError::Kind::no_space, "there is no room on the disk for the index"};
}

}  // namespace andon::store::sqlite
