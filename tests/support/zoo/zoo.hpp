// What the misbehaving programs share.
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace zoo {

/// A test that fails must not leave processes behind for ever. To be called again in every child.
inline void end_by_yourself() { ::alarm(60); }

/// Tells the test, through the pipe it named, that this process is there.
inline void here() {
  end_by_yourself();
  char const* path = std::getenv("ZOO_PIPE");
  int const pipe = path ? ::open(path, O_WRONLY | O_CLOEXEC) : -1;
  if (pipe < 0) return;
  char line[32];
  int const length = std::snprintf(line, sizeof line, "%d\n", static_cast<int>(::getpid()));
  if (::write(pipe, line, static_cast<std::size_t>(length)) < 0) std::abort();
  ::close(pipe);
}

/// Keeps a leader that ends from ending before its children have told of themselves.
class Roll {
 public:
  Roll() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) std::abort();
  }
  /// In a child that is there.
  void answer() const {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  /// In the leader, once; until no child holds the other end.
  void call() const {
    ::close(ends_[1]);
    char nothing;
    while (::read(ends_[0], &nothing, 1) > 0) {
    }
  }

 private:
  int ends_[2];
};

inline void ignore_polite_signals() {
  for (int const signal : {SIGTERM, SIGINT, SIGHUP}) ::signal(signal, SIG_IGN);
}

[[noreturn]] inline void stay() {
  while (true) ::pause();
}

}  // namespace zoo
