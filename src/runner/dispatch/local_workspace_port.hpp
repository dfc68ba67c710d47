#pragma once

#include "api/workspace_port.hpp"
#include "os/data/data_directory.hpp"
#include "os/processes/event.hpp"
#include "runner/commands/previews.hpp"
#include "runner/git/git.hpp"
#include "runner/operation_client.hpp"
#include "runner/prompts/memory.hpp"

namespace andon::runner {

/// Access to the repositories and work trees of this machine, and to the memory and agent profiles of its
/// data directory.
class LocalWorkspacePort : public api::WorkspacePort {
 public:
  /// The environment of commands is a selection of `own`. `program` is the `andon` that supervises them.
  LocalWorkspacePort(api::Executor& executor, os::DataDirectory data, std::vector<std::string> own,
                     std::filesystem::path program)
      : client_(executor, "workshop"),
        data_(std::move(data)),
        place_{data_, std::move(own), std::move(program)} {}

  core::Result<service::RunDiff> diff(service::DiffQuestion const& question) override;
  core::Result<service::WorkList> list(service::WorkQuestion const& question) override;
  core::Result<service::WorkCleaned> clean(service::CleanQuestion const& question) override;
  core::Result<service::OpenedWork> open_work(service::TreeQuestion const& question) override;
  core::Result<service::OpenedWork> take_work(service::TreeQuestion const& question) override;
  core::Result<service::OpenedWork> preview_work(service::PreviewQuestion const& question) override;
  core::Result<api::SourceTexts> sources(service::SourceQuestion const& question) override;
  core::Result<service::Prompt> prompt(service::RunBrief const& question) override;
  core::Result<service::RunDocuments> documents(service::DocumentsQuestion const& question) override;
  core::Result<service::MemoryTopics> topics(service::MemoryReader const& question) override;
  core::Result<service::MemoryText> topic(service::TopicQuestion const& question) override;
  core::Result<service::MemoryAdded> remember(service::MemoryEntry const& question) override;
  core::Result<service::Repositories> repositories(service::RepositoriesRequest const& question) override;
  core::Result<service::ExaminedRepository> examine_repository(
      service::ExamineRepositoryRequest const& question) override;
  core::Result<core::MachineCommands> machine_commands() override;
  core::Result<service::AgentTest> test_agent(service::AgentTestRequest const& question) override;
  core::Result<void> check_wanted(service::WantedOnMachine const& question) override;

  /// Permits previews, which end with this process: only one that stays can serve them.
  void serve_previews() { serves_previews_ = true; }
  /// Ends running git commands. Later questions about repositories are refused.
  void stop() const { stop_.set(); }

 private:
  /// The limit is short, because a person waits for the answer.
  GitUse use() const { return {.limit = std::chrono::seconds{20}, .stop = stop_.handle()}; }
  core::Result<void> check_repository(service::WantedRepository const& wanted) const;
  bool has_agent(core::TaskId task);
  std::optional<service::OpenedWork> take_branch(service::TreeQuestion const& question) const;
  Memory memory() const { return Memory{data_.root / "memory"}; }

  OperationClient client_;
  os::DataDirectory data_;
  CommandPlace const place_;
  os::Event stop_;
  bool serves_previews_ = false;
  Previews previews_{client_, place_};  // last: its threads use the members above
};

}  // namespace andon::runner
