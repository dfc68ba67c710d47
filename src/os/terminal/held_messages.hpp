#pragma once

#include "os/files/descriptor.hpp"

namespace andon::os {

/// Keeps what this process writes to its standard error, and prints it there at the end of its life. For
/// programs that draw on the whole terminal.
class HeldMessages {
 public:
  HeldMessages();
  HeldMessages(HeldMessages const&) = delete;
  ~HeldMessages();

 private:
  Descriptor before_;
  Descriptor held_;
};

/// Writes what is held where standard error led before. Safe in signal handlers.
void show_held_messages();

}  // namespace andon::os
