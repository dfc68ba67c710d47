#include "os/processes/resource_use.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

#include "os/files/descriptor.hpp"

namespace andon::os {
namespace {

constexpr std::size_t kMostProcesses = 20'000;
constexpr std::string_view kEarlyVictim = "800";
constexpr std::size_t kSmallFile = 64U << 10U;

std::string of_process(pid_t pid, std::string_view name) {
  return "/proc/" + std::to_string(pid) + "/" + std::string{name};
}

/// The beginning of a file of /proc; empty for a process that has ended.
std::string content_of_proc(std::string const& path) {
  Descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string content(kSmallFile, '\0');
  auto const n = file ? ::read(file.get(), content.data(), content.size()) : 0;
  content.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return content;
}

void write_proc(std::string const& path, std::string_view value) {
  Descriptor const file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  [[maybe_unused]] auto const n = file ? ::write(file.get(), value.data(), value.size()) : 0;
}

std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> out;
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
    std::int64_t number = 0;
    auto const end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
    if (!text.empty()) out.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return out;
}

/// The children of all threads of a process.
void add_children(pid_t pid, std::vector<pid_t>& out) {
  std::error_code gone;
  for (auto const& thread : std::filesystem::directory_iterator{of_process(pid, "task"), gone})
    for (auto const child : numbers_in(content_of_proc(thread.path() / "children")))
      out.push_back(static_cast<pid_t>(child));
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t pid) {
  std::vector<pid_t> found;
  add_children(pid, found);
  for (std::size_t at = 0; at < found.size() && found.size() < kMostProcesses; ++at)
    add_children(found[at], found);
  return found;
}

std::int64_t resident_memory(std::vector<pid_t> const& processes) {
  static auto const page = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  std::int64_t own = 0;
  std::int64_t shared = 0;
  for (auto const pid : processes) {
    auto const pages = numbers_in(content_of_proc(of_process(pid, "statm")));
    if (pages.size() < 3) continue;
    own += std::max<std::int64_t>(pages[1] - pages[2], 0);
    shared = std::max(shared, pages[2]);
  }
  return (own + shared) * page;
}

core::ResourceUse use_of_ended_children() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  auto const of = [](timeval const& time) {
    return std::chrono::seconds{time.tv_sec} + std::chrono::microseconds{time.tv_usec};
  };
  return {std::int64_t{used.ru_maxrss} << 10U,
          std::chrono::duration_cast<core::Duration>(of(used.ru_utime) + of(used.ru_stime))};
}

std::int64_t processes_ended_without_memory() {
  constexpr std::string_view kCount = "oom_kill ";
  auto const counts = content_of_proc("/proc/vmstat");
  auto const at = counts.find(kCount);
  if (at == std::string::npos) return 0;
  auto const numbers = numbers_in(std::string_view{counts}.substr(at + kCount.size(), 20));
  return numbers.empty() ? 0 : numbers.front();
}

void end_first_without_memory(pid_t pid) { write_proc(of_process(pid, "oom_score_adj"), kEarlyVictim); }

void set_cpu_weight(pid_t pid, std::int64_t weight) {
  // Each step of niceness changes the share of a process by a factor of about 1.25 (sched(7)).
  auto const nice =
      static_cast<int>(std::lround(-std::log(static_cast<double>(weight) / 100) / std::log(1.25)));
  auto const kept = std::clamp(nice, -20, 19);
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(pid), kept);
  write_proc(of_process(pid, "autogroup"), std::to_string(kept));
}

void limit_file_size(pid_t pid, std::int64_t bytes) {
  rlimit const limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  ::prlimit(pid, RLIMIT_FSIZE, &limit, nullptr);
}

}  // namespace andon::os
