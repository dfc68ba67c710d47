#include "os/processes/capture.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include "os/files/pipe.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/resource_use.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

/// The output of a stream, up to a limit.
struct Printed {
  std::string text{};
  bool cut = false;
};

/// False at the end of the stream.
bool read_some(Descriptor const& file, Printed& out, std::size_t limit) {
  std::array<char, 16384> part;
  auto const n = ::read(file.get(), part.data(), part.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  auto const room = limit - std::min(limit, out.text.size());
  auto const count = static_cast<std::size_t>(n);
  out.text.append(part.data(), std::min(room, count));
  out.cut = out.cut || count > room;
  return n > 0;
}

/// Reads the available bytes without waiting, since a descendant may hold the other end open for ever.
void drain(Descriptor const& file, Printed& out, std::size_t limit) {
  set_nonblocking(file);
  auto before = out.text.size();
  while (file && read_some(file, out, limit) && out.text.size() > before) before = out.text.size();
}

bool has_ended(Child const& child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

}  // namespace

Captured capture(Command command, CaptureLimits limits) {
  SystemClock const clock;
  auto pipe = make_pipe();
  auto errors = make_pipe();
  command.out = pipe.write.get();
  command.err = errors.write.get();
  auto const child = spawn(command);
  if (limits.file_bytes > 0) limit_file_size(child.pid, limits.file_bytes);
  pipe.write.reset();
  errors.write.reset();

  Captured captured;
  Printed said;
  Printed said_aside;
  auto const deadline = clock.uptime() + limits.time;
  while (!has_ended(child)) {
    auto const left = (deadline - clock.uptime()).count();
    if (left <= 0) {
      captured.timed_out = true;
      break;
    }
    std::array<pollfd, 4> waiting{pollfd{pipe.read.get(), POLLIN, 0}, pollfd{errors.read.get(), POLLIN, 0},
                                  pollfd{child.handle.get(), POLLIN, 0}, pollfd{limits.stop, POLLIN, 0}};
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0 && errno != EINTR) fail("wait");
    if (waiting[3].revents != 0) {
      captured.timed_out = true;
      break;
    }
    if (waiting[0].revents != 0 && !read_some(pipe.read, said, limits.bytes)) pipe.read.reset();
    if (waiting[1].revents != 0 && !read_some(errors.read, said_aside, limits.bytes)) errors.read.reset();
  }
  // While the child is not reaped, the kernel cannot reuse the number of its process group.
  ::kill(-child.pid, SIGKILL);
  captured.status = reap(child.pid);
  drain(pipe.read, said, limits.bytes);
  drain(errors.read, said_aside, limits.bytes);
  captured.cut = said.cut || said_aside.cut;
  captured.printed = said.text.size();
  captured.out = std::move(said.text) + said_aside.text;
  return captured;
}

}  // namespace andon::os
