#pragma once

#include <string>
#include <string_view>
#include <termios.h>

#include "os/files/descriptor.hpp"

namespace andon::os {

struct TerminalSize {
  int columns = 80;
  int rows = 24;
  bool operator==(TerminalSize const&) const = default;
};

/// The terminal of this process while a program draws on all of it: keys come unechoed, one by one, and what
/// was on the screen before comes back at the end. One per process.
///
/// It is given back clean in `leave`, in the destructor, and by a handler when the process dies of a fault
/// (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT). Signals that ask to end (SIGTERM, SIGHUP, SIGINT) and to stop
/// (SIGTSTP) are for the caller to wait for, with `SignalQueue`.
class Terminal {
 public:
  /// On these descriptors, which must be a terminal. Throws `SystemError`.
  Terminal(int in, int out, bool with_mouse);
  Terminal(Terminal const&) = delete;
  ~Terminal();

  /// Enters: raw mode, the alternate screen, bracketed paste, the mouse if wanted. Also after `leave`.
  void enter();
  /// Gives the terminal back, within about a second even when its line is stopped. Errors are ignored: it may
  /// be gone.
  void leave();

  int input() const { return in_; }
  /// To wait for until it takes bytes.
  int output() const { return line_ ? line_.get() : out_; }
  /// Its size. A terminal that does not say is 80 by 24; one that says nonsense is held to 1–1,000.
  TerminalSize size() const;
  /// The bytes that are there now, at most 64 KiB; empty when there are none. Throws `SystemError` when the
  /// terminal is gone.
  std::string read();
  /// Writes what the line takes now, and answers how many bytes that were. Throws `SystemError` when the
  /// terminal is gone.
  std::size_t write(std::string_view bytes);
  /// True while the terminal has not yet taken bytes that were written. Further ones would queue behind them.
  /// A pseudo-terminal shows this only when its queue of some 20 kB is full.
  bool is_congested() const;

 private:
  void write_all(std::string_view bytes);

  int in_;
  int out_;
  bool with_mouse_;
  bool is_entered_ = false;
  termios before_{};
  Descriptor line_;  ///< the terminal opened once more, without waiting; none where the process may not
};

}  // namespace andon::os
