#include "os/terminal/held_messages.hpp"

#include <array>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/system_error.hpp"

namespace andon::os {

namespace {

// Set before a handler may read them.
int shown_on = -1;
int held_in = -1;

}  // namespace

HeldMessages::HeldMessages()
    : before_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)), held_(::memfd_create("messages", MFD_CLOEXEC)) {
  if (!before_ || !held_) fail("hold", "the standard error");
  ::dup2(held_.get(), STDERR_FILENO);
  shown_on = before_.get();
  held_in = held_.get();
}

HeldMessages::~HeldMessages() {
  ::dup2(before_.get(), STDERR_FILENO);
  show_held_messages();
  shown_on = held_in = -1;
}

void show_held_messages() {
  if (held_in < 0) return;
  ::lseek(held_in, 0, SEEK_SET);
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = ::read(held_in, part.data(), part.size())) > 0;)
    if (::write(shown_on, part.data(), static_cast<std::size_t>(n)) < 0) return;
}

}  // namespace andon::os
