#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time/time.hpp"
#include "os/files/descriptor.hpp"

namespace andon::os {

/// The connection to the service manager that started this process (sd_notify(3)). It sends datagrams to the
/// socket in `NOTIFY_SOCKET`: a path, or an abstract name after `@`.
class ServiceManager {
 public:
  /// Without a service manager the object sends nothing.
  static ServiceManager of_this_process();
  ServiceManager(std::string socket, std::optional<core::Duration> watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}

  bool is_there() const { return !socket_.empty(); }
  /// The longest time between two `WATCHDOG=1` before the manager takes this process for stuck.
  std::optional<core::Duration> watchdog() const { return watchdog_; }
  /// Sends assignments such as `READY=1`, one per line. False when they did not arrive; the caller may
  /// continue.
  bool tell(std::string_view assignments) const;

 private:
  std::string socket_;
  std::optional<core::Duration> watchdog_;
};

/// Takes the listening sockets that the service manager passed to this process (sd_listen_fds(3)): the
/// descriptors from 3 on, `LISTEN_FDS` of them, if `LISTEN_PID` names this process. Children inherit neither
/// them nor the variables.
std::vector<Descriptor> take_passed_sockets();

}  // namespace andon::os
