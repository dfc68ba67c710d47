#include "os/processes/program.hpp"

#include <unistd.h>

namespace andon::os {
namespace {

namespace fs = std::filesystem;

bool is_executable(fs::path const& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<fs::path> find_program(std::string_view name, std::string_view search_path) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos)
    return is_executable(name) ? std::optional{fs::absolute(name)} : std::nullopt;
  while (!search_path.empty()) {
    auto const end = search_path.find(':');
    auto candidate = fs::path{search_path.substr(0, end)} / name;
    if (candidate.is_absolute() && is_executable(candidate)) return candidate;
    search_path.remove_prefix(end == std::string_view::npos ? search_path.size() : end + 1);
  }
  return std::nullopt;
}

std::string why_not_found(std::string_view name) {
  if (name.find('/') == std::string_view::npos) return "is not on the PATH";
  std::error_code ignored;
  if (!fs::exists(name, ignored)) return "is not there";
  if (!fs::is_regular_file(name, ignored)) return "is no file that can be executed";
  return "may not be executed; allow it with: chmod +x " + std::string{name};
}

fs::path own_program() { return fs::read_symlink("/proc/self/exe"); }

}  // namespace andon::os
