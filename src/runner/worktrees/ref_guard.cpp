// An agent may write all refs of its repository, because git has no finer place for them. So its supervising
// process notes all refs before the agent starts, and afterwards asks of each ref that moved:
//
//   1. Is it of no concern? Work branches have runs of their own, remote branches follow their remote.
//   2. Does it point into the work of this run, at a commit that no ref had before?
//   3. Is that commit unknown to the landing queue? Otherwise the agent took up what the server had landed.
//   4. Did the agent not take the commit up by a merge, pull or rebase? Otherwise a person had made it. The
//   log
//      of the work tree says so. An agent could forge that log, but it could as well move a ref to a commit
//      that its work does not contain, which nobody notices.
//
// Such a ref was moved to unreviewed work. If all that it gained was made in the work tree, no person moved
// the ref there, and it is put back. Else a person may have moved it; then the ref stays, and a person
// decides.

#include "runner/worktrees/ref_guard.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

#include "core/runs/work_branch.hpp"
#include "os/processes/log.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/repository_records.hpp"

namespace andon::runner {
namespace {

constexpr std::string_view kBranchRefs = "refs/heads/";
constexpr std::array<std::string_view, 6> kOfNoConcern{
    "refs/heads/andon/", "refs/remotes/", "refs/stash", "refs/bisect/", "refs/worktree/", "refs/rewritten/"};
constexpr std::size_t kObjectsOfACall = 2'000;  ///< as many fit into the arguments of a process
constexpr char kLoggedCommits[] = "--max-count=2000";
/// How the log of a work tree begins its entries for commits that were made there.
constexpr std::array<std::string_view, 10> kMakes{
    "commit",        "rebase (pick)",     "rebase (reword)", "rebase (squash)", "rebase (fixup)",
    "rebase (edit)", "rebase (continue)", "cherry-pick",     "revert",          "am"};
/// And for commits that came from elsewhere, with all that they contain.
constexpr std::array<std::string_view, 5> kTakesUp{"merge", "pull", "rebase (start)", "checkout", "reset"};

struct MovedRef {
  std::string name;
  std::string before;
  std::string now;
};

/// The first folders of the repository's refs, without Andon's own: there is one for each run ever.
std::vector<std::string> ref_folders(Git const& git) {
  std::set<std::string> names{"heads", "tags", "remotes", "notes"};
  std::error_code none;
  for (auto const& entry : std::filesystem::directory_iterator{git.place().common_directory + "/refs", none})
    names.insert(entry.path().filename().native());
  names.erase("andon");
  std::vector<std::string> out;
  for (auto const& name : names) out.push_back("refs/" + name);
  return out;
}

/// All refs but Andon's own.
std::map<std::string, std::string> refs_now(Git const& git) {
  std::map<std::string, std::string> out;
  auto arguments = ref_folders(git);
  arguments.insert(arguments.begin(), {"for-each-ref", "--format=%(refname) %(objectname)"});
  for (auto const& line : git.list(arguments))
    if (auto const end = line.find(' '); end != std::string::npos)
      out[line.substr(0, end)] = line.substr(end + 1);
  return out;
}

bool is_of_concern(std::string const& name, NotedRefs const& noted) {
  return name != std::string{kBranchRefs} + noted.branch &&
         std::ranges::none_of(kOfNoConcern, [&](auto prefix) { return name.starts_with(prefix); });
}

std::vector<MovedRef> moved_refs(Git const& git, NotedRefs const& noted) {
  std::vector<MovedRef> out;
  auto const now = refs_now(git);
  for (auto const& [name, before] : noted.refs)
    if (auto const found = now.find(name);
        found != now.end() && found->second != before && is_of_concern(name, noted))
      out.push_back({name, before, found->second});
  return out;
}

/// The commits in the log of a work tree, as far back as one call prints.
class TreeLog {
 public:
  explicit TreeLog(Git const& tree) {
    for (auto const& line : tree.list({"log", "--walk-reflogs", kLoggedCommits, "--format=%H %gs", "HEAD"})) {
      auto const end = std::min(line.find(' '), line.size());
      std::string_view const how = std::string_view{line}.substr(std::min(end + 1, line.size()));
      auto const begins = [&](std::string_view with) { return how.starts_with(with); };
      if (std::ranges::any_of(kMakes, begins)) made_.insert(line.substr(0, end));
      if (std::ranges::any_of(kTakesUp, begins)) taken_up_.insert(line.substr(0, end));
    }
  }
  bool has_made(std::string const& commit) const { return made_.contains(commit); }
  bool has_taken_up(Git const& git, std::string const& commit) const {
    return !has_made(commit) && std::ranges::any_of(taken_up_, [&](std::string const& taken) {
      return contains(git, taken, commit);
    });
  }

 private:
  std::set<std::string> made_;
  std::set<std::string> taken_up_;
};

/// Whether a commit was reachable from a noted ref, other than those of the task's own work.
bool was_known(Git const& git, NotedRefs const& noted, std::string const& commit) {
  std::vector<std::string> arguments{"rev-list", "--max-count=1", commit, "--not"};
  auto const own = arguments.size();
  auto const branch = std::string{kBranchRefs} + noted.branch;
  for (auto ref = noted.refs.begin(); ref != noted.refs.end();) {
    arguments.resize(own);
    for (; ref != noted.refs.end() && arguments.size() < kObjectsOfACall; ++ref)
      if (ref->first != branch) arguments.push_back(ref->second);
    if (auto const news = git.run(arguments); news.good && news.out.empty()) return true;
  }
  return false;
}

bool is_moved_by_agent(Git const& git, TreeLog const& log, NotedRefs const& noted, MovedRef const& ref,
                       std::string const& head) {
  if (!contains(git, head, ref.now) || was_known(git, noted, ref.now)) return false;
  if (log.has_taken_up(git, ref.now)) return false;
  auto const& records = git.use().records;
  return records.empty() || !RepositoryRecords{records, git.place()}.has_landed(ref.now);
}

/// Whether no person can have moved the ref: all that it gained was made in the work tree or in the name of
/// an agent, and none of it is the work of a finished run, which a person may merge.
bool is_agents_alone(Git const& git, TreeLog const& log, MovedRef const& ref) {
  auto const gained = git.list({"log", kLoggedCommits, "--format=%H %ce", ref.now, "^" + ref.before, "--"});
  auto const is_made = [&](std::string const& line) {
    auto const end = std::min(line.find(' '), line.size());
    return log.has_made(line.substr(0, end)) || line.substr(end) == " " + std::string{core::kAgentAddress};
  };
  if (gained.empty() || !std::ranges::all_of(gained, is_made)) return false;
  auto const of_runs = git.run({"for-each-ref", "--count=1", "--contains", ref.now, "refs/andon/runs"});
  return of_runs.good && of_runs.out.empty();
}

bool put_back(Git const& git, MovedRef const& ref) {
  return git.succeeds(
      {"update-ref", "--no-deref", "-m", "andon: undo a move by an agent", ref.name, ref.before, ref.now});
}

std::string sentence(MovedRef const& ref, bool is_back) {
  auto const what =
      as_utf8(ref.name) + " moved to " + ref.now + ", which is a commit of this task's branch; ";
  if (is_back) return what + "it was put back to " + ref.before;
  return what + "if you did not move it, put it back with: git update-ref " + as_utf8(ref.name) + " " +
         ref.before + " " + ref.now;
}

}  // namespace

NotedRefs note_refs(Repository const& repository, std::string const& branch) {
  return {{}, repository.default_branch, repository.tip, branch, refs_now(repository.git)};
}

bool is_branch_of_run(NotedRefs const& noted, std::string const& branch) {
  return branch.starts_with(core::kWorkBranches) || branch == noted.branch ||
         !noted.refs.contains(std::string{kBranchRefs} + branch);
}

std::string undo_moved_refs(Repository const& repository, Git const& tree, NotedRefs const& noted,
                            std::string const& head) {
  auto const& git = repository.git;
  auto const moved = moved_refs(git, noted);
  std::string out;
  std::optional<TreeLog> log;
  if (!moved.empty()) log.emplace(tree);
  for (auto const& ref : moved) {
    if (!is_moved_by_agent(git, *log, noted, ref, head)) continue;
    auto const about = sentence(ref, is_agents_alone(git, *log, ref) && put_back(git, ref));
    os::log(os::Level::warning, git.place().directory + ": " + about);
    out += (out.empty() ? "" : ". ") + about;
  }
  if (out.empty() && !noted.default_branch.empty() && repository.default_branch != noted.default_branch)
    return "the default branch was " + noted.default_branch + " when the run began and is now " +
           as_utf8(repository.default_branch);
  return out;
}

}  // namespace andon::runner
