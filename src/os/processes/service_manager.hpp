#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/time/time.hpp"

namespace andon::os {

/// The way to the service manager that started this process, as sd_notify(3) describes it: datagrams to the
/// socket that `NOTIFY_SOCKET` names, a path or, behind `@`, an abstract name.
class ServiceManager {
 public:
  /// Without a service manager nothing is ever sent.
  static ServiceManager of_this_process();
  ServiceManager(std::string socket, std::optional<core::Duration> watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}

  bool is_there() const { return !socket_.empty(); }
  /// The longest time between two `WATCHDOG=1` after which it takes this process for stuck.
  std::optional<core::Duration> watchdog() const { return watchdog_; }
  /// Assignments such as `READY=1`, one a line. False when they did not arrive, which is no reason to stop.
  bool tell(std::string_view assignments) const;

 private:
  std::string socket_;
  std::optional<core::Duration> watchdog_;
};

}  // namespace andon::os
