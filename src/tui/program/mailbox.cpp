#include "tui/program/mailbox.hpp"

#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

#include "os/system_error.hpp"

namespace andon::tui {

Mailbox::Mailbox() : wake_up_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (wake_up_.get() < 0) os::fail("eventfd");
}

void Mailbox::post(Happening happening) {
  std::lock_guard const lock{mutex_};
  waiting_.push_back(std::move(happening));
  std::uint64_t const one = 1;
  // It fails only when it rings already.
  [[maybe_unused]] auto const written = ::write(wake_up_.get(), &one, sizeof one);
}

std::vector<Happening> Mailbox::take() {
  std::lock_guard const lock{mutex_};
  std::uint64_t count = 0;
  [[maybe_unused]] auto const read = ::read(wake_up_.get(), &count, sizeof count);
  return std::exchange(waiting_, {});
}

}  // namespace andon::tui
