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

/// From now on a signal that ends this process, a fault or one from outside (SIGSEGV, SIGABRT, SIGQUIT …),
/// gives the terminal back first. A child after `fork` does not. One terminal at a time; not to be called by
/// two threads.
void arm_restorer(TerminalBefore const& before);
/// Gives the armed terminal back, in about a second even when its line is stopped. Safe in signal handlers.
void restore_terminal();
/// Signals are handled as before `arm_restorer`.
void disarm_restorer();

}  // namespace andon::os
