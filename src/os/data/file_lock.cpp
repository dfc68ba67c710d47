#include "os/data/file_lock.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "os/files/file.hpp"
#include "os/processes/process_table.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

Descriptor open_lock(std::filesystem::path const& path) {
  Descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!file) fail("open the lock", path.native());
  return file;
}

bool lock(Descriptor const& file, int how, std::filesystem::path const& path) {
  while (::flock(file.get(), how) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) fail("lock", path.native());
  }
  return true;
}

constexpr std::size_t kLongestCommand = 200;

/// The command line of a process, for people to read.
std::string command_of(pid_t pid) {
  auto text = arguments_of(pid, kLongestCommand + 1);
  bool const is_cut = text.size() > kLongestCommand;
  if (is_cut) text.resize(kLongestCommand);
  while (text.ends_with('\0')) text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  return is_cut ? text + "…" : text;
}

bool is_stopped(pid_t pid) {
  auto const row = process_row(pid);
  return row && (row->state == 'T' || row->state == 't');
}

/// A lock on a file, of flock(2) or fcntl(2).
struct LockRow {
  std::string kind;
  pid_t pid = 0;
  bool is_exact = false;  ///< the device is that of the file, too
};

/// Reads /proc/locks. A held lock is `1: FLOCK  ADVISORY  WRITE PID MAJOR:MINOR:INODE 0 EOF`, a waiting
/// process is `1: -> FLOCK …`. Some file systems show another device there than stat(2), so a row with only
/// the inode may be of the file as well.
std::vector<LockRow> locks_on(std::filesystem::path const& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return {};
  auto const inode = ":" + std::to_string(about.st_ino);
  char device[32];
  std::snprintf(device, sizeof device, "%02x:%02x", ::major(about.st_dev), ::minor(about.st_dev));
  auto const very = device + inode;
  std::vector<LockRow> out;
  std::ifstream locks{"/proc/locks"};
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words{line};
    std::string number, how, what, place;
    LockRow row;
    bool const is_held = words >> number >> row.kind >> how >> what >> row.pid >> place && row.kind != "->";
    if (!is_held || !place.ends_with(inode)) continue;
    row.is_exact = place == very;
    out.push_back(std::move(row));
  }
  return out;
}

void sign(Descriptor const& file, std::filesystem::path const& path) {
  if (::ftruncate(file.get(), 0) != 0) fail("write", path.native());
  write_all(file, std::to_string(::getpid()) + "\n", path.native());
}

}  // namespace

std::optional<FileLock> FileLock::try_take(std::filesystem::path const& path) {
  auto held = try_take_unsigned(path);
  if (held) sign(held->file_, path);
  return held;
}

std::optional<FileLock> FileLock::try_take_unsigned(std::filesystem::path const& path) {
  auto file = open_lock(path);
  if (!lock(file, LOCK_EX | LOCK_NB, path)) return std::nullopt;
  return FileLock{std::move(file)};
}

FileLock FileLock::take(std::filesystem::path const& path) {
  auto held = take_unsigned(path);
  sign(held.file_, path);
  return held;
}

FileLock FileLock::take_unsigned(std::filesystem::path const& path) {
  auto file = open_lock(path);
  lock(file, LOCK_EX, path);
  return FileLock{std::move(file)};
}

std::optional<pid_t> lock_holder(std::filesystem::path const& path) {
  auto const rows = locks_on(path);
  auto const held = [](LockRow const& row) { return row.kind == "FLOCK" && row.pid > 0; };
  auto found = std::ranges::find_if(rows, [&](auto const& row) { return held(row) && row.is_exact; });
  if (found == rows.end()) found = std::ranges::find_if(rows, held);
  return found == rows.end() ? std::nullopt : std::optional{found->pid};
}

std::vector<pid_t> lock_holders(std::filesystem::path const& path) {
  auto const rows = locks_on(path);
  bool const some_are_exact = std::ranges::any_of(rows, &LockRow::is_exact);
  std::set<pid_t> out;
  for (auto const& row : rows)
    if (row.pid > 0 && row.is_exact == some_are_exact) out.insert(row.pid);
  return {out.begin(), out.end()};
}

std::string process_in_words(pid_t pid) {
  auto const command = command_of(pid);
  return "process " + std::to_string(pid) + (command.empty() ? "" : " (" + command + ")");
}

std::string lock_holder_in_words(std::filesystem::path const& path) {
  auto const holder = lock_holder(path);
  if (!holder) return "a process that cannot be seen from here";
  return process_in_words(*holder) +
         (is_stopped(*holder) ? ", which is stopped: let it go on, or end it" : "");
}

std::optional<pid_t> lock_owner(std::filesystem::path const& path) {
  auto const text = read_file_if_there(path, 64);
  pid_t pid = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), pid).ec != std::errc{}) return {};
  return pid;
}

}  // namespace andon::os
