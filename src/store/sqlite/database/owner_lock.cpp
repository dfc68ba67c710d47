#include "store/sqlite/database/owner_lock.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "os/files/network_file_system.hpp"
#include "store/contract/store.hpp"

namespace andon::store::sqlite {
namespace {

using enum StoreError::Kind;

void refuse_network(int file, std::string const& database) {
  auto const name = os::network_file_system(file);
  if (!name) return;
  throw StoreError{other, database + " is on a network file system (" + std::string{*name} +
                              "), where locks cannot be trusted; keep it on a local disk, or use PostgreSQL"};
}

std::string holder(int file) {
  std::array<char, 32> text{};
  auto const n = pread(file, text.data(), text.size() - 1, 0);
  std::string pid{text.data(), n > 0 ? static_cast<std::size_t>(n) : 0};
  if (auto const end = pid.find('\n'); end != std::string::npos) pid.resize(end);
  return pid.empty() ? "another process" : "process " + pid;
}

void lock(int file, std::string const& database) {
  while (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK)
      throw StoreError{other, "cannot lock " + database + ": " + std::strerror(errno)};
    throw StoreError{busy, database + " is in use by " + holder(file) + "; stop it or use its server"};
  }
  auto const pid = std::to_string(getpid()) + "\n";
  if (ftruncate(file, 0) != 0 || pwrite(file, pid.data(), pid.size(), 0) < 0)
    return;  // the process id is only information for people
}

}  // namespace

OwnerLock::OwnerLock(std::string const& database)
    : file_(::open((database + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ < 0) {
    auto const kind = errno == EROFS || errno == EACCES ? read_only : errno == ENOSPC ? no_space : other;
    throw StoreError{kind, "cannot open " + database + ".lock: " + std::strerror(errno)};
  }
  try {
    refuse_network(file_, database);
    lock(file_, database);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

OwnerLock::~OwnerLock() { ::close(file_); }

}  // namespace andon::store::sqlite
