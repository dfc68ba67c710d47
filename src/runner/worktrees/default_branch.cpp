#include "runner/worktrees/default_branch.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>

#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNamedChanges = 300;

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

/// The changed files as git names them, with how they changed, on one line.
std::string local_changes(Git const& tree) {
  auto const changed = tree.run({"status", "--porcelain", "--untracked-files=no", Git::kNotNested});
  if (!changed.good) return changed.complaint;
  std::string out;
  for (auto const part : std::views::split(changed.out, '\n')) {
    std::string_view const line{part};
    auto const name = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (!name.empty()) out.append(out.empty() ? "" : ", ").append(name);
  }
  return out;
}

}  // namespace

std::optional<std::string> obstacle(Repository const& repository) {
  auto const place = checkout_of(repository.git, repository.default_branch);
  if (!place) return place.error();
  if (place->empty()) return std::nullopt;
  auto const opened = open_checkout(repository.git, *place);
  if (!opened) return opened.error();
  auto const& tree = *opened;
  if (has_unfinished_operation(tree))
    return "a merge or the like is under way in " + place->native() + "; finish it, then this lands";
  auto const changes = local_changes(tree);
  if (changes.empty()) return std::nullopt;
  return "there are local changes on " + repository.default_branch + " in " + place->native() +
         "; commit or stash them, then this lands: " + std::string{head(as_utf8(changes), kNamedChanges)};
}

std::optional<std::string> advance(Repository const& repository, std::string const& commit) {
  if (auto reason = obstacle(repository)) return reason;
  auto const place = checkout_of(repository.git, repository.default_branch);
  if (!place) return place.error();
  GitAnswer moved;
  if (place->empty()) {
    moved = move_branch(repository, commit);
  } else {
    auto const tree = open_checkout(repository.git, *place);
    if (!tree) return tree.error();
    moved = tree->run({"merge", "--quiet", "--ff-only", "--no-stat", commit});
  }
  if (moved.good) return std::nullopt;
  return repository.default_branch + " could not be moved forward" +
         (place->empty() ? std::string{} : " in " + place->native()) + ": " +
         std::string{head(as_utf8(moved.complaint), kNamedChanges)};
}

bool complete_advance(Repository const& repository, std::string const& commit) {
  auto const place = checkout_of(repository.git, repository.default_branch);
  if (!place || place->empty()) return false;
  auto const tree = open_checkout(repository.git, *place);
  if (!tree) return false;
  bool const index_is_new =
      tree->succeeds({"diff", "--cached", "--quiet", "--no-ext-diff", Git::kNotNested, commit});
  bool const files_are_new =
      tree->succeeds({"diff", "--quiet", "--no-ext-diff", "--no-textconv", Git::kNotNested});
  return index_is_new && files_are_new && move_branch(repository, commit).good;
}

}  // namespace andon::runner
