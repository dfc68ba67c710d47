#include "os/processes/event.hpp"

#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>

#include "os/system_error.hpp"

namespace andon::os {

Event::Event() : file_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!file_) fail("make an event descriptor");
}

void Event::set() const {
  std::uint64_t const one = 1;
  [[maybe_unused]] auto const n = ::write(file_.get(), &one, sizeof one);
}

bool Event::is_set() const {
  pollfd waiting{file_.get(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

}  // namespace andon::os
