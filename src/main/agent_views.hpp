#pragma once

#include <filesystem>
#include <mutex>
#include <string>

#include "api/agent_directory.hpp"
#include "api/run_output.hpp"
#include "os/data/data_directory.hpp"
#include "os/processes/clock.hpp"
#include "runner/dispatch/launcher.hpp"
#include "runner/profiles/profile_book.hpp"

namespace andon::main {

/// The agent profiles, and whether their programs are installed. Searches for the programs at most once a
/// minute.
class AgentViews : public api::AgentDirectory {
 public:
  AgentViews(os::DataDirectory const& data, os::Clock const& clock, std::string search_path)
      : book_(data.agents), clock_(clock), search_path_(std::move(search_path)) {}
  api::Agents agents() override;
  /// Makes the next call of `agents` search for the programs again.
  void forget();

 private:
  std::mutex mutex_;
  runner::ProfileBook book_;
  os::Clock const& clock_;
  std::string search_path_;
  std::optional<core::Duration> looked_;
  api::Agents known_;
};

/// A page of the output of the run in this directory.
api::OutputPage read_output(std::filesystem::path const& run_directory, std::string_view since);

/// The output of the runs in this data directory.
class LocalOutput : public api::RunOutput {
 public:
  explicit LocalOutput(runner::Launcher const& launcher) : launcher_(launcher) {}
  core::Result<api::OutputPage> read(core::RunId run, std::string_view since) override;
  core::Result<api::OutputTaken> mirror(core::RunId run, api::OutputReport const& report) override;

 private:
  runner::Launcher const& launcher_;
  std::mutex writing_;  ///< two reports of one run may come at once
};

}  // namespace andon::main
