#include "os/processes/cgroup.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <ranges>
#include <set>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <vector>

#include "os/files/file.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/process.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestControlFile = 16U << 20U;
constexpr core::Duration kLookEvery{100};

std::string content_of(fs::path const& file) {
  try {
    return read_file_if_there(file, kLargestControlFile).value_or("");
  } catch (SystemError const&) {
    return {};  // the kernel answers ENODEV for a group that was removed meanwhile
  }
}

bool write_switch(fs::path const& file, std::string_view value) {
  Descriptor const opened{::open(file.c_str(), O_WRONLY | O_CLOEXEC)};
  return opened && ::write(opened.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

/// The group and all groups beneath it, outermost first.
std::vector<fs::path> groups_within(fs::path const& group) {
  std::vector<fs::path> found{group};
  for (std::size_t at = 0; at < found.size(); ++at) {
    std::error_code error;
    fs::directory_iterator const entries{found[at], error};
    if (error) continue;
    for (auto const& entry : entries)
      if (entry.is_directory(error) && !entry.is_symlink(error)) found.push_back(entry.path());
  }
  return found;
}

std::set<pid_t> processes_in(fs::path const& group) {
  std::set<pid_t> pids;
  for (auto const& inner : groups_within(group))
    for (auto const line : std::views::split(content_of(inner / "cgroup.procs"), '\n')) {
      pid_t pid = 0;
      std::string_view const digits{line};
      std::from_chars(digits.data(), digits.data() + digits.size(), pid);
      if (pid > 0) pids.insert(pid);
    }
  return pids;
}

/// Kills each process through a handle. A handle is safe if its number is listed again after the handle was
/// opened: then the number was not reused.
void kill_each(fs::path const& group) {
  write_switch(group / "cgroup.freeze", "1");
  std::vector<std::pair<pid_t, Descriptor>> handles;
  for (auto const pid : processes_in(group)) handles.emplace_back(pid, open_process(pid));
  auto const still = processes_in(group);
  for (auto const& [pid, handle] : handles)
    if (handle && still.contains(pid) && pid != ::getpid())
      ::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
}

}  // namespace

bool Cgroup::is_there() const {
  std::error_code error;
  return fs::is_directory(directory_, error);
}

Descriptor Cgroup::open() const { return open_directory(directory_); }

std::size_t Cgroup::size() const { return processes_in(directory_).size(); }

std::vector<pid_t> Cgroup::processes() const {
  auto const pids = processes_in(directory_);
  return {pids.begin(), pids.end()};
}

void Cgroup::limit(std::int64_t memory, std::int64_t processes, std::int64_t cpu_weight) const {
  for (auto const& [file, value] :
       {std::pair{"memory.max", memory}, {"pids.max", processes}, {"cpu.weight", cpu_weight}})
    if (value > 0) write_switch(directory_ / file, std::to_string(value));
}

bool Cgroup::ran_out_of_memory() const {
  auto const events = content_of(directory_ / "memory.events");
  auto const at = events.find("oom_kill ");
  return at != std::string::npos && events.substr(at + 9, 1) != "0";
}

bool Cgroup::is_empty() const {
  auto const events = content_of(directory_ / "cgroup.events");
  return !events.contains("populated 1") && (events.contains("populated 0") || !is_there());
}

void Cgroup::kill() const {
  if (!write_switch(directory_ / "cgroup.kill", "1")) kill_each(directory_);
}

bool Cgroup::end(core::Duration limit) const {
  SystemClock const clock;
  auto const deadline = clock.uptime() + limit;
  // Open the file before the first reading, so that poll(2) reports every change after it.
  Descriptor const events{::open((directory_ / "cgroup.events").c_str(), O_RDONLY | O_CLOEXEC)};
  while (!is_empty()) {
    auto const left = deadline - clock.uptime();
    if (left <= core::Duration{}) return false;
    kill();
    pollfd changed{events.get(), POLLPRI, 0};
    if (!is_empty()) ::poll(&changed, 1, static_cast<int>(std::min(left, kLookEvery).count()));
  }
  // `kill_each` freezes the group. Unfreeze it, or a process that is born in it later would never run.
  write_switch(directory_ / "cgroup.freeze", "0");
  return true;
}

bool Cgroup::remove() const {
  for (auto const& group : std::views::reverse(groups_within(directory_))) ::rmdir(group.c_str());
  return !is_there();
}

Cgroup make_cgroup(fs::path const& parent, std::string const& name) {
  auto const directory = parent / name;
  // The kernel refuses a controller that it does not have here, or for a group with processes of its own.
  for (auto const* controller : {"+memory", "+pids", "+cpu"})
    write_switch(parent / "cgroup.subtree_control", controller);
  if (::mkdir(directory.c_str(), 0755) != 0) fail("make the cgroup", directory.native());
  return Cgroup{directory};
}

}  // namespace andon::os
