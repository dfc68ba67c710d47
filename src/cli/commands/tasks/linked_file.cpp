#include "cli/commands/tasks/linked_file.hpp"

#include "os/files/file.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;

/// Links that lead to links that lead in a circle are followed this far only.
constexpr int kMostLinks = 40;

fs::path behind_links(fs::path path) {
  std::error_code none;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, none); ++i)
    path = path.parent_path() / fs::read_symlink(path, none);
  return path;
}

}  // namespace

void write_through(fs::path const& path, std::string_view content, mode_t mode_of_new) {
  auto const file = behind_links(path);
  std::error_code none;
  auto const before = fs::status(file, none);
  auto const mode = fs::is_regular_file(before) ? static_cast<mode_t>(before.permissions()) : mode_of_new;
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  os::write_file(file, content, mode);
}

}  // namespace andon::cli
