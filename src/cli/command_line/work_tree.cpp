#include "cli/command_line/work_tree.hpp"

#include <string>
#include <string_view>

#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLink = 1 << 16;
constexpr std::string_view kLink = "gitdir: ";

/// The main checkout of a linked work tree, whose file `.git` names `MAIN/.git/worktrees/NAME`.
std::optional<fs::path> main_checkout(fs::path const& top) try {
  auto text = os::read_file(top / ".git", kLongestLink);
  if (!text.starts_with(kLink)) return std::nullopt;
  text.erase(text.find_last_not_of("\r\n") + 1);
  auto const own = (top / text.substr(kLink.size())).lexically_normal();
  auto const repository = own.parent_path().parent_path();
  if (own.parent_path().filename() != "worktrees" || repository.filename() != ".git") return std::nullopt;
  return repository.parent_path();
} catch (os::SystemError const&) {
  return std::nullopt;
}

/// The repository from which a task's work tree was made; its file `.git/andon-origin` names it.
std::optional<fs::path> origin_of_task(fs::path const& top) try {
  auto text = os::read_file(top / ".git/andon-origin", kLongestLink);
  text.erase(text.find_last_not_of("\r\n") + 1);
  fs::path origin{text};
  return origin.is_absolute() ? std::optional{std::move(origin)} : std::nullopt;
} catch (os::SystemError const&) {
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> in_main_checkout(fs::path const& directory) {
  for (auto top = directory; top.has_relative_path(); top = top.parent_path()) {
    std::error_code unreadable;
    auto const type = fs::status(top / ".git", unreadable).type();
    bool const is_own = type == fs::file_type::directory;
    if (!is_own && type != fs::file_type::regular) continue;
    auto const main = is_own ? origin_of_task(top) : main_checkout(top);
    if (!main) return std::nullopt;
    return (*main / directory.lexically_relative(top)).lexically_normal();
  }
  return std::nullopt;
}

}  // namespace andon::cli
