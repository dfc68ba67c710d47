// A work tree has its own copy of each submodule, in its repository. It goes with the work
// tree. So a commit of a submodule that landed must also be in the copy that belongs to the repository
// itself, or else the default branch names a commit that is nowhere.

#include "runner/worktrees/submodules.hpp"

#include <algorithm>
#include <filesystem>

#include "runner/git/outlying_parts.hpp"
#include "runner/git/work_place.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSubmodules = 200;

/// The submodule at a path of a work tree. An agent may have led git elsewhere. So nothing is returned unless
/// both git directories lie where git puts them, and git reads nothing outside them.
std::optional<Git> open_submodule(Git const& parent, std::string const& path) {
  fs::path const top = fs::path{parent.place().directory} / path;
  auto const found = find_work_place(top);
  if (!found || found->directory != top.native() || !outlying_parts(*found).empty()) return std::nullopt;
  auto const is_within = [&](std::string const& directory) {
    return directory.starts_with(parent.place().git_directory + "/modules/") ||
           directory == (top / ".git").native();
  };
  if (!is_within(found->git_directory) || !is_within(found->common_directory)) return std::nullopt;
  auto use = parent.use();
  use.lender.clear();
  return Git{*found, std::move(use)};
}

bool is_checked_out(Git const& tree, std::string const& path) {
  std::error_code none;
  return fs::exists(fs::symlink_status(fs::path{tree.place().directory} / path / ".git", none));
}

std::string quoted(std::string const& path) { return "the submodule " + as_utf8(path); }

std::string only_here(std::string const& origin, Git const& tree, std::string const& path,
                      std::string const& commit) {
  auto const main = open_git(origin, {.limit = tree.use().limit, .stop = tree.use().stop});
  auto const own = main ? open_submodule(*main, path) : std::nullopt;
  if (own && has_commit(*own, commit)) return {};
  auto const what = quoted(path) + " is set to " + commit + ", which " + origin;
  if (!own)
    return what + " cannot be asked for: it has no such submodule; run there: git submodule update --init " +
           as_utf8(path);
  // A push from the tree would run what an agent configured there.
  return what + " does not have, so it would be lost with the work tree; take it over: git --git-dir " +
         own->place().git_directory + " fetch " + tree.place().directory + "/" + as_utf8(path) +
         " HEAD:refs/heads/kept-" + commit.substr(0, 12);
}

std::string uncommitted_in(Git const& tree, std::string const& path, std::string const& commit) {
  auto const nested = open_submodule(tree, path);
  if (!nested) return quoted(path) + " cannot be looked at: its git directory is not where git puts it";
  auto const files = nested->list(
      {"diff", "-z", "--name-only", "--no-ext-diff", "--no-textconv", Git::kNotNested, "HEAD"}, '\0');
  if (!files.empty()) return quoted(path) + " has uncommitted changes: " + shown_names(files);
  auto const at = head_commit(nested->place(), nested->use());
  if (at.empty() || at == commit) return {};
  return quoted(path) + " is at " + at + ", but the work has it at " + commit +
         ": commit the one that is meant";
}

struct Submodule {
  std::string path;
  std::string commit;
};

/// The submodules in the commit of a work tree. Its index may be damaged.
std::vector<Submodule> submodules_of(Git const& tree) {
  constexpr std::string_view kMode = "160000 commit ";
  std::vector<Submodule> out;
  for (auto const& line : tree.list({"ls-tree", "-r", "-z", "--full-tree", "HEAD"}, '\0')) {
    if (!line.starts_with(kMode)) continue;
    if (out.size() == kMostSubmodules) break;
    auto const end = std::min(line.find('\t'), line.size());
    out.push_back(
        {line.substr(std::min(end + 1, line.size())), line.substr(kMode.size(), end - kMode.size())});
  }
  return out;
}

}  // namespace

std::vector<std::string> missing_submodules(Git const& tree) {
  std::vector<std::string> out;
  for (auto& submodule : submodules_of(tree))
    if (!is_checked_out(tree, submodule.path)) out.push_back(std::move(submodule.path));
  return out;
}

std::string about_missing_submodules(std::vector<std::string> const& missing) {
  if (missing.empty()) return {};
  return "submodules that are not in the work tree: " + shown_names(missing) +
         R"(; the set-up of the board gets them: --setup '[["git","submodule","update","--init"]]')";
}

std::string trouble_in_submodules(std::string const& origin, Git const& tree, FileChanges const& changes) {
  for (auto const& [path, change] : changes) {
    if (!change.is_submodule()) continue;
    if (auto reason = only_here(origin, tree, path, change.after); !reason.empty()) return reason;
  }
  for (auto const& [path, commit] : submodules_of(tree)) {
    if (!is_checked_out(tree, path)) continue;
    if (auto reason = uncommitted_in(tree, path, commit); !reason.empty()) return reason;
  }
  return {};
}

}  // namespace andon::runner
