#include "runner/supervision/survivors.hpp"

#include <atomic>
#include <unistd.h>

#include "os/processes/process_table.hpp"

namespace andon::test {

Survivors::Survivors() {
  static std::atomic<int> made = 0;
  mark_ = "600." + std::to_string(::getpid()) + std::to_string(++made);
}

/// The script goes on when all are `sleep` itself: `env` and `setsid` have the same last argument before they
/// become it. /dev/null is one more file without those words.
std::string Survivors::script() const {
  auto const sleep = "sleep " + mark_;
  auto const marked = "$(grep -lzx '" + mark_ + "' /proc/[0-9]*/cmdline 2>/dev/null)";
  return sleep + " & setsid " + sleep + " & (env -i " + sleep + " &) ; (env -i setsid " + sleep +
         " &) ; until [ $(grep -Lzx -e env -e setsid " + marked + " /dev/null 2>/dev/null | wc -l) -ge " +
         std::to_string(kShapes + 1) + " ]; do :; done; ";
}

int Survivors::count() const {
  std::string const command = std::string{"sleep"} + '\0' + mark_ + '\0';
  int found = 0;
  os::visit_processes([&](os::ProcessRow const& row) {
    if (os::arguments_of(row.pid, command.size() + 1) == command) ++found;
  });
  return found;
}

}  // namespace andon::test
