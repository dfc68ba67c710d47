#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "os/files/descriptor.hpp"
#include "runner/dispatch/conclusion_job.hpp"
#include "runner/dispatch/launcher.hpp"
#include "runner/dispatch/run_keeper.hpp"
#include "runner/operation_client.hpp"
#include "runner/profiles/profile_book.hpp"
#include "runner/prompts/assignment.hpp"

namespace andon::runner {

/// The place of the roles and the memory of workers.
enum class DocumentsAt { own_directory, server };

/// The runs of one data directory on this machine.
class LocalRunHost : public RunHost {
 public:
  /// The client is not owned. `url` returns the server's address for agents. It is called for every run,
  /// since the port may be chosen late.
  LocalRunHost(OperationClient& client, os::DataDirectory data, Launcher launcher,
               std::function<std::string()> url, DocumentsAt documents = DocumentsAt::own_directory);

  core::Result<Prepared> launch(service::RunBrief const& brief, std::string const& token) override;
  void release(core::RunId run, std::string const& key) override;
  void withdraw(core::RunId run) override;
  bool was_prepared(core::RunId run) override;
  std::optional<Conclusion> conclude(KnownRun const& run) override;
  void let_go(core::RunId run) override;
  bool is_one_of_many() const override { return documents_ == DocumentsAt::server; }

 private:
  struct Waiting {
    os::Child child;
    os::Descriptor key;
  };

  core::Result<LaunchRequest> request_for(service::RunBrief const& brief, std::string const& token);

  core::Result<Assignment> assignment_for(service::RunBrief const& brief, Profile const& profile);
  void keep_model(Profile const& profile, core::Worker& worker) const;
  /// Copies the files of the task into the run's directory, where the agent may read them.
  core::Result<void> copy_attachments(service::RunBrief const& brief);

  OperationClient& client_;
  os::DataDirectory data_;
  Launcher launcher_;
  ProfileBook book_;
  std::function<std::string()> url_;
  DocumentsAt const documents_;
  std::map<core::RunId, Waiting> children_;
  std::map<core::RunId, ConclusionJob> jobs_;
};

}  // namespace andon::runner
