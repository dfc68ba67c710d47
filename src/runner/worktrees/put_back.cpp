// A planning run changes no file, but its agent may try. In this order:
//
//   1. Remove a lock that a killed git left, and an index with entries that hide changes.
//   2. Check out the noted branch again, at the noted commit. This ends a merge as well.
//   3. Remove new ignore files, which could hide other new files, even themselves.
//   4. Remove the new files, nested repositories included.

#include "runner/worktrees/put_back.hpp"

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <string_view>

#include "runner/git/stale_lock.hpp"
#include "runner/worktrees/evidence.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLocalBranches = "refs/heads/";

/// True when marks in the index hide changes of some files from git, or git cannot read it.
bool hides_changes(Git const& tree) {
  auto const listed = tree.run({"ls-files", "-v"});
  if (!listed.good || listed.cut) return true;
  return std::ranges::any_of(std::views::split(listed.out, '\n'), [](auto const& part) {
    std::string_view const line{part};
    return !line.empty() && !line.starts_with("H ");
  });
}

void drop_index(Git const& tree, std::string const& name) {
  std::error_code ignored;
  fs::remove(fs::path{tree.place().git_directory} / name, ignored);
}

bool check_out(Git const& tree, RunStart const& noted) {
  if (!noted.work_branch.empty() &&
      !tree.succeeds({"symbolic-ref", "HEAD", std::string{kLocalBranches} + noted.work_branch}))
    return false;
  return tree.succeeds({"reset", "--quiet", "--hard", noted.head});
}

bool remove_new_files(Git const& tree, std::vector<std::string> const& kept_out) {
  std::vector<std::string> rules{"clean", "-ffdxq", "--", ":(glob)**/.gitignore"};
  std::vector<std::string> files{"clean", "-ffdq", "--", "."};
  for (auto const& path : kept_out) {
    rules.push_back(":(exclude,literal)" + path);
    files.push_back(":(exclude,literal)" + path);
  }
  return tree.succeeds(rules) && tree.succeeds(files);
}

}  // namespace

std::string put_tree_back(core::WorkPlace const& place, RunStart const& noted, GitUse const& use,
                          std::vector<std::string> const& kept_out) try {
  if (noted.head.empty()) return "the commit before the planning run is not known, so nothing was put back";
  Git const tree{place, use};
  drop_stale_lock(place);
  if (hides_changes(tree)) drop_index(tree, "index");
  bool const is_back =
      check_out(tree, noted) && remove_new_files(tree, kept_out) && head_commit(place, use) == noted.head;
  return is_back ? "" : "the changes of a planning run could not be put back; look at " + place.directory;
} catch (GitFailure const& failure) {
  return std::string{"the changes of a planning run could not be put back: "} + failure.what();
}

}  // namespace andon::runner
