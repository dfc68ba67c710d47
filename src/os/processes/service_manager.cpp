#include "os/processes/service_manager.hpp"

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "os/files/descriptor.hpp"

namespace andon::os {
namespace {

std::string_view variable(char const* name) {
  auto const* value = std::getenv(name);
  return value ? value : "";
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  auto const* end = text.data() + text.size();
  auto const read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc{} && read.ptr == end && number > 0 ? std::optional{number} : std::nullopt;
}

/// The watchdog applies to one process, not to its children, which inherit the variables.
std::optional<core::Duration> watchdog_of_this_process() {
  auto const pid = number_in(variable("WATCHDOG_PID"));
  if (pid && *pid != ::getpid()) return std::nullopt;
  auto const microseconds = number_in(variable("WATCHDOG_USEC"));
  if (!microseconds) return std::nullopt;
  return std::chrono::duration_cast<core::Duration>(std::chrono::microseconds{*microseconds});
}

}  // namespace

ServiceManager ServiceManager::of_this_process() {
  return {std::string{variable("NOTIFY_SOCKET")}, watchdog_of_this_process()};
}

bool ServiceManager::tell(std::string_view assignments) const {
  sockaddr_un address{};
  bool const is_address = socket_.size() > 1 && (socket_.front() == '/' || socket_.front() == '@');
  if (!is_address || socket_.size() >= sizeof address.sun_path) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_.front() == '@') address.sun_path[0] = '\0';
  Descriptor const file{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  auto const length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  return file && ::sendto(file.get(), assignments.data(), assignments.size(), MSG_NOSIGNAL,
                          reinterpret_cast<sockaddr const*>(&address), length) >= 0;
}

std::vector<Descriptor> take_passed_sockets() {
  constexpr int kFirst = 3;
  constexpr std::int64_t kMost = 64;
  auto const pid = number_in(variable("LISTEN_PID"));
  auto const count = number_in(variable("LISTEN_FDS")).value_or(0);
  for (auto const* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  std::vector<Descriptor> out;
  if (!pid || *pid != ::getpid() || count > kMost) return out;
  for (int file = kFirst; file < kFirst + count; ++file)
    if (::fcntl(file, F_SETFD, FD_CLOEXEC) == 0) out.emplace_back(file);
  return out;
}

}  // namespace andon::os
