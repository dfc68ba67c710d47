#include "store/sqlite/database/owner_lock.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include "os/files/network_file_system.hpp"
#include "os/processes/process_table.hpp"
#include "store/contract/store_error.hpp"

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

/// Whether the process that wrote its number into the file has ended.
bool has_holder_ended(int file) {
  std::array<char, 32> text{};
  pid_t pid = 0;
  auto const n = pread(file, text.data(), text.size(), 0);
  if (n <= 0 || std::from_chars(text.data(), text.data() + n, pid).ec != std::errc{}) return false;
  auto const row = os::process_row(pid);
  return !row || row->state == 'Z';
}

/// A process that was killed while it started another one leaves the lock to that one, which drops it when it
/// becomes its program. So a lock whose holder has ended is waited for.
void lock(int file, std::string const& database) {
  constexpr int kBetweenTries = 10;  // milliseconds
  constexpr int kMostTries = 300;
  for (int tries = 0; flock(file, LOCK_EX | LOCK_NB) != 0;) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK)
      throw StoreError{other, "cannot lock " + database + ": " + std::strerror(errno)};
    if (++tries < kMostTries && has_holder_ended(file)) {
      ::poll(nullptr, 0, kBetweenTries);
      continue;
    }
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
