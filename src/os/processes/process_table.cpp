#include "os/processes/process_table.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "os/files/descriptor.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

constexpr std::size_t kLargestEnvironment = 4U << 20U;

/// Reads a file of /proc. Such files have no size and may vanish at any time, so an unreadable file gives an
/// empty text.
std::string read_proc(std::string const& path, std::size_t limit) {
  Descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string content;
  char part[4096];
  while (file && content.size() < limit) {
    auto const n = ::read(file.get(), part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    content.append(part, static_cast<std::size_t>(n));
  }
  return content;
}

/// The target of a link of /proc; empty when it cannot be read.
std::string link_target(std::filesystem::path const& link) {
  std::error_code none;
  return std::filesystem::read_symlink(link, none).native();
}

std::string path_of(pid_t pid, char const* name) { return "/proc/" + std::to_string(pid) + "/" + name; }

/// Parses the fields after the command name, which may itself contain spaces and brackets (proc(5), field 3
/// on).
std::optional<ProcessRow> parse_stat(pid_t pid, std::string const& text) {
  auto const name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  ProcessRow row{.pid = pid};
  int parent = 0;
  int group = 0;
  int session = 0;
  unsigned long long started = 0;
  auto const read = std::sscanf(  // NOLINT(cert-err34-c): what the kernel writes are numbers
      text.c_str() + name_end + 1,
      " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &row.state, &parent,
      &group, &session, &started);
  if (read != 5) return std::nullopt;
  row.parent = parent;
  row.group = group;
  row.session = session;
  row.started = started;
  return row;
}

/// The process numbers in use, the newest first. One system call lists hundreds of numbers, so the last ones
/// may be gone before their turn.
std::vector<pid_t> numbers_by_age() {
  std::unique_ptr<DIR, int (*)(DIR*)> const directory{::opendir("/proc"), ::closedir};
  if (!directory) fail("open", "/proc");
  std::vector<pid_t> numbers;
  while (auto const* entry = ::readdir(directory.get())) {
    std::string_view const name = entry->d_name;
    pid_t pid = 0;
    auto const parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (parsed.ec == std::errc{} && parsed.ptr == name.data() + name.size()) numbers.push_back(pid);
  }
  auto const newest = newest_process();
  std::ranges::sort(numbers, {}, [&](pid_t pid) { return std::pair{pid > newest, -pid}; });
  return numbers;
}

}  // namespace

std::optional<ProcessRow> process_row(pid_t pid) {
  return parse_stat(pid, read_proc(path_of(pid, "stat"), 4096));
}

void visit_processes(std::function<void(ProcessRow const&)> const& visit) {
  for (auto const pid : numbers_by_age())
    if (auto const row = process_row(pid)) visit(*row);
}

std::vector<ProcessRow> process_table() {
  std::vector<ProcessRow> rows;
  visit_processes([&](ProcessRow const& row) { rows.push_back(row); });
  return rows;
}

pid_t newest_process() {
  // Example: "0.20 0.18 0.12 1/80 11206" (proc(5), /proc/loadavg).
  auto const text = read_proc("/proc/loadavg", 256);
  pid_t newest = 0;
  auto const last = text.rfind(' ') + 1;
  auto const read = std::from_chars(text.data() + last, text.data() + text.size(), newest);
  if (last == 0 || read.ec != std::errc{}) fail("read the newest process of", "/proc/loadavg");
  return newest;
}

std::vector<ProcessRow> own_children() {
  std::vector<ProcessRow> children;
  for (auto const& row : process_table())
    if (row.parent == ::getpid()) children.push_back(row);
  return children;
}

std::string arguments_of(pid_t pid, std::size_t limit) {
  auto arguments = read_proc(path_of(pid, "cmdline"), limit);
  if (arguments.size() > limit) arguments.resize(limit);
  return arguments;
}

bool was_started_with(pid_t pid, std::string_view variable) {
  auto const environment = read_proc(path_of(pid, "environ"), kLargestEnvironment);
  std::string_view rest = environment;
  while (!rest.empty()) {
    auto const end = rest.find('\0');
    if (rest.substr(0, end) == variable) return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
  return false;
}

bool is_between_programs(ProcessRow const& row) {
  constexpr pid_t kKernelThreads = 2;
  if (row.pid == kKernelThreads || row.parent == kKernelThreads) return false;
  return read_proc(path_of(row.pid, "cmdline"), 1).empty() &&
         read_proc(path_of(row.pid, "environ"), 1).empty();
}

std::string directory_of(pid_t pid) { return link_target(path_of(pid, "cwd")); }

std::vector<std::string> open_files_of(pid_t pid) {
  std::vector<std::string> out;
  std::error_code none;
  for (std::filesystem::directory_iterator entry{path_of(pid, "fd"), none}, end; !none && entry != end;
       entry.increment(none))
    out.push_back(link_target(entry->path()));
  return out;
}

std::string input_of(pid_t pid) {
  struct stat input{};
  if (::stat(path_of(pid, "fd/0").c_str(), &input) != 0) return {};
  return std::to_string(input.st_dev) + ":" + std::to_string(input.st_ino);
}

}  // namespace andon::os
