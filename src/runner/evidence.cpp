#include "runner/evidence.hpp"

#include <set>

#include "runner/git.hpp"
#include "runner/plain_text.hpp"

namespace andon::runner {
namespace {

constexpr std::string_view kMostCommits = "--max-count=100";

void add_names(std::set<std::string>& names, std::vector<std::string> list) {
  for (auto& name : list) names.insert(std::move(name));
}

/// Asking git takes two processes; most directories that agents get lie in no repository.
bool lies_in_repository(std::filesystem::path const& directory) {
  std::error_code error;
  auto place = std::filesystem::canonical(directory, error);
  if (error) return false;
  while (!std::filesystem::exists(place / ".git", error)) {
    if (!place.has_relative_path()) return false;
    place = place.parent_path();
  }
  return true;
}

}  // namespace

std::string head_commit(std::filesystem::path const& directory) {
  if (!lies_in_repository(directory)) return {};
  return Git{directory}.text({"rev-parse", "--verify", "--quiet", "HEAD"}).value_or("");
}

Evidence collect_evidence(std::filesystem::path const& directory, std::string const& head_before) {
  Evidence evidence;
  if (!lies_in_repository(directory)) return evidence;
  Git const git{directory};
  if (git.text({"rev-parse", "--is-inside-work-tree"}) != "true") return evidence;
  evidence.branch = as_utf8(git.text({"symbolic-ref", "--short", "--quiet", "HEAD"}).value_or(""));
  evidence.head = head_commit(directory);
  std::set<std::string> changed;
  if (!head_before.empty() && evidence.head != head_before) {
    evidence.commits =
        git.list({"rev-list", "--reverse", std::string{kMostCommits}, head_before + ".." + evidence.head});
    add_names(changed, git.list({"diff-tree", "-r", "-z", "--name-only", "--no-ext-diff", "--no-textconv",
                                 "--no-commit-id", head_before, evidence.head},
                                '\0'));
  }
  add_names(changed,
            git.list({"diff", "-z", "--name-only", "--no-ext-diff", "--no-textconv", Git::kNotNested, "HEAD"},
                     '\0'));
  add_names(changed, git.list({"ls-files", "-z", "--others", "--exclude-standard"}, '\0'));
  evidence.files_changed = static_cast<int>(changed.size());
  return evidence;
}

}  // namespace andon::runner
