#include "os/files/pipe.hpp"

#include <fcntl.h>

#include "os/system_error.hpp"

namespace andon::os {

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("make a pipe");
  return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

void set_nonblocking(Descriptor const& file) {
  if (file && ::fcntl(file.get(), F_SETFL, O_NONBLOCK) < 0) fail("change a descriptor");
}

}  // namespace andon::os
