#include "os/terminal/held_messages.hpp"

#include <array>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/system_error.hpp"

namespace andon::os {

HeldMessages::HeldMessages()
    : before_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)), held_(::memfd_create("messages", MFD_CLOEXEC)) {
  if (!before_ || !held_) fail("hold", "the standard error");
  ::dup2(held_.get(), STDERR_FILENO);
}

HeldMessages::~HeldMessages() {
  ::dup2(before_.get(), STDERR_FILENO);
  ::lseek(held_.get(), 0, SEEK_SET);
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = ::read(held_.get(), part.data(), part.size())) > 0;)
    if (::write(STDERR_FILENO, part.data(), static_cast<std::size_t>(n)) < 0) return;
}

}  // namespace andon::os
