// An agent may write all refs of its repository, because git has no finer place for them. So its supervising
// process notes all refs before the agent starts, and afterwards asks of each ref that moved:
//
//   1. Is it of no concern? Work branches have runs of their own, remote branches follow their remote.
//   2. Does it point into the work of this run, at a commit that no ref had before?
//   3. Is that commit unknown to the landing queue? Otherwise the agent took up what the server had landed.
//
// Such a ref was moved to unreviewed work. If an agent made the commit in this run, no person moved the ref
// there, and it is put back. Else a person may have moved it while the agent took the commit up; then the ref
// stays, and a person decides.

#include "runner/worktrees/ref_guard.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/runs/work_branch.hpp"
#include "os/processes/log.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/repository_records.hpp"

namespace andon::runner {
namespace {

constexpr std::string_view kBranchRefs = "refs/heads/";
constexpr std::array<std::string_view, 7> kOfNoConcern{"refs/heads/andon/", "refs/andon/",  "refs/remotes/",
                                                       "refs/stash",        "refs/bisect/", "refs/worktree/",
                                                       "refs/rewritten/"};
constexpr std::size_t kObjectsOfACall = 2'000;  ///< as many fit into the arguments of a process

struct MovedRef {
  std::string name;
  std::string before;
  std::string now;
};

std::map<std::string, std::string> refs_now(Git const& git) {
  std::map<std::string, std::string> out;
  for (auto const& line : git.list({"for-each-ref", "--format=%(refname) %(objectname)"}))
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

/// Whether a commit was reachable from a noted ref.
bool was_known(Git const& git, NotedRefs const& noted, std::string const& commit) {
  std::vector<std::string> arguments{"rev-list", "--max-count=1", commit, "--not"};
  auto const own = arguments.size();
  for (auto ref = noted.refs.begin(); ref != noted.refs.end();) {
    arguments.resize(own);
    for (; ref != noted.refs.end() && arguments.size() < kObjectsOfACall; ++ref)
      arguments.push_back(ref->second);
    if (auto const news = git.run(arguments); news.good && news.out.empty()) return true;
  }
  return false;
}

bool is_moved_by_agent(Git const& git, NotedRefs const& noted, MovedRef const& ref, std::string const& head) {
  if (!contains(git, head, ref.now) || was_known(git, noted, ref.now)) return false;
  auto const& records = git.use().records;
  return records.empty() || !RepositoryRecords{records, git.place()}.has_landed(ref.now);
}

/// Whether no person can have moved a ref to that commit. A person does not make commits in an agent's name,
/// but may merge the finished work of another task.
bool is_agents_alone(Git const& git, std::string const& commit) {
  bool const is_made_by_andon = git.text({"log", "-1", "--format=%ce", commit, "--"}) == core::kAgentAddress;
  return is_made_by_andon && git.list({"for-each-ref", "--contains", commit, "refs/andon/runs"}).empty();
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
  return {repository.default_branch, repository.tip, branch, refs_now(repository.git)};
}

bool is_branch_of_run(NotedRefs const& noted, std::string const& branch) {
  return branch.starts_with(core::kWorkBranches) || branch == noted.branch ||
         !noted.refs.contains(std::string{kBranchRefs} + branch);
}

std::string undo_moved_refs(Repository const& repository, NotedRefs const& noted, std::string const& head) {
  auto const& git = repository.git;
  std::string out;
  for (auto const& ref : moved_refs(git, noted)) {
    if (!is_moved_by_agent(git, noted, ref, head)) continue;
    auto const about = sentence(ref, is_agents_alone(git, ref.now) && put_back(git, ref));
    os::log(os::Level::warning, git.place().directory + ": " + about);
    out += (out.empty() ? "" : ". ") + about;
  }
  if (out.empty() && !noted.default_branch.empty() && repository.default_branch != noted.default_branch)
    return "the default branch was " + noted.default_branch + " when the run began and is now " +
           as_utf8(repository.default_branch);
  return out;
}

}  // namespace andon::runner
