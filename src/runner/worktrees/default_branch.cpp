#include "runner/worktrees/default_branch.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <string_view>

#include "runner/git/path_filters.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNamedChanges = 300;
constexpr std::size_t kMostFiltered = 1'000;  ///< paths that a command line takes

std::string ref_of(Repository const& repository) { return "refs/heads/" + repository.default_branch; }

/// Moves the branch if it still points to the known commit.
GitAnswer move_branch(Repository const& repository, std::string const& commit) {
  return repository.git.run(
      {"update-ref", "-m", "andon: land accepted work", ref_of(repository), commit, repository.tip});
}

bool has_unfinished_operation(Git const& tree) {
  for (auto const* name : {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_HEAD"})
    if (tree.succeeds({"rev-parse", "--verify", "--quiet", name})) return true;
  return false;
}

/// Those of the paths that have a filter which this git does not run. Without its filter, an unchanged file
/// differs from its commit. Work with such a file never lands, so it is in nobody's way.
std::set<std::string> paths_without_filter(Git const& tree, std::vector<std::string> const& paths) {
  std::set<std::string> out;
  if (paths.empty() || paths.size() > kMostFiltered) return out;
  std::vector<std::string> question{"check-attr", "-z", "filter", "--"};
  question.insert(question.end(), paths.begin(), paths.end());
  for (auto const& [path, filter] : parse_filters(tree.run(question).out))
    if (!tree.use().filters.contains(filter)) out.insert(path);
  return out;
}

/// The changed files as git names them, with how they changed, on one line.
std::string local_changes(Git const& tree) {
  auto const changed =
      tree.run({"status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", Git::kNotNested});
  if (!changed.good) return changed.complaint;
  constexpr std::string_view kOnDisk = " M ";
  std::vector<std::string> lines;
  std::vector<std::string> on_disk;
  for (auto const part : std::views::split(changed.out, '\0')) {
    std::string line{std::string_view{part}};
    if (line.starts_with(kOnDisk)) on_disk.push_back(line.substr(kOnDisk.size()));
    if (!line.empty()) lines.push_back(std::move(line));
  }
  auto const unknown = paths_without_filter(tree, on_disk);
  std::string out;
  for (auto const& line : lines)
    if (!line.starts_with(kOnDisk) || !unknown.contains(line.substr(kOnDisk.size())))
      out.append(out.empty() ? "" : ", ").append(line.substr(line.find_first_not_of(' ')));
  return out;
}

/// Whether the files are those of the index.
bool has_files_of_index(Git const& tree) {
  auto const differing =
      tree.list({"diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", Git::kNotNested}, '\0');
  return paths_without_filter(tree, differing).size() == differing.size();
}

}  // namespace

std::optional<std::string> obstacle(Repository const& repository, HeldFilters const& filters) {
  auto const place = checkout_of(repository.git, repository.default_branch);
  if (!place) return place.error();
  if (place->empty()) return std::nullopt;
  auto const opened = open_checkout(repository.git, *place);
  if (!opened) return opened.error();
  auto const tree = opened->with_filters(filters);
  if (has_unfinished_operation(tree))
    return "a merge or the like is under way in " + place->native() + "; finish it, then this lands";
  auto const changes = local_changes(tree);
  if (changes.empty()) return std::nullopt;
  return "there are local changes on " + repository.default_branch + " in " + place->native() +
         "; commit or stash them, then this lands: " + std::string{head(as_utf8(changes), kNamedChanges)};
}

std::optional<std::string> advance(Repository const& repository, std::string const& commit,
                                   HeldFilters const& filters) {
  if (auto reason = obstacle(repository, filters)) return reason;
  auto const place = checkout_of(repository.git, repository.default_branch);
  if (!place) return place.error();
  GitAnswer moved;
  if (place->empty()) {
    moved = move_branch(repository, commit);
  } else {
    auto const tree = open_checkout(repository.git, *place);
    if (!tree) return tree.error();
    moved = tree->with_filters(filters).run({"merge", "--quiet", "--ff-only", "--no-stat", commit});
  }
  if (moved.good) return std::nullopt;
  return repository.default_branch + " could not be moved forward" +
         (place->empty() ? std::string{} : " in " + place->native()) + ": " +
         std::string{head(as_utf8(moved.complaint), kNamedChanges)};
}

bool complete_advance(Repository const& repository, std::string const& commit, HeldFilters const& filters) {
  auto const place = checkout_of(repository.git, repository.default_branch);
  if (!place || place->empty()) return false;
  auto const tree = open_checkout(repository.git, *place);
  if (!tree) return false;
  bool const index_is_new =
      tree->succeeds({"diff", "--cached", "--quiet", "--no-ext-diff", Git::kNotNested, commit});
  return index_is_new && has_files_of_index(tree->with_filters(filters)) &&
         move_branch(repository, commit).good;
}

}  // namespace andon::runner
