#include "runner/merging/merge_tree.hpp"

#include <algorithm>

#include "os/files/file.hpp"
#include "os/processes/process_table.hpp"
#include "runner/git/filter_keys.hpp"
#include "runner/git/path_filters.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/supervision/sweep.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kComplaintBytes = 500;

std::string complaint(GitAnswer const& answer) {
  return std::string{head(as_utf8(answer.complaint), kComplaintBytes)};
}

/// `landed` is the last commit of the work that needs no rebase, if there is one.
std::string conflict_with(Repository const& repository, std::vector<std::string> const& files,
                          std::string const& landed) {
  auto const& branch = repository.default_branch;
  return "conflict with " + branch + " at " + repository.tip.substr(0, 12) + " in " + shown_names(files) +
         "; rebase this branch on " + branch + " (git rebase " +
         (landed.empty() ? "" : "--onto " + branch + " ") + (landed.empty() ? branch : landed) +
         "), resolve it there, and report again";
}

MergeTree::Joined conflict_in(Repository const& repository, std::vector<std::string> const& files,
                              std::vector<std::string> const& landed) {
  MergeTree::Joined out{{}, conflict_with(repository, files, landed.empty() ? "" : landed.front()), {}};
  for (auto const& file : files) out.files.push_back(as_utf8(file));
  return out;
}

std::vector<std::string> unmerged(Git const& tree) {
  return tree.list({"diff", "--name-only", "--diff-filter=U", Git::kNotNested, "-z"}, '\0');
}

std::vector<std::string> contained(Git const& tree, std::string const& head,
                                   std::vector<std::string> commits) {
  std::erase_if(commits, [&](std::string const& commit) { return !contains(tree, head, commit); });
  return commits;
}

/// A commit that no branch gets, above the tip and all that landed in another form: only what work has beyond
/// it is replayed. Empty when git made none.
std::string above_all_landed(Git const& tree, std::string const& tip,
                             std::vector<std::string> const& landed) {
  if (landed.empty()) return tip;
  std::vector<std::string> command{"commit-tree", tip + "^{tree}", "-m", "landed", "-p", tip};
  for (auto const& commit : landed) command.insert(command.end(), {"-p", commit});
  return tree.text(command).value_or("");
}

bool has_merges(Git const& tree, std::string const& tip, std::string const& head) {
  return !tree.list({"rev-list", "--merges", "--max-count=1", tip + ".." + head}).empty();
}

}  // namespace

MergeTree::MergeTree(fs::path const& folder, std::optional<core::WorkPlace>& place, GitUse use)
    : directory_(folder / "landing"),
      run_directory_(folder / "landing-checks"),
      place_(place),
      use_(std::move(use)) {
  use_.marks = {{"ANDON_LANDING", directory_.native()}};
}

bool MergeTree::is_busy() const {
  auto const mark = "ANDON_LANDING=" + directory_.native();
  return std::ranges::any_of(os::process_table(), [&](os::ProcessRow const& row) {
    return row.state != 'Z' && os::was_started_with(row.pid, mark);
  });
}

void MergeTree::end_checks() const {
  os::make_private_directory(run_directory_);
  sweep_run({.run_dir = run_directory_});
}

std::string MergeTree::make(Repository const& repository) {
  auto const& common = repository.git.place();
  bool const is_of_it = place_ && place_->common_directory_id == common.common_directory_id;
  if (is_of_it && Git{*place_, use()}.succeeds({"rev-parse", "--is-inside-work-tree"})) return {};
  place_.reset();
  std::error_code trouble;
  fs::remove_all(directory_, trouble);
  auto const folder = directory_.parent_path();
  forget_removed_trees(repository.git, folder);
  os::make_private_directory(folder);
  auto const made =
      repository.git.changing(folder).run({"worktree", "add", "--quiet", "--detach", "--force",
                                           "--no-checkout", directory_.native(), repository.tip});
  if (!made.good) return "no tree to land in: " + complaint(made);
  auto const tree = open_checkout(repository.git, directory_);
  if (!tree) return "no tree to land in: " + tree.error();
  place_ = tree->place();
  return {};
}

/// Discards remains of a power cut, such as locks and a half-done rebase. Only this server works in the tree.
std::string MergeTree::reset(Git const& tree, std::string const& commit) const {
  std::error_code ignored;
  for (auto const* left : {"index.lock", "rebase-merge", "rebase-apply"})
    fs::remove_all(fs::path{tree.place().git_directory} / left, ignored);
  // Files of an earlier use may have been written without the filters.
  give_filter_keys(use_.filters, tree.place().common_directory, tree.place().git_directory);
  if (!use_.filters.empty()) fs::remove(fs::path{tree.place().git_directory} / "index", ignored);
  tree.attempt({"reset", "--quiet", "--hard"});
  auto const there = tree.run({"checkout", "--quiet", "--force", "--detach", commit});
  if (!there.good) return complaint(there);
  auto const cleaned = tree.run({"clean", "-ffdxq"});
  return cleaned.good ? std::string{} : complaint(cleaned);
}

std::expected<Git, std::string> MergeTree::empty(Repository const& repository) {
  if (auto trouble = make(repository); !trouble.empty()) return std::unexpected(std::move(trouble));
  Git tree{*place_, use()};
  if (auto trouble = reset(tree, repository.tip); !trouble.empty())
    return std::unexpected(std::move(trouble));
  for (auto const& step : {std::vector<std::string>{"read-tree", "--empty"}, {"clean", "-ffdxq"}})
    if (auto const done = tree.run(step); !done.good) return std::unexpected(complaint(done));
  return tree;
}

std::string MergeTree::with_old_files(std::string const& commit, std::vector<ChangedEntry> const& files) {
  Git const tree{*place_, use()};
  if (!tree.run({"read-tree", commit}).good) return {};
  // First what goes, then what comes back, which may have the name of a folder that goes.
  std::vector<std::string> entries;
  for (auto const& file : files)
    if (file.status != 'D') entries.push_back("0 " + std::string(file.after.size(), '0') + '\t' + file.path);
  for (auto const& file : files) {
    bool const was_there = file.status != 'A' && file.status != 'C';
    if (was_there) entries.push_back(file.mode_before + ' ' + file.before + '\t' + file.from);
  }
  auto const input = input_of(run_directory_ / "old-files", entries);
  if (!tree.run({"update-index", "-z", "--index-info"}, {}, input.get()).good) return {};
  auto const object = tree.text({"write-tree"});
  if (!object) return {};
  return tree.text({"commit-tree", *object, "-p", commit, "-m", "With the checks as they were"}).value_or("");
}

std::string MergeTree::files_of(std::string const& commit) const {
  return Git{*place_, use()}.text({"rev-parse", commit + "^{tree}"}).value_or("");
}

std::string MergeTree::check_out(std::string const& commit) { return reset(Git{*place_, use()}, commit); }

MergeTree::Joined MergeTree::join(Repository const& repository, std::string const& work, bool again,
                                  std::vector<std::string> const& elsewhere) {
  if (auto trouble = make(repository); !trouble.empty()) return {{}, {}, std::move(trouble)};
  Git const tree{*place_, use()};
  if (auto trouble = reset(tree, work); !trouble.empty()) return {{}, {}, std::move(trouble)};
  auto const here = [&] { return tree.text({"rev-parse", "HEAD"}).value_or(""); };
  if (contains(tree, work, repository.tip)) return {here(), {}, {}};

  auto const landed = contained(tree, work, elsewhere);
  auto const known = above_all_landed(tree, repository.tip, landed);
  if (known.empty()) return {{}, {}, "git made no commit of what has landed"};
  auto const rebased =
      tree.run({"rebase", "--quiet", again ? "--reapply-cherry-picks" : "--no-reapply-cherry-picks", "--onto",
                repository.tip, known});
  if (rebased.good) return {here(), {}, {}};
  auto files = unmerged(tree);
  if (files.empty()) return {{}, {}, "the rebase failed: " + complaint(rebased)};
  if (!has_merges(tree, repository.tip, work)) return conflict_in(repository, files, landed);
  if (auto trouble = reset(tree, repository.tip); !trouble.empty()) return {{}, {}, std::move(trouble)};
  auto const merged = tree.run({"merge", "--quiet", "--no-ff", "--no-edit", work});
  if (merged.good) return {here(), {}, {}};
  files = unmerged(tree);
  if (files.empty()) return {{}, {}, "the merge failed: " + complaint(merged)};
  return conflict_in(repository, files, landed);
}

}  // namespace andon::runner
