// Landed work is taken back twice, and both results must agree.
//
//   1. From the present: the difference that the work made is taken from the present files, by a merge in
//      three ways. This is the result.
//   2. From the past: the later changes of the same files are put on top of what was there before the work,
//      one after the other. These are the files as they would be without it.
//
// A merge alone may be wrong without a conflict: where a later change took a line of the work away and
// another one brought it again, the line counts as the work's. Neither way guesses renames: a later change
// that renamed a file of the work stands in the way. The attributes of the repository that join lines of both
// sides have no effect, because the tree has no files meanwhile.
#include "runner/merging/revert_work.hpp"

#include <algorithm>
#include <set>

#include "core/text/visible_text.hpp"
#include "runner/merging/later_commits.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/evidence.hpp"

namespace andon::runner {
namespace {

using Joined = MergeTree::Joined;

constexpr std::size_t kMostLater = 500;
constexpr std::size_t kShortId = 12;
constexpr std::size_t kComplaint = 500;

/// The result of a merge of trees.
struct Merged {
  std::string tree;                  ///< empty when there is none
  std::vector<std::string> files{};  ///< in conflict
  std::string complaint{};           ///< why git could not try
};

/// A commit object alone, which no branch has.
std::string commit_of(Git const& git, std::string const& tree, std::string const& parent,
                      std::string const& message) {
  return git.text({"commit-tree", tree, "-p", parent, "-m", message}).value_or("");
}

/// `ours` with what differs from the parent of both in `theirs`.
Merged merge_commits(Git const& git, std::string const& ours, std::string const& theirs) {
  auto const done = git.run({"-c", "merge.renames=false", "-c", "merge.directoryRenames=false", "merge-tree",
                             "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs});
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < done.out.size();) {
    auto const end = std::min(done.out.find('\0', from), done.out.size());
    if (end > from) parts.push_back(done.out.substr(from, end - from));
    from = end + 1;
  }
  if (parts.empty() || !is_commit_id(parts.front()) || (done.good && parts.size() > 1))
    return {{}, {}, std::string{head(as_utf8(done.complaint), kComplaint)}};
  if (done.good) return {std::move(parts.front())};
  parts.erase(parts.begin());
  return {{}, std::move(parts)};
}

/// The tree `ours` without what the landing brought.
Merged without_landing(Git const& git, std::string const& ours, core::Landing const& landing) {
  auto const mine = commit_of(git, ours, landing.commit, "present");
  auto const before = commit_of(git, landing.onto + "^{tree}", landing.commit, "before");
  if (mine.empty() || before.empty()) return {{}, {}, "git made no commit"};
  return merge_commits(git, mine, before);
}

/// The tree `ours` with what a later commit changed.
Merged with_later(Git const& git, std::string const& ours, std::string const& commit) {
  auto const mine = commit_of(git, ours, commit + "^", "without");
  return mine.empty() ? Merged{{}, {}, "git made no commit"} : merge_commits(git, mine, commit);
}

/// The former names of files that a commit renamed.
std::vector<std::string> moved_by(Git const& git, std::string const& commit) {
  auto const parts = git.list({"diff-tree", "-r", "-z", "--find-renames", "--diff-filter=R", "--name-status",
                               "--no-ext-diff", "--no-textconv", commit + "^", commit},
                              '\0');
  std::vector<std::string> out;
  for (std::size_t i = 1; i + 1 < parts.size(); i += 3) out.push_back(parts[i]);
  return out;
}

std::vector<std::string> files_of_landings(Git const& git, std::vector<core::Landing> const& landings) {
  std::set<std::string> names;
  for (auto const& landing : landings)
    for (auto const& [name, change] : changes_between(git, landing.onto, landing.commit)) names.insert(name);
  return {names.begin(), names.end()};
}

/// One revert under way.
class TakingBack {
 public:
  TakingBack(service::LandingPlace const& place, service::LandedWorks const& known, Git const& git,
             Repository const& repository)
      : place_(place),
        repository_(repository),
        git_(git),
        files_(files_of_landings(git, place.take_back)),
        later_(git, repository.tip, place.take_back, known) {}

  Joined run() const {
    auto const now = git_.text({"rev-parse", repository_.tip + "^{tree}"}).value_or("");
    Merged result{now};
    for (auto const& landing : place_.take_back) {
      result = without_landing(git_, result.tree, landing);
      if (result.tree.empty()) return in_the_way(result);
    }
    if (auto moved = moved_since(); !moved.empty()) return in_the_way({{}, std::move(moved)});
    if (result.tree == now) return {repository_.tip, {}, {}};
    if (auto const differing = compare_with_past(result.tree)) return in_the_way(*differing);
    auto commit = commit_of(git_, result.tree, repository_.tip, message());
    if (commit.empty()) return {{}, {}, "git made no commit that takes the work back"};
    return {std::move(commit), {}, {}};
  }

 private:
  /// Files of the work that a later change gave another name: what the work made would stay there.
  std::vector<std::string> moved_since() const {
    std::set<std::string> gone;
    for (auto const& landing : place_.take_back) {
      auto const since = changes_between(git_, landing.commit, repository_.tip);
      for (auto const& file : files_)
        if (auto const change = since.find(file); change != since.end() && change->second.is_removal())
          gone.insert(file);
    }
    std::vector<std::string> out;
    if (gone.empty()) return out;
    for (auto const& commit : later_.touching({gone.begin(), gone.end()}))
      for (auto const& file : moved_by(git_, commit.id))
        if (gone.contains(file)) out.push_back(file);
    return out;
  }

  /// Nothing when the files are what they would be without the work.
  std::optional<Merged> compare_with_past(std::string const& result) const {
    if (!later_.is_line()) return std::nullopt;
    auto const commits = later_.touching(files_);
    if (commits.size() > kMostLater) return Merged{{}, files_};
    Merged past{git_.text({"rev-parse", place_.take_back.back().onto + "^{tree}"}).value_or("")};
    for (auto const& commit : commits) {
      past = with_later(git_, past.tree, commit.id);
      if (past.tree.empty()) return past;
    }
    Merged out{{}, differing_files(past.tree, result)};
    return out.files.empty() ? std::nullopt : std::optional{std::move(out)};
  }

  /// All files of the work when git cannot tell.
  std::vector<std::string> differing_files(std::string const& past, std::string const& result) const {
    auto const differ = git_.run({"diff-tree", "-r", "--quiet", "--no-renames", past, result});
    if (differ.good) return {};
    auto const changes = changes_between(git_, past, result);
    if (changes.empty()) return files_;
    std::vector<std::string> out;
    for (auto const& file : files_)
      if (changes.contains(file)) out.push_back(file);
    return out;
  }

  /// The files of the work that later commits changed. A file in conflict may be another one: the work may
  /// have renamed it.
  std::vector<std::string> changed_later() const {
    std::vector<std::string> out;
    for (auto const& file : files_)
      if (!later_.touching({file}).empty()) out.push_back(file);
    return out.empty() ? files_ : out;
  }

  Joined in_the_way(Merged const& merged) const {
    if (merged.files.empty()) return {{}, {}, "the work could not be taken back: " + merged.complaint};
    auto files = merged.files;
    auto commits = later_.touching(files);
    if (commits.empty()) {
      files = changed_later();
      commits = later_.touching(files);
    }
    auto const names = later_.names(commits);
    Joined out{{},
               "it cannot be taken back alone, because " + (names.empty() ? "later commits" : names) +
                   " changed the same after it in " + shown_names(files) +
                   "; take that back first, or take this back by hand (git revert)",
               {}};
    for (auto const& file : files) out.files.push_back(as_utf8(file));
    return out;
  }

  std::string message() const {
    auto const& task = place_.task;
    auto const& revert = *place_.run.revert;
    auto out = "Revert \"" + core::visible_text(task.title) + "\"\n\nTakes back the work on task #" +
               std::to_string(task.id) + (task.key.empty() ? "" : " (" + task.key + ")") + ".\n";
    for (auto const& landing : place_.take_back)
      out += "This reverts the commits " + landing.onto.substr(0, kShortId) + ".." +
             landing.commit.substr(0, kShortId) + ".\n";
    if (!revert.why.empty()) out += "\nReason: " + revert.why + "\n";
    return out + "Asked for by " + revert.by + ".\n";
  }

  service::LandingPlace const& place_;
  Repository const& repository_;
  Git const& git_;
  std::vector<std::string> files_;
  LaterCommits later_;
};

/// Why the landed work is not to be found on the default branch; empty when it is.
std::string why_not_there(service::LandingPlace const& place, Repository const& repository) {
  for (auto const& landing : place.take_back) {
    if (!is_commit_id(landing.commit) || !is_commit_id(landing.onto))
      return "it is not known as which commit it landed; take it back by hand (git revert)";
    if (!has_commit(repository.git, landing.commit) || !has_commit(repository.git, landing.onto) ||
        !contains(repository.git, repository.tip, landing.commit))
      return "its commit " + landing.commit.substr(0, kShortId) + " is not part of " +
             repository.default_branch + " any more, so there is nothing to take back";
  }
  return {};
}

}  // namespace

Joined take_back(service::LandingPlace const& place, service::LandedWorks const& known, MergeTree& tree,
                 Repository const& repository) {
  if (auto why = why_not_there(place, repository); !why.empty()) return {{}, std::move(why), {}};
  auto const empty = tree.empty(repository);
  if (!empty) return {{}, {}, empty.error()};
  auto out = TakingBack{place, known, *empty, repository}.run();
  if (out.commit.empty()) return out;
  if (auto trouble = tree.check_out(out.commit); !trouble.empty()) return {{}, {}, std::move(trouble)};
  return out;
}

}  // namespace andon::runner
