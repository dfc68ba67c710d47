#include "runner/dispatch/local_workspace_port.hpp"

#include <algorithm>

#include "os/system_error.hpp"
#include "runner/dispatch/sources.hpp"
#include "runner/profiles/examine.hpp"
#include "runner/profiles/profile_book.hpp"
#include "runner/prompts/assignment.hpp"
#include "runner/worktrees/diff.hpp"
#include "runner/worktrees/repository_list.hpp"
#include "runner/worktrees/work_trees.hpp"

namespace andon::runner {
namespace {

using core::Result;

/// The limit of one call of an agent's program. A person waits for all of them.
constexpr core::Duration kAgentCall = std::chrono::seconds{10};

std::vector<service::QueuedWork> shown(std::vector<service::LandingPlace> const& queue) {
  std::vector<service::QueuedWork> out;
  for (auto const& place : queue) {
    auto const& run = place.run;
    bool const reverts = place.is_revert();
    out.push_back({place.board.name, place.task.id, place.task.title, run.id, run.branch,
                   reverts ? run.revert->at : run.landing->at,
                   reverts ? run.revert->reason : run.landing->reason, reverts});
  }
  return out;
}

}  // namespace

Result<service::RunDiff> LocalWorkspacePort::diff(service::DiffQuestion const& question) {
  return diff_of(question, use());
}

Result<service::WorkList> LocalWorkspacePort::list(service::WorkQuestion const& question) {
  service::WorkList out;
  out.trees = find_work_trees(client_, data_, question.boards, use());
  out.queue = shown(question.queue);
  for (auto const& tree : out.trees) out.bytes += tree.bytes;
  out.limit = question.limit;
  return out;
}

Result<service::WorkCleaned> LocalWorkspacePort::clean(service::CleanQuestion const& question) {
  auto const& request = question.request;
  auto const& boards = question.work.boards;
  service::WorkCleaned out;
  for (auto& tree : find_work_trees(client_, data_, boards, use())) {
    bool const asked =
        request.tasks.empty() || std::ranges::find(request.tasks, tree.task) != request.tasks.end();
    if (!asked) continue;
    auto const board = std::ranges::find(boards, tree.board, &core::Board::name);
    tree.reason = why_kept(tree, request.force);
    if (tree.reason.empty() && !remove_work_tree(*board, tree, request.force, use()))
      tree.reason = "some of its files could not be removed";
    if (tree.reason.empty()) out.freed += tree.bytes;
    (tree.reason.empty() ? out.removed : out.kept).push_back(std::move(tree));
  }
  return out;
}

Result<api::SourceTexts> LocalWorkspacePort::sources(service::SourceQuestion const& question) {
  return run_sources(question, {data_.root, own_, program_});
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

Result<service::AgentTest> LocalWorkspacePort::test_agent(service::AgentTestRequest const& question) {
  ProfileBook const book{data_.agents};
  auto const* profile = book.find(question.id);
  if (!profile) return core::refuse(core::Code::kNotFound, book.why_missing(question.id), "id");
  auto found = examine(*profile, own_, kAgentCall);
  return service::AgentTest{std::move(found.id),      std::move(found.title),    found.ready,
                            std::move(found.program), std::move(found.version),  found.signed_in,
                            std::move(found.sign),    std::move(found.problems), std::move(found.notes)};
}

Result<void> LocalWorkspacePort::check_agents(service::WantedAgents const& question) {
  if (question.items.empty()) return {};
  ProfileBook const book{data_.agents};
  for (auto const& wanted : question.items)
    if (!book.find(wanted.agent))
      return core::refuse(core::Code::kInvalidInput, book.why_missing(wanted.agent), wanted.field);
  return {};
}

}  // namespace andon::runner
