#include "runner/worktrees/ledger.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>

#include "core/text/visible_text.hpp"
#include "runner/objects/large_files.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/filter_form.hpp"
#include "runner/worktrees/moved_large_files.hpp"
#include "runner/worktrees/work_files.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLeftOut = 100;  ///< are kept
constexpr std::size_t kMostNamed = 5;      ///< in the sentence about them
constexpr char kChangedMeanwhile[] = "it changed while Andon looked at it";

/// The files with which git marks an operation that is under way, in its directory.
struct OperationMark {
  std::string_view file;
  std::string_view name;
};
constexpr std::array kMarks{
    OperationMark{"MERGE_HEAD", "merge"},     OperationMark{"rebase-merge", "rebase"},
    OperationMark{"rebase-apply", "rebase"},  OperationMark{"CHERRY_PICK_HEAD", "cherry-pick"},
    OperationMark{"REVERT_HEAD", "revert"},   OperationMark{"BISECT_LOG", "bisect"},
    OperationMark{"sequencer", "cherry-pick"}};

constexpr char kNotInForm[] =
    "a commit has it as its filter did not see it; take it out of every commit (git rebase)";

constexpr char kNoUpload[] =
    "its LFS objects cannot be uploaded by Andon, and its board has a clone URL; a person must push it";
constexpr char kNoLargeFile[] =
    "its LFS object is neither in the repository of the task nor in Andon's clone, or too large to be copied";

/// Whether Andon leaves the files with a filter to a person, although the board allows it.
bool is_left_to_person(LedgerQuestion const& question, std::string const& filter) {
  return question.is_remote && filter == kLargeFileFilter;
}

std::string filter_reason(LedgerQuestion const& question, HeldFilters const& held,
                          std::string const& filter) {
  auto const& allowed = question.filters;
  if (held.contains(filter)) return kNoUpload;
  auto const name = as_utf8(filter);
  return "its filter \"" + name + "\" is not run by Andon" +
         (std::ranges::find(allowed, filter) != allowed.end()
              ? std::string{": "} + kNoFilterCommand
              : "; allow it with: andon boards edit BOARD --filters " + name);
}

std::string taken_reason(std::string const& filter) {
  return "its filter \"" + as_utf8(filter) +
         "\" is taken from it by the attributes in the tree; a person must do that";
}

/// Moves the paths that git would commit without the filter that they have in the base from `present` to
/// those that are left out.
void set_bared_aside(PathFilters const& in_base, PathFilters const& in_tree, ChangedPaths& changed,
                     Ledger& out) {
  std::erase_if(changed.present, [&](std::string const& path) {
    auto const wanted = in_base.find(path);
    if (wanted == in_base.end()) return false;
    auto const now = in_tree.find(path);
    bool const is_bared = now == in_tree.end() || now->second != wanted->second;
    if (is_bared) out.left_out.push_back({path, taken_reason(wanted->second)});
    return is_bared;
  });
}

/// Leaves out the committed files that their filter did not see.
void set_unformed_aside(LedgerQuestion const& question, WorkFiles const& files,
                        std::set<CommittedFile> const& committed, PathFilters const& filters, Ledger& out) {
  auto const absent = bring_large_files({.clone = question.clone.git,
                                         .scratch = files.scratch(),
                                         .from = question.tree.place().git_directory,
                                         .to = question.clone.git.place().common_directory},
                                        committed, filters);
  for (auto const& path : absent) out.left_out.push_back({path, kNoLargeFile});
  auto const unformed =
      files_without_form(question.clone.git, files.scratch(), committed, filters, files.held());
  for (auto const& path : unformed) out.left_out.push_back({path, kNotInForm});
  out.is_sealed_open = out.is_sealed_open || !unformed.empty();
}

bool is_attribute_file(std::string const& path) { return fs::path{path}.filename() == ".gitattributes"; }

/// Whether the work changes what git makes of files that it does not change.
bool changes_attributes(LedgerQuestion const& question, ChangedPaths const& changed) {
  if (std::ranges::any_of(changed.present, is_attribute_file) ||
      std::ranges::any_of(changed.gone, is_attribute_file))
    return true;
  auto const committed = changes_between(question.clone.git, question.base, question.head);
  return std::ranges::any_of(committed, [](auto const& entry) { return is_attribute_file(entry.first); });
}

/// Looks at all files again under the attributes that the work leaves.
void look_anew(WorkFiles& files, ChangedPaths& changed) {
  std::vector<std::string> gone;
  std::ranges::copy_if(changed.gone, std::back_inserter(gone), is_attribute_file);
  files.forget_known(gone);
  changed = files.changed();
  changed.gone.insert(changed.gone.end(), gone.begin(), gone.end());
}

/// Moves the paths whose filter Andon does not run from `present` to those that are left out.
void set_filtered_aside(LedgerQuestion const& question, WorkFiles const& files, ChangedPaths& changed,
                        Ledger& out) {
  auto const committed = files_of_commits(question.clone.git, question.base, question.head);
  auto all = changed.present;
  for (auto const& file : committed) all.push_back(file.path);
  auto const base = question.base.empty() ? question.head : question.base;
  auto const in_tree = files.filters_in_tree(all);
  auto filters = files.filters_at(base, all);
  set_bared_aside(filters, in_tree, changed, out);
  filters.insert(in_tree.begin(), in_tree.end());
  auto not_run = filters;
  std::erase_if(not_run, [&](auto const& entry) {
    return files.held().contains(entry.second) && !is_left_to_person(question, entry.second);
  });
  std::erase_if(changed.present, [&](std::string const& path) { return not_run.contains(path); });
  for (auto const& [path, filter] : not_run)
    out.left_out.push_back({path, filter_reason(question, files.held(), filter)});
  out.is_sealed_open =
      std::ranges::any_of(committed, [&](CommittedFile const& file) { return not_run.contains(file.path); });
  set_unformed_aside(question, files, committed, filters, out);
}

/// A clean tree in the middle of a rebase lacks the commits that were not applied yet.
void leave_all_out(ChangedPaths const& changed, std::string const& operation, Ledger& out) {
  auto const reason = "a " + operation + " is not finished in its work tree";
  if (changed.present.empty() && changed.gone.empty()) out.left_out.push_back({".", reason});
  for (auto const* paths : {&changed.present, &changed.gone})
    for (auto const& path : *paths) out.left_out.push_back({path, reason});
}

/// The files that still differ after they were committed.
void add_changed_meanwhile(WorkFiles const& files, std::vector<std::string> const& kept_out, Ledger& out) {
  std::set<std::string> known;
  for (auto const& left : out.left_out) known.insert(left.path);
  auto now = files.changed();
  for (auto const* paths : {&now.present, &now.gone})
    for (auto const& path : *paths)
      if (!known.contains(path) && std::ranges::find(kept_out, path) == kept_out.end())
        out.left_out.push_back({path, kChangedMeanwhile});
}

/// Makes the index of the tree follow its commit. A process that was killed may have moved the branch alone.
void follow_commit(Git const& tree) {
  if (!tree.succeeds({"diff-index", "--cached", "--quiet", Git::kNotNested, "HEAD"}))
    tree.attempt({"reset", "--quiet"});
}

void commit_changed(LedgerQuestion const& question, WorkFiles& files, ChangedPaths const& changed,
                    Ledger& out) {
  if (changed.present.empty() && changed.gone.empty()) return follow_commit(question.tree);
  for (auto& refused : files.add(changed.present, changed.gone)) out.left_out.push_back(std::move(refused));
  auto const& how = *question.commit;
  auto const message =
      (how.subject.empty() ? "Work" : how.subject) + "\n\nTask #" + std::to_string(how.task) + "\n";
  out.head = files.commit(how.worker, message);
  if (out.head != question.head)
    question.tree.carry_out(
        {"update-ref", "-m", "andon: commit what was left", "HEAD", out.head, question.head});
  follow_commit(question.tree);
  add_changed_meanwhile(files, question.kept_out, out);
}

/// Sorts what is left out by its path, as text that can be shown and kept.
void make_readable(Ledger& out) {
  for (auto& left : out.left_out) left.path = core::visible_text(as_utf8(left.path));
  std::ranges::sort(out.left_out, {}, &core::LeftOut::path);
  auto const again = std::ranges::unique(out.left_out, {}, &core::LeftOut::path);
  out.left_out.erase(again.begin(), again.end());
  out.left_out_count = out.left_out.size();
  if (out.left_out.size() > kMostLeftOut) out.left_out.resize(kMostLeftOut);
}

}  // namespace

std::string unfinished_operation(Git const& tree) {
  std::error_code none;
  fs::path const directory{tree.place().git_directory};
  for (auto const& mark : kMarks)
    if (fs::exists(fs::symlink_status(directory / mark.file, none))) return std::string{mark.name};
  // Such as after `git stash pop`. An index that git cannot read says nothing.
  auto const conflicts = tree.run({"ls-files", "--unmerged"});
  return conflicts.good && !conflicts.out.empty() ? "merge" : "";
}

Ledger take_stock(LedgerQuestion const& question) {
  Ledger out;
  out.head = question.head;
  WorkFiles files{question.clone, question.tree, question.head, held_filters(question.filters)};
  auto changed = files.changed();
  if (question.commit && changes_attributes(question, changed)) look_anew(files, changed);
  std::erase_if(changed.present, [&](std::string const& path) {
    return std::ranges::find(question.kept_out, path) != question.kept_out.end();
  });
  out.left_out = std::move(changed.left_out);
  set_filtered_aside(question, files, changed, out);
  if (auto const operation = unfinished_operation(question.tree); !operation.empty()) {
    leave_all_out(changed, operation, out);
  } else if (!question.commit) {
    out.uncommitted = std::move(changed.present);
    out.uncommitted.insert(out.uncommitted.end(), changed.gone.begin(), changed.gone.end());
  } else {
    commit_changed(question, files, changed, out);
  }
  out.absent = files.absent();
  files.keep();
  make_readable(out);
  return out;
}

std::string why_not_done(Ledger const& ledger, core::TaskId task, std::string const& directory) {
  auto const& left_out = ledger.left_out;
  auto const count = ledger.left_out_count;
  if (left_out.empty()) return {};
  std::string out = count == 1 ? "1 path of the work is left out: "
                               : std::to_string(count) + " paths of the work are left out: ";
  for (std::size_t i = 0; i < std::min(left_out.size(), kMostNamed); ++i)
    out += (i == 0 ? "" : "; ") + left_out[i].path + " (" + left_out[i].reason + ")";
  if (count > kMostNamed) out += "; and " + std::to_string(count - kMostNamed) + " more";
  return out + ". Nothing is lost: it is in " + directory + "; put it right, then: andon unblock " +
         std::to_string(task);
}

}  // namespace andon::runner
