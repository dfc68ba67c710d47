#include "runner/dispatch/local_workspace_port.hpp"

#include <algorithm>
#include <set>

#include "core/model/clone_url.hpp"
#include "os/data/awaited_lock.hpp"
#include "os/system_error.hpp"
#include "runner/clones/clone.hpp"
#include "runner/clones/repository_examination.hpp"
#include "runner/clones/taken_work.hpp"
#include "runner/commands/machine_commands.hpp"
#include "runner/commands/tree_removal.hpp"
#include "runner/dispatch/sources.hpp"
#include "runner/profiles/examine.hpp"
#include "runner/profiles/profile_book.hpp"
#include "runner/prompts/assignment.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/setup/tree_record.hpp"
#include "runner/worktrees/diff.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/kept_branches.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/repository_list.hpp"
#include "runner/worktrees/work_folder.hpp"
#include "runner/worktrees/work_trees.hpp"

namespace andon::runner {
namespace {

using core::Result;

/// The limit of one call of an agent's program. A person waits for all of them.
constexpr core::Duration kAgentCall = std::chrono::seconds{10};
/// Of one command at a remote for which a person waits.
constexpr CloneLimits kWaitedFor{.time = std::chrono::seconds{20}};

std::vector<service::QueuedWork> shown(std::vector<service::LandingPlace> const& queue) {
  std::vector<service::QueuedWork> out;
  for (auto const& place : queue) {
    auto const& run = place.run;
    bool const reverts = place.is_revert();
    auto const& landing = *run.landing;
    out.push_back({place.board.name, place.task.id, place.task.title, run.id, run.branch,
                   reverts ? run.revert->at : landing.at, reverts ? run.revert->reason : landing.reason,
                   landing.state == core::LandingState::asked, landing.findings, reverts});
  }
  return out;
}

/// Takes out the branches whose work landed as one commit: the default branch never has their commits.
void drop_squashed(OperationClient& client, std::vector<service::KeptBranch>& kept) {
  service::WorkFactsRequest request;
  for (auto const& branch : kept) request.tasks.push_back(branch.task);
  if (kept.empty()) return;
  auto const facts = client.call<&service::work_facts>(request);
  if (!facts) return;
  std::set<std::string> landed;
  for (auto const& fact : facts->items) landed.insert(fact.squashed.begin(), fact.squashed.end());
  std::erase_if(kept, [&](service::KeptBranch const& branch) { return landed.contains(branch.head); });
}

/// The work tree of the task. Refuses when there is none, or when something else is in its place.
Result<Git> tree_of(service::TreeQuestion const& question, os::DataDirectory const& data, GitUse const& use) {
  auto const directory = work_tree_of(data, question.board.name, question.task);
  auto const refused = [&](std::string why) {
    return core::refuse(core::Code::kNotFound,
                        "task #" + std::to_string(question.task.id) + " has no work tree here: " + why, "id");
  };
  std::error_code none;
  if (!std::filesystem::exists(directory, none))
    return refused("its first run makes it, and it goes when its work has landed");
  auto tree = open_work_tree(directory, question.board, data, use);
  if (!tree) return refused(tree.error());
  return *std::move(tree);
}

std::unexpected<core::Error> unanswered(GitFailure const& failure) {
  return core::refuse(core::Code::kConflict, shown_reason(failure.what()));
}

}  // namespace

Result<service::RunDiff> LocalWorkspacePort::diff(service::DiffQuestion const& question) try {
  auto local = question;
  local.repo = repository_directory(question.repo, data_);
  ANDON_CHECK((Clone{question.repo, data_, use(), kWaitedFor}.refresh_for(question.run.head)));
  return diff_of(local, use());
} catch (GitFailure const& failure) {
  return unanswered(failure);
}

Result<service::WorkList> LocalWorkspacePort::list(service::WorkQuestion const& question) try {
  service::WorkList out;
  ANDON_SET(out.trees, find_work_trees(client_, data_, question.boards, use()));
  for (auto const& board : question.boards)
    for (auto& kept : kept_branches(board, data_, use()))
      if (std::ranges::find(out.trees, kept.task, &service::WorkTree::task) == out.trees.end())
        out.kept.push_back(std::move(kept));
  drop_squashed(client_, out.kept);
  out.queue = shown(question.queue);
  for (auto const& tree : out.trees) out.bytes += tree.bytes;
  out.limit = question.limit;
  return out;
} catch (GitFailure const& failure) {
  return unanswered(failure);
}

Result<service::WorkCleaned> LocalWorkspacePort::clean(service::CleanQuestion const& question) try {
  auto const& request = question.request;
  auto const& boards = question.work.boards;
  service::WorkCleaned out;
  TreeRemoval const removal{place_, use(), [this] { return stop_.is_set(); }};
  ANDON_TRY(auto trees, find_work_trees(client_, data_, boards, use()));
  for (auto& tree : trees) {
    bool const asked =
        request.tasks.empty() || std::ranges::find(request.tasks, tree.task) != request.tasks.end();
    if (!asked) continue;
    auto const board = std::ranges::find(boards, tree.board, &core::Board::name);
    tree.reason = why_kept(tree, request.force);
    if (tree.reason.empty()) tree.reason = removal.remove(*board, tree, request.force);
    if (tree.reason.empty()) out.freed += tree.bytes;
    (tree.reason.empty() ? out.removed : out.kept).push_back(std::move(tree));
  }
  return out;
} catch (GitFailure const& failure) {
  return unanswered(failure);
}

Result<service::OpenedWork> LocalWorkspacePort::open_work(service::TreeQuestion const& question) try {
  ANDON_TRY(auto const tree, tree_of(question, data_, use()));
  service::OpenedWork out;
  out.task = question.task.id;
  out.board = question.board.name;
  out.title = question.task.title;
  out.branch = checked_out_branch(tree);
  out.directory = tree.place().directory;
  for (auto& [name, value] : tree_variables(question.board, out.task, out.directory, data_))
    out.environment[name] = value;
  out.can_preview = !question.board.preview.empty();
  out.preview = previews_.find(out.task);
  return out;
} catch (GitFailure const& failure) {
  return unanswered(failure);
}

bool LocalWorkspacePort::has_agent(core::TaskId task) {
  auto const facts = client_.call<&service::work_facts>({{task}});
  return !facts || std::ranges::any_of(facts->items, &service::WorkFact::running);
}

/// Gives a person the branch of a task whose work tree is gone.
std::optional<service::OpenedWork> LocalWorkspacePort::take_branch(
    service::TreeQuestion const& question) const {
  auto const& [task, board] = question;
  auto const all = kept_branches(board, data_, use());
  auto const kept = std::ranges::find(all, task.id, &service::KeptBranch::task);
  if (kept == all.end() || core::is_clone_url(board.repo)) return std::nullopt;
  auto const trouble = Clone{board.repo, data_, use(), {}, board.branch}.offer(kept->branch, kept->head);
  service::OpenedWork out;
  out.task = task.id;
  out.board = board.name;
  out.title = task.title;
  out.branch = kept->branch;
  out.directory = board.repo;
  out.remark = trouble.value_or(
      "the work tree is gone, and the repository has this branch; go on with: git checkout " + kept->branch);
  return out;
}

Result<service::OpenedWork> LocalWorkspacePort::take_work(service::TreeQuestion const& question) try {
  std::error_code none;
  if (!std::filesystem::exists(work_tree_of(data_, question.board.name, question.task), none))
    if (auto branch = take_branch(question)) return *std::move(branch);
  ANDON_TRY(auto const tree, tree_of(question, data_, use()));
  auto const lock = lock_of_tree(tree.place().directory);
  auto const turn = os::AwaitedLock{lock}.take(use().limit);
  // A comment would not protect: the prompt of a shell may run git at once.
  if (!turn || has_agent(question.task.id))
    return core::refuse(
        core::Code::kConflict,
        "an agent works in " + tree.place().directory +
            ": what it configures for git would run in your shell; open the work when its run "
            "has ended",
        "id");
  ANDON_TRY(auto const taken, runner::take_work({.repo = repository_directory(question.board.repo, data_),
                                                 .directory = tree.place().directory,
                                                 .origin = question.board.repo,
                                                 .data = std::filesystem::absolute(data_.root),
                                                 .board_branch = question.board.branch,
                                                 .branch_prefix = question.board.branch_prefix},
                                                tree));
  ANDON_TRY(auto out, open_work(question));
  out.remark = taken.remark;
  if (out.remark.empty() && !core::is_clone_url(question.board.repo))
    out.remark = question.board.repo + " has this branch too";
  return out;
} catch (GitFailure const& failure) {
  return unanswered(failure);
}

Result<service::OpenedWork> LocalWorkspacePort::preview_work(service::PreviewQuestion const& question) try {
  auto const& of = question.of;
  auto const now = previews_.find(of.task.id);
  bool const is_running = now && now->state == service::PreviewState::running;
  if (question.stop) {
    previews_.stop(of.task.id);
  } else if (!serves_previews_) {
    return core::refuse(core::Code::kConflict,
                        "a preview ends with the server, and none runs here; start it with: andon serve",
                        "id");
  } else if (!is_running) {
    ANDON_TRY(auto const tree, tree_of(of, data_, use()));
    ANDON_TRY(auto const ports, take_ports(tree_records(data_), tree.place().directory, of.board.ports));
    ANDON_CHECK(previews_.start(of, tree.place(), ports.first));
  }
  return open_work(of);
} catch (GitFailure const& failure) {
  return unanswered(failure);
}

Result<api::SourceTexts> LocalWorkspacePort::sources(service::SourceQuestion const& question) try {
  auto local = question;
  if (core::is_clone_url(question.repo)) {
    Clone const clone{question.repo, data_, use(), {}, question.branch};
    ANDON_CHECK(clone.refresh());
    ANDON_CHECK(clone.check_out());
    local.repo = clone.repo();
  }
  return run_sources(local, {data_.root, place_.own, place_.program});
} catch (GitFailure const& failure) {
  return unanswered(failure);
}

Result<service::Prompt> LocalWorkspacePort::prompt(service::RunBrief const& brief) try {
  ProfileBook const book{data_.agents};
  auto const* profile = book.find(brief.worker.agent);
  if (!profile && !brief.worker.agent.empty())
    return core::refuse(core::Code::kInvalidInput, book.why_missing(brief.worker.agent), "worker");
  auto const any = Profile{};
  ANDON_TRY(auto const assignment, assignment_of(brief, profile ? *profile : any, data_));
  auto const said = told(profile ? *profile : any, assignment.prompt);
  service::Prompt out;
  out.task = brief.task.id;
  out.worker = brief.worker.name;
  out.agent = brief.worker.agent;
  out.session = assignment.session;
  out.role = said.role;
  out.prompt = said.prompt;
  out.bytes = static_cast<std::int64_t>(said.role.size() + said.prompt.size());
  return out;
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kInvalidInput, error.what(), "worker");
}

Result<service::RunDocuments> LocalWorkspacePort::documents(service::DocumentsQuestion const& question) try {
  return documents_for(question.worker, question.tags, data_.root);
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kInvalidInput, error.what(), "worker");
}

Result<service::MemoryTopics> LocalWorkspacePort::topics(service::MemoryReader const& question) {
  return memory().list(question);
}

Result<service::MemoryText> LocalWorkspacePort::topic(service::TopicQuestion const& question) {
  return memory().show(question);
}

Result<service::MemoryAdded> LocalWorkspacePort::remember(service::MemoryEntry const& question) {
  return memory().add(question);
}

Result<service::Repositories> LocalWorkspacePort::repositories(service::RepositoriesRequest const& question) {
  return list_repositories(question, {os::path_variable("HOME"), data_.root},
                           {.limit = use().limit, .stop = stop_.handle()});
}

Result<service::ExaminedRepository> LocalWorkspacePort::examine_repository(
    service::ExamineRepositoryRequest const& question) {
  if (question.repo.empty()) return service::ExaminedRepository{};
  return runner::examine_repository(question, data_, use());
}

Result<core::MachineCommands> LocalWorkspacePort::machine_commands() {
  return read_machine_commands(data_.commands);
}

Result<service::AgentTest> LocalWorkspacePort::test_agent(service::AgentTestRequest const& question) {
  ProfileBook const book{data_.agents};
  auto const* profile = book.find(question.id);
  if (!profile) return core::refuse(core::Code::kNotFound, book.why_missing(question.id), "id");
  auto found = examine(*profile, place_.own, {.time = kAgentCall});
  return service::AgentTest{std::move(found.id),      std::move(found.title),    found.ready,
                            std::move(found.program), std::move(found.version),  found.signed_in,
                            std::move(found.sign),    std::move(found.problems), std::move(found.notes)};
}

/// Refuses a repository in which the board cannot work, or that is a folder of a larger one.
Result<void> LocalWorkspacePort::check_repository(service::WantedRepository const& wanted) const {
  ANDON_TRY(auto const found, runner::examine_repository(wanted.question, data_, use()));
  for (auto const& finding : found.findings)
    if (finding.kind == service::RepositoryFindingKind::refused)
      return core::refuse(core::Code::kInvalidInput, in_words(finding), wanted.field + finding.field);
  if (found.folder == wanted.question.folder) return {};
  return core::refuse(core::Code::kInvalidInput,
                      wanted.question.repo + " is a folder of " + found.repo + "; write \"repo\": \"" +
                          found.repo + "\" and \"folder\": \"" + found.folder + "\"",
                      wanted.field + "repo");
}

Result<void> LocalWorkspacePort::check_wanted(service::WantedOnMachine const& question) {
  for (auto const& wanted : question.repositories) ANDON_CHECK(check_repository(wanted));
  if (question.items.empty()) return {};
  ProfileBook const book{data_.agents};
  for (auto const& wanted : question.items)
    if (!book.find(wanted.agent))
      return core::refuse(core::Code::kInvalidInput, book.why_missing(wanted.agent), wanted.field);
  return {};
}

}  // namespace andon::runner
