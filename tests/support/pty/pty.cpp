// pty COLUMNSxROWS PROGRAM [ARGUMENT…]: runs a program on a pseudo-terminal of that size for a test, and ends
// with its status, or with 128 and its signal. Standard input is what a person types, standard output what
// the screen gets, both as they are.
//
// A line on descriptor 3 is a command; its end is a hang-up, so that nothing outlives the test:
//   COLUMNSxROWS            the window has another size
//   bytes-per-second N      the screen takes its bytes so slowly; 0 stops it
//   hangup                  the terminal goes away
// Descriptor 4 says `pid N` at the start, and `mode cooked` or `mode raw` when the program has ended.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <poll.h>
#include <pty.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kCommands = 3;
constexpr int kReports = 4;
constexpr int kTick = 20;  // ms between two helpings of a slow screen
constexpr int kTicksPerSecond = 1000 / kTick;

void give_up(char const* what) {
  std::perror(what);
  std::exit(125);
}

std::optional<winsize> size_of(std::string const& text) {
  winsize size{};
  if (std::sscanf(text.c_str(), "%hux%hu", &size.ws_col, &size.ws_row) != 2) return std::nullopt;
  return size;
}

void write_all(int file, std::string const& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    auto const count = write(file, bytes.data() + done, bytes.size() - done);
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) return;
  }
}

/// The bytes that are there, at most so many; nothing at the end of the file.
std::optional<std::string> read_some(int file, std::size_t most) {
  std::array<char, 65536> bytes{};
  auto const count = read(file, bytes.data(), std::min(bytes.size(), most));
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::string{};
  if (count <= 0) return std::nullopt;
  return std::string(bytes.data(), static_cast<std::size_t>(count));
}

/// How many bytes the screen takes by now.
class Allowance {
 public:
  void set(int bytes_per_second) { per_second_ = bytes_per_second; }
  bool is_limited() const { return per_second_ >= 0; }
  std::size_t now() {
    if (!is_limited()) return 65536;
    auto const since = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - last_).count();
    if (since >= kTick) {
      left_ = static_cast<std::size_t>((per_second_ + kTicksPerSecond - 1) / kTicksPerSecond);
      last_ = Clock::now();
    }
    return left_;
  }
  void take(std::size_t bytes) { left_ -= std::min(bytes, left_); }

 private:
  int per_second_ = -1;
  std::size_t left_ = 0;
  Clock::time_point last_{};
};

/// The terminal: `screen` is its own end, `line` keeps the program's end as the program left it.
class Session {
 public:
  Session(winsize size, char** argv) {
    if (openpty(&screen_, &line_, nullptr, nullptr, &size) != 0) give_up("openpty");
    child_ = fork();
    if (child_ < 0) give_up("fork");
    if (child_ == 0) {
      close(screen_);
      close(kCommands);
      close(kReports);
      login_tty(line_);
      execvp(argv[0], argv);
      give_up(argv[0]);
    }
    ended_ = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
    if (ended_ < 0) give_up("pidfd_open");
    write_all(kReports, "pid " + std::to_string(child_) + "\n");
  }

  int run() {
    while (step()) continue;
    return finish();
  }

 private:
  /// False when the program has ended.
  bool step() {
    auto const allowed = allowance_.now();
    short const screen_events =
        static_cast<short>((allowed > 0 ? POLLIN : 0) | (typed_.empty() ? 0 : POLLOUT));
    std::array<pollfd, 4> files{{{ended_, POLLIN, 0},
                                 {screen_, screen_events, 0},
                                 {keys_ && typed_.size() < 65536 ? STDIN_FILENO : -1, POLLIN, 0},
                                 {commands_ ? kCommands : -1, POLLIN, 0}}};
    poll(files.data(), files.size(), allowance_.is_limited() ? kTick : -1);
    if ((files[1].revents & POLLIN) != 0) show(allowed);
    if ((files[1].revents & POLLOUT) != 0) send();
    if (files[2].revents != 0) read_keys();
    if (files[3].revents != 0) read_commands();
    return files[0].revents == 0;
  }

  void show(std::size_t most) {
    auto const bytes = read_some(screen_, most).value_or("");
    allowance_.take(bytes.size());
    write_all(STDOUT_FILENO, bytes);
  }

  void read_keys() {
    auto const bytes = read_some(STDIN_FILENO, 4096);
    keys_ = bytes.has_value();
    typed_ += bytes.value_or("");
  }

  /// A program that does not read takes few bytes; poll asks before each.
  void send() {
    auto const count = write(screen_, typed_.data(), std::min<std::size_t>(typed_.size(), 256));
    if (count > 0) typed_.erase(0, static_cast<std::size_t>(count));
  }

  void read_commands() {
    auto const bytes = read_some(kCommands, 4096);
    commands_ = bytes.has_value();
    if (!commands_) return disconnect();
    command_ += *bytes;
    for (auto end = command_.find('\n'); end != std::string::npos; end = command_.find('\n')) {
      obey(command_.substr(0, end));
      command_.erase(0, end + 1);
    }
  }

  void obey(std::string const& command) {
    int number = 0;
    if (auto const size = size_of(command))
      ioctl(screen_, TIOCSWINSZ, &*size);
    else if (std::sscanf(command.c_str(), "bytes-per-second %d", &number) == 1)
      allowance_.set(number);
    else if (command == "hangup")
      disconnect();
  }

  void disconnect() {
    if (screen_ >= 0) close(screen_);
    screen_ = -1;
  }

  int finish() {
    for (pollfd file{screen_, POLLIN, 0}; screen_ >= 0 && poll(&file, 1, 0) > 0;) show(65536);
    termios mode{};
    if (screen_ >= 0 && tcgetattr(line_, &mode) == 0)
      write_all(kReports,
                (mode.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO) ? "mode cooked\n" : "mode raw\n");
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  int screen_ = -1;
  int line_ = -1;
  int ended_ = -1;
  pid_t child_ = 0;
  std::string typed_;    ///< not yet taken by the program
  std::string command_;  ///< the start of a line
  bool keys_ = true;
  bool commands_ = true;
  Allowance allowance_;
};

}  // namespace

int main(int argc, char** argv) {
  auto const size = argc > 2 ? size_of(argv[1]) : std::nullopt;
  if (!size) {
    std::fputs("usage: pty COLUMNSxROWS PROGRAM [ARGUMENT…]\n", stderr);
    return 125;
  }
  return Session(*size, argv + 2).run();
}
