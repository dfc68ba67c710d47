#include "os/terminal/terminal.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <doctest/doctest.h>

#include "os/processes/clock.hpp"
#include "os/system_error.hpp"

using namespace andon;

namespace {

constexpr std::string_view kEntered = "\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[0m\x1b[?1002h\x1b[?1006h";
constexpr std::string_view kLeft = "\x1b[?1006l\x1b[?1002l\x1b[?2004l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

/// Both ends of a pseudo-terminal: `program` is the terminal of a program, `person` is its screen and keys.
struct PseudoTerminal {
  PseudoTerminal() : person(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    REQUIRE(::grantpt(person.get()) == 0);
    REQUIRE(::unlockpt(person.get()) == 0);
    program.reset(::open(::ptsname(person.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    REQUIRE(program);
  }

  std::string shown() const {
    std::string out;
    for (pollfd waited{person.get(), POLLIN, 0};
         ::poll(&waited, 1, 0) > 0 && (waited.revents & POLLIN) != 0;) {
      std::array<char, 4096> bytes{};
      auto const count = ::read(person.get(), bytes.data(), bytes.size());
      if (count <= 0) break;
      out.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return out;
  }
  /// The bytes are there for the program a moment later.
  void type(std::string_view bytes) const {
    REQUIRE(::write(person.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    pollfd waited{program.get(), POLLIN, 0};
    REQUIRE(::poll(&waited, 1, 10'000) == 1);
  }
  termios mode() const {
    termios mode{};
    REQUIRE(::tcgetattr(program.get(), &mode) == 0);
    return mode;
  }
  void resize(unsigned short columns, unsigned short rows) const {
    winsize const size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    REQUIRE(::ioctl(person.get(), TIOCSWINSZ, &size) == 0);
  }
  os::Terminal terminal(bool with_mouse = true) const { return {program.get(), program.get(), with_mouse}; }

  os::Descriptor person;
  os::Descriptor program;
};

/// Ends the process by a fault inside a terminal that it entered; gives its status.
int status_after(int signal, PseudoTerminal const& line) {
  auto const child = ::fork();
  if (child == 0) {
    rlimit const no_core{};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (int const fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) ::signal(fault, SIG_DFL);
    auto terminal = line.terminal();
    terminal.enter();
    ::raise(signal);
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

}  // namespace

TEST_CASE("Terminal.IsTakenOverAndGivenBack") {
  PseudoTerminal const line;
  auto const before = line.mode();
  auto terminal = line.terminal();
  CHECK(line.shown().empty());
  terminal.enter();
  CHECK(line.shown() == kEntered);
  CHECK((line.mode().c_lflag & (ICANON | ECHO | ISIG)) == 0);
  terminal.leave();
  CHECK(line.shown() == kLeft);
  CHECK(line.mode().c_lflag == before.c_lflag);
  CHECK(line.mode().c_iflag == before.c_iflag);
  CHECK(line.mode().c_oflag == before.c_oflag);
  terminal.leave();
  CHECK(line.shown().empty());
  terminal.enter();
  CHECK(line.shown() == kEntered);
}

TEST_CASE("Terminal.WithoutTheMouseItIsLeftToTheTerminal") {
  PseudoTerminal const line;
  {
    auto terminal = line.terminal(false);
    terminal.enter();
  }
  CHECK(line.shown().find("?100") == std::string::npos);
}

TEST_CASE("Terminal.IsGivenBackWhenAFaultEndsTheProcess") {
  for (int const signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    PseudoTerminal const line;
    auto const before = line.mode();
    auto const status = status_after(signal, line);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(line.shown() == std::string{kEntered} + std::string{kLeft});
    CHECK(line.mode().c_lflag == before.c_lflag);
  }
}

TEST_CASE("Terminal.HandlersOfFaultsAreThoseFromBeforeAfterIt") {
  struct sigaction before{}, after{};
  ::sigaction(SIGSEGV, nullptr, &before);
  PseudoTerminal const line;
  auto terminal = line.terminal();
  terminal.enter();
  terminal.leave();
  ::sigaction(SIGSEGV, nullptr, &after);
  CHECK((before.sa_handler == after.sa_handler));
}

TEST_CASE("Terminal.ReadsTheBytesThatAreThere") {
  PseudoTerminal const line;
  auto terminal = line.terminal();
  terminal.enter();
  CHECK(terminal.read().empty());
  line.type("\x03\r");
  CHECK(terminal.read() == "\x03\r");
  CHECK(terminal.read().empty());
}

TEST_CASE("Terminal.SaysItsSize") {
  PseudoTerminal const line;
  auto const terminal = line.terminal();
  CHECK(terminal.size() == os::TerminalSize{80, 24});
  line.resize(132, 50);
  CHECK(terminal.size() == os::TerminalSize{132, 50});
  line.resize(65'535, 1);
  CHECK(terminal.size() == os::TerminalSize{1000, 1});
}

TEST_CASE("Terminal.AHangUpIsAnError") {
  PseudoTerminal line;
  auto terminal = line.terminal();
  terminal.enter();
  line.person.reset();
  CHECK_THROWS_AS(terminal.read(), os::SystemError);
  CHECK_THROWS_AS(terminal.write("x"), os::SystemError);
  terminal.leave();
}

TEST_CASE("Terminal.APipeIsNone") {
  os::Descriptor const null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  CHECK_THROWS_AS(os::Terminal(null.get(), null.get(), false), os::SystemError);
}

TEST_CASE("Terminal.AStoppedLineIsCongestedAndLeftInTime") {
  PseudoTerminal const line;
  auto terminal = line.terminal();
  terminal.enter();
  CHECK_FALSE(terminal.is_congested());
  REQUIRE(::tcflow(line.program.get(), TCOOFF) == 0);
  CHECK(terminal.is_congested());
  CHECK(terminal.write("picture") == 0);
  auto const begin = os::kSystemClock.uptime();
  terminal.leave();
  CHECK(os::kSystemClock.uptime() - begin < core::Duration{5000});
  CHECK((line.mode().c_lflag & ECHO) != 0);
}

TEST_CASE("Terminal.WritesWhatASlowReaderTakes") {
  PseudoTerminal const line;
  auto const picture = std::string(100'000, 'x') + "END";
  auto const child = ::fork();
  if (child == 0) {
    auto terminal = line.terminal();
    terminal.enter();
    std::string_view rest = picture;
    while (!rest.empty()) {
      pollfd waited{terminal.output(), POLLOUT, 0};
      ::poll(&waited, 1, -1);
      rest.remove_prefix(terminal.write(rest));
    }
    ::_exit(0);
  }
  std::string seen;
  for (pollfd waited{line.person.get(), POLLIN, 0}; !seen.ends_with("END");) {
    REQUIRE(::poll(&waited, 1, 10'000) == 1);
    seen += line.shown();
  }
  CHECK(seen == std::string{kEntered} + picture);
  CHECK(::waitpid(child, nullptr, 0) == child);
}
