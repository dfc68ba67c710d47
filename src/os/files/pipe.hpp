#pragma once

#include "os/files/descriptor.hpp"

namespace andon::os {

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Both ends are closed in programs that are started.
Pipe make_pipe();
void set_nonblocking(Descriptor const& file);

}  // namespace andon::os
