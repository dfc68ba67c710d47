#pragma once

#include "os/files/descriptor.hpp"

namespace andon::os {

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Programs that this process starts do not inherit the ends.
Pipe make_pipe();
void set_nonblocking(Descriptor const& file);

}  // namespace andon::os
