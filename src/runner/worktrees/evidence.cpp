#include "runner/worktrees/evidence.hpp"

#include <algorithm>
#include <sys/stat.h>

#include "runner/git/work_place.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/changed_files.hpp"

namespace andon::runner {
namespace {

constexpr std::string_view kMostEvidenceCommits = "--max-count=100";

void add_names(std::set<std::string>& names, std::vector<std::string> list) {
  for (auto& name : list) names.insert(std::move(name));
}

/// A directory of the repository as a git pathspec.
std::string part_of(core::WorkPlace const& place, std::filesystem::path const& directory) {
  std::error_code error;
  auto const part = std::filesystem::relative(directory, place.directory, error);
  return error || part.empty() ? "." : ":(literal)" + part.native();
}

/// The names of the files with uncommitted changes, from the top of the work tree. Untracked files count only
/// in `directory`.
std::set<std::string> uncommitted_names(Git const& git, core::WorkPlace const& place,
                                        std::filesystem::path const& directory) {
  std::set<std::string> names;
  add_names(names,
            git.list({"diff", "-z", "--name-only", "--no-ext-diff", "--no-textconv", Git::kNotNested, "HEAD"},
                     '\0'));
  add_names(
      names,
      git.list({"ls-files", "-z", "--others", "--exclude-standard", "--", part_of(place, directory)}, '\0'));
  return names;
}

/// A file's name after a mark that changes with its content: inode, size and time of the last change.
std::string marked(core::WorkPlace const& place, std::string const& name) {
  struct stat now{};
  auto const path = std::filesystem::path{place.directory} / name;
  if (::lstat(path.c_str(), &now) != 0) return "0:0:0:0 " + name;
  return std::to_string(now.st_ino) + ":" + std::to_string(now.st_size) + ":" +
         std::to_string(now.st_mtim.tv_sec) + ":" + std::to_string(now.st_mtim.tv_nsec) + " " + name;
}

/// Parses `:MODE MODE BEFORE AFTER STATUS`.
FileChange change_of(std::string_view line) {
  constexpr std::size_t kModes = 13;
  auto const first = std::min(line.size(), kModes + 2);
  auto const second = line.find(' ', first);
  if (second == std::string_view::npos) return {};
  auto const third = std::min(line.find(' ', second + 1), line.size());
  return {std::string{line.substr(1, kModes)}, std::string{line.substr(first, second - first)},
          std::string{line.substr(second + 1, third - second - 1)}};
}

}  // namespace

FileChanges changes_between(Git const& git, std::string const& base, std::string const& head) {
  FileChanges out;
  if (base.empty() || head.empty() || base == head) return out;
  auto const parts =
      git.list({"diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", base, head}, '\0');
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) out[parts[i + 1]] = change_of(parts[i]);
  return out;
}

std::optional<core::WorkPlace> place_around(std::filesystem::path const& directory) {
  auto const top = top_above(directory);
  auto place = top.empty() ? std::unexpected(std::string{}) : find_work_place(top);
  return place ? std::optional{*std::move(place)} : std::nullopt;
}

std::string head_commit(core::WorkPlace const& place, GitUse const& use) {
  return Git{place, use}.text({"rev-parse", "--verify", "--quiet", "HEAD"}).value_or("");
}

std::string checked_out_branch(Git const& tree) {
  return tree.text({"symbolic-ref", "--short", "--quiet", "HEAD"}).value_or("");
}

std::vector<std::string> uncommitted(core::WorkPlace const& place, std::filesystem::path const& directory,
                                     GitUse const& use) {
  std::vector<std::string> out;
  Git const git{place, use};
  for (auto const& name : uncommitted_names(git, place, directory)) out.push_back(marked(place, name));
  return out;
}

Evidence collect_evidence(core::WorkPlace const& place, std::filesystem::path const& directory,
                          std::string const& head_before, std::vector<std::string> const& left_before,
                          GitUse const& use) {
  Evidence evidence;
  Git const git{place, use};
  evidence.branch = as_utf8(checked_out_branch(git));
  evidence.head = head_commit(place, use);
  std::set<std::string> changed;
  for (auto const& [name, change] : changes_between(git, head_before, evidence.head)) changed.insert(name);
  if (!changed.empty())
    evidence.commits = git.list(
        {"rev-list", "--reverse", std::string{kMostEvidenceCommits}, head_before + ".." + evidence.head});
  std::set<std::string> const before{left_before.begin(), left_before.end()};
  for (auto const& name : uncommitted_names(git, place, directory))
    if (!before.contains(marked(place, name))) changed.insert(name);
  evidence.files_changed = static_cast<int>(changed.size());
  evidence.diff_size = diff_size(git, head_before, evidence.head);
  return evidence;
}

}  // namespace andon::runner
