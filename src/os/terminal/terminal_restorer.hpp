#pragma once

#include <termios.h>

namespace andon::os {

/// A terminal and the mode it had before.
struct TerminalBefore {
  int in;
  int out;  ///< written to without waiting, where it can be opened so
  bool with_mouse;
  termios before;
};

/// From now on a fault of this process (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) gives the terminal back
/// before it ends the process. A child after `fork` does not. One terminal at a time; not to be called by two
/// threads.
void arm_restorer(TerminalBefore const& before);
/// Gives the armed terminal back, in about a second even when its line is stopped. Safe in signal handlers.
void restore_terminal();
/// Faults are handled as before `arm_restorer`.
void disarm_restorer();

}  // namespace andon::os
