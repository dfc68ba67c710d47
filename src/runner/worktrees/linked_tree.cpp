#include "runner/worktrees/linked_tree.hpp"

#include <filesystem>

#include "core/model/clone_url.hpp"

namespace andon::runner {

namespace fs = std::filesystem;

std::expected<Git, std::string> open_owner(std::string const& origin, fs::path const& clone,
                                           GitUse const& use) {
  return open_git(core::is_clone_url(origin) ? clone : fs::path{origin}, use);
}

bool is_linked_tree_of(Git const& origin, core::WorkPlace const& place) {
  auto const& own = origin.place();
  return place.common_directory == own.common_directory &&
         place.common_directory_id == own.common_directory_id &&
         fs::path{place.git_directory}.parent_path() == fs::path{own.common_directory} / "worktrees";
}

fs::path submodules_of_linked_tree(core::WorkPlace const& place) {
  auto modules = fs::path{place.git_directory} / "modules";
  std::error_code none;
  return fs::exists(modules, none) && !fs::is_empty(modules, none) ? modules : fs::path{};
}

void forget_linked_tree(Git const& origin, core::WorkPlace const& place, std::string const& branch,
                        std::string const& commit) {
  if (!is_linked_tree_of(origin, place)) return;
  std::error_code ignored;
  fs::remove_all(place.git_directory, ignored);
  fs::remove(fs::path{place.git_directory}.parent_path(), ignored);  // git expects no empty one
  if (!branch.empty() && !commit.empty())
    origin.attempt({"update-ref", "-d", "refs/heads/" + branch, commit});
}

}  // namespace andon::runner
