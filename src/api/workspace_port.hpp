#pragma once

#include "api/operation.hpp"
#include "service/automations/firing.hpp"
#include "service/boards/board_repository.hpp"
#include "service/boards/repositories.hpp"
#include "service/runners/run_documents.hpp"
#include "service/runs/open_work.hpp"
#include "service/runs/run_brief.hpp"
#include "service/runs/work.hpp"
#include "service/teams/wanted_on_machine.hpp"
#include "service/workers/agent_test.hpp"
#include "service/workers/memory.hpp"

namespace andon::api {

/// The output of each command, by name.
using SourceTexts = std::map<std::string, std::string>;

/// Answers what only the machine with the repositories and the data directory knows. Thread-safe; asked after
/// the unit of work that made the question has ended, so that git never holds a transaction.
class WorkspacePort {
 public:
  virtual ~WorkspacePort() = default;
  virtual core::Result<service::RunDiff> diff(service::DiffQuestion const& question) = 0;
  virtual core::Result<service::WorkList> list(service::WorkQuestion const& question) = 0;
  virtual core::Result<service::WorkCleaned> clean(service::CleanQuestion const& question) = 0;
  virtual core::Result<service::OpenedWork> open_work(service::TreeQuestion const& question) = 0;
  virtual core::Result<service::OpenedWork> take_work(service::TreeQuestion const& question) = 0;
  virtual core::Result<service::OpenedWork> preview_work(service::PreviewQuestion const& question) = 0;
  virtual core::Result<SourceTexts> sources(service::SourceQuestion const& question) = 0;
  virtual core::Result<service::Prompt> prompt(service::RunBrief const& question) = 0;
  virtual core::Result<service::RunDocuments> documents(service::DocumentsQuestion const& question) = 0;
  virtual core::Result<service::MemoryTopics> topics(service::MemoryReader const& question) = 0;
  virtual core::Result<service::MemoryText> topic(service::TopicQuestion const& question) = 0;
  virtual core::Result<service::MemoryAdded> remember(service::MemoryEntry const& question) = 0;
  virtual core::Result<service::Repositories> repositories(service::RepositoriesRequest const& question) = 0;
  /// An empty question has an empty answer.
  virtual core::Result<service::ExaminedRepository> examine_repository(
      service::ExamineRepositoryRequest const& question) = 0;
  /// The commands that the machine defines for its boards.
  virtual core::Result<core::MachineCommands> machine_commands() = 0;
  virtual core::Result<service::AgentTest> test_agent(service::AgentTestRequest const& question) = 0;
  /// Refuses what names an agent profile that is not here.
  virtual core::Result<void> check_wanted(service::WantedOnMachine const& question) = 0;
};

namespace detail {
template <class M>
struct WorkspacePortSignature;
template <class R, class Q>
struct WorkspacePortSignature<core::Result<R> (WorkspacePort::*)(Q const&)> {
  using Answer = R;
  using Question = Q;
};
}  // namespace detail

/// Adds to the row of an operation that a service function asks and the workspace port answers what follows
/// from the two.
template <auto F, auto M>
Operation workspace_op(Operation row) {
  using S = detail::WorkspacePortSignature<decltype(M)>;
  using Question = typename S::Question;
  static_assert(std::is_same_v<Question, typename detail::Signature<decltype(F)>::Response>);
  row = op<F>(row);
  row.response = &reflect::type_of<typename S::Answer>();
  row.make_response = &empty_object<typename S::Answer>;
  row.finish = [](Ports const& ports, void const* question) -> core::Result<Object> {
    if (!ports.workspace) return no_data_directory();
    return detail::as_object((ports.workspace->*M)(*static_cast<Question const*>(question)));
  };
  return row;
}

namespace detail {
/// The question that `Ask` makes of the request, in a unit of its own.
template <auto Ask>
Preparation asking() {
  using Q = typename Signature<decltype(Ask)>::Request;
  return {.ask = [](service::OperationContext& ctx, void const* request) {
    return as_object(Ask(ctx, *static_cast<Q const*>(request)));
  }};
}
}  // namespace detail

/// Puts the workspace port's answer to a question into the request.
template <auto Ask, auto Asked, auto Into>
Preparation prepared() {
  using Q = typename detail::Signature<decltype(Ask)>::Request;
  using Question = typename detail::Signature<decltype(Ask)>::Response;
  auto out = detail::asking<Ask>();
  out.answer = [](Ports const& ports, void const* question, void* request) -> core::Result<void> {
    if (!ports.workspace) return {};
    ANDON_SET(static_cast<Q*>(request)->*Into,
              (ports.workspace->*Asked)(*static_cast<Question const*>(question)));
    return {};
  };
  return out;
}

/// Lets the workspace port refuse the request before it begins.
template <auto Ask, auto Check>
Preparation validated_by() {
  using Question = typename detail::Signature<decltype(Ask)>::Response;
  auto out = detail::asking<Ask>();
  out.answer = [](Ports const& ports, void const* question, void*) -> core::Result<void> {
    if (!ports.workspace) return {};
    return (ports.workspace->*Check)(*static_cast<Question const*>(question));
  };
  return out;
}

}  // namespace andon::api
