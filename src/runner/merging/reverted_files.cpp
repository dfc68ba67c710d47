// Work goes back behind others in three ways: a branch that merged the default branch and kept its own files,
// files that were copied aside and put back over newer ones, and a resolution that took one side. In each of
// them a file gets an object that the history of the default branch had before. So the objects that commits
// replaced are noted for each file of the change: all commits since the oldest one that the work is built on,
// and at least the last few, since an agent may have moved its branch to the newest commit first.
#include "runner/merging/reverted_files.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

constexpr int kRecentCommits = 20;
constexpr int kMostCommits = 500;
constexpr std::size_t kMostBoundaries = 50;

/// The oldest commit of the default branch that the work is built on.
std::string oldest_base(Git const& git, LandingCommits const& commits) {
  std::vector<std::string> bases;
  for (auto const& line : git.list({"rev-list", "--boundary", "--max-count=" + std::to_string(kMostCommits),
                                    commits.tip + ".." + commits.work}))
    if (line.starts_with('-') && bases.size() < kMostBoundaries) bases.push_back(line.substr(1));
  if (is_commit_id(commits.base)) bases.push_back(commits.base);
  if (bases.empty()) return {};
  std::vector<std::string> question{"merge-base", "--octopus"};
  question.insert(question.end(), bases.begin(), bases.end());
  return git.text(question).value_or(bases.back());
}

/// The effects of commits of the default branch on files.
struct FileHistory {
  std::map<std::string, std::set<std::string>> replaced;  ///< the objects that they replaced or removed
  std::set<std::string> added;
  bool is_cut = false;
};

FileHistory history_of(Git const& git, std::string const& range, int most,
                       std::vector<std::string> const& names) {
  std::vector<std::string> question{"--literal-pathspecs",
                                    "log",
                                    "--first-parent",
                                    "-m",
                                    "--raw",
                                    "-z",
                                    "--no-abbrev",
                                    "--no-renames",
                                    "--format=",
                                    "--ignore-submodules=none",
                                    "--max-count=" + std::to_string(most),
                                    range,
                                    "--"};
  auto const batches = in_batches(names);
  if (batches.size() == 1) question.insert(question.end(), names.begin(), names.end());
  auto const answer = git.run(question);
  auto const read = parse_entries(answer.out);
  FileHistory out;
  out.is_cut = read.is_cut || !answer.good;
  for (auto const& entry : read.entries) {
    if (entry.status == 'A')
      out.added.insert(entry.path);
    else
      out.replaced[entry.path].insert(entry.before);
  }
  return out;
}

bool goes_back(ChangedEntry const& change, FileHistory const& history) {
  auto const found = history.replaced.find(change.path);
  return change.status != 'D' && found != history.replaced.end() && found->second.contains(change.after);
}

std::vector<std::string> names_in(std::vector<ChangedEntry> const& changes) {
  std::vector<std::string> out;
  for (auto const& change : changes) {
    out.push_back(change.path);
    if (change.from != change.path) out.push_back(change.from);
  }
  return out;
}

}  // namespace

RevertedFiles find_reverted(Git const& git, LandingCommits const& commits,
                            std::vector<ChangedEntry> const& changes) {
  RevertedFiles out;
  auto const names = names_in(changes);
  auto const recent = history_of(git, commits.tip, kRecentCommits, names);
  auto const base = oldest_base(git, commits);
  bool const has_moved = !base.empty() && base != commits.tip;
  auto const since =
      has_moved ? history_of(git, base + ".." + commits.tip, kMostCommits, names) : FileHistory{};
  for (auto const& change : changes) {
    bool const removes_new = change.status == 'D' && since.added.contains(change.path);
    if (removes_new || goes_back(change, since) || goes_back(change, recent)) out.names.insert(change.path);
  }
  out.is_cut = since.is_cut;
  return out;
}

}  // namespace andon::runner
