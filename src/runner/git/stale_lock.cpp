#include "runner/git/stale_lock.hpp"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

#include "os/processes/log.hpp"
#include "os/processes/process_table.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

bool is_git(pid_t pid) {
  constexpr std::size_t kFirstArgument = 4096;
  auto const arguments = os::arguments_of(pid, kFirstArgument);
  return fs::path{arguments.substr(0, arguments.find('\0'))}.filename().native().starts_with("git");
}

bool is_beneath(std::string const& path, std::string const& directory) {
  return path == directory || path.starts_with(directory + "/");
}

bool uses_index(os::ProcessRow const& row, core::WorkPlace const& place) {
  if (row.pid == ::getpid() || row.state == 'Z') return false;
  if (is_beneath(os::directory_of(row.pid), place.directory) && is_git(row.pid)) return true;
  return std::ranges::any_of(os::open_files_of(row.pid), [&](std::string const& file) {
    return file.starts_with(place.git_directory + "/index");
  });
}

}  // namespace

void drop_stale_lock(core::WorkPlace const& place) {
  auto const lock = fs::path{place.git_directory} / "index.lock";
  std::error_code none;
  if (!fs::exists(fs::symlink_status(lock, none))) return;
  auto const table = os::process_table();
  if (std::ranges::any_of(table, [&](os::ProcessRow const& row) { return uses_index(row, place); }))
    os::log(os::Level::warning, lock.native() + " stays: a process uses the index");
  else
    fs::remove(lock, none);
}

}  // namespace andon::runner
