#include "os/terminal/terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "os/system_error.hpp"
#include "os/terminal/terminal_restorer.hpp"

namespace andon::os {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[0m";
constexpr std::string_view kEnterMouse = "\x1b[?1002h\x1b[?1006h";
constexpr int kMostQueued = 256;
constexpr std::size_t kMostRead = std::size_t{64} * 1024;
/// The driver takes at least so much at once when it says that it takes something.
constexpr std::size_t kBlockingPiece = 64;

short poll_for(int file, short events, int milliseconds) {
  pollfd waited{file, events, 0};
  if (::poll(&waited, 1, milliseconds) <= 0) return 0;
  return waited.revents;
}

[[noreturn]] void fail_gone(std::string_view what) { throw SystemError(what, "the terminal", EIO); }

/// Opens the terminal once more: a mode of this descriptor is not one of the shell's, too. None where the
/// process may not, as after `su`.
Descriptor opened_again(int out) {
  auto const path = "/proc/self/fd/" + std::to_string(out);
  return Descriptor{::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
}

termios raw(termios mode) {
  ::cfmakeraw(&mode);  // without ISIG: Ctrl-C and Ctrl-Z are keys
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  return mode;
}

int held(unsigned short said, int otherwise) { return said == 0 ? otherwise : std::min<int>(said, 1000); }

}  // namespace

Terminal::Terminal(int in, int out, bool with_mouse) : in_(in), out_(out), with_mouse_(with_mouse) {
  if (::tcgetattr(in_, &before_) != 0 || !::isatty(out_)) fail("use the terminal");
  line_ = opened_again(out_);
}

Terminal::~Terminal() { leave(); }

void Terminal::enter() {
  if (!is_entered_ && ::tcgetattr(in_, &before_) != 0) fail("read the mode of the terminal");
  arm_restorer({.in = in_, .out = output(), .with_mouse = with_mouse_, .before = before_});
  is_entered_ = true;
  auto const mode = raw(before_);
  if (::tcsetattr(in_, TCSANOW, &mode) != 0) fail("set the mode of the terminal");
  write_all(kEnter);
  if (with_mouse_) write_all(kEnterMouse);
}

void Terminal::leave() {
  if (!is_entered_) return;
  is_entered_ = false;
  restore_terminal();
  disarm_restorer();
}

TerminalSize Terminal::size() const {
  winsize said{};
  if (::ioctl(out_, TIOCGWINSZ, &said) != 0) said = {};
  constexpr TerminalSize kOtherwise;
  return {held(said.ws_col, kOtherwise.columns), held(said.ws_row, kOtherwise.rows)};
}

std::string Terminal::read() {
  auto const ready = poll_for(in_, POLLIN, 0);
  if (ready == 0) return {};
  if ((ready & POLLIN) == 0) fail_gone("read from");
  std::string bytes(kMostRead, '\0');
  auto const count = ::read(in_, bytes.data(), bytes.size());
  if (count == 0) fail_gone("read from");
  if (count < 0 && errno != EAGAIN && errno != EINTR) fail("read from", "the terminal");
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return bytes;
}

std::size_t Terminal::write(std::string_view bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    auto const ready = poll_for(output(), POLLOUT, 0);
    if ((ready & (POLLERR | POLLHUP | POLLNVAL)) != 0) fail_gone("write to");
    if (ready == 0) break;
    auto const rest = bytes.substr(written);
    auto const count =
        ::write(output(), rest.data(), line_ ? rest.size() : std::min(rest.size(), kBlockingPiece));
    if (count < 0 && errno != EAGAIN && errno != EINTR) fail("write to", "the terminal");
    if (count < 0) break;
    written += static_cast<std::size_t>(count);
  }
  return written;
}

void Terminal::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    poll_for(output(), POLLOUT, -1);
    bytes.remove_prefix(write(bytes));
  }
}

bool Terminal::is_congested() const {
  int queued = 0;
  if (::ioctl(out_, TIOCOUTQ, &queued) == 0 && queued > kMostQueued) return true;
  // A pseudo-terminal reports no queue; it says only when it is full.
  return poll_for(output(), POLLOUT, 0) == 0;
}

}  // namespace andon::os
