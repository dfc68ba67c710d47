#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/model/runner.hpp"
#include "main/remote_runner/runner_link.hpp"
#include "os/data/data_directory.hpp"
#include "os/processes/event.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Finds out, in a thread of its own, which agents can start on this host and which repositories it lacks.
class HostExaminer {
 public:
  struct Found {
    std::vector<core::RunnerAgent> agents;
    std::vector<core::RunnerRepository> unusable;
    std::uint64_t count = 0;  ///< rises with every examination that found something else
  };

  /// Calls `news` after an examination that found something else. The link outlives the object.
  HostExaminer(RunnerLink const& link, os::DataDirectory data, std::function<void()> news);
  /// Ends a program that is being asked: an end of the runner waits for none.
  ~HostExaminer();

  Found found() const;

 private:
  /// The last test of a profile's program.
  struct Tested {
    std::string version;
    std::string problem;
  };

  void run(std::stop_token const& stop);
  bool keep(std::vector<core::RunnerAgent> agents,
            std::optional<std::vector<core::RunnerRepository>> unusable);
  std::vector<core::RunnerAgent> examine_agents(bool thoroughly);
  std::optional<std::vector<core::RunnerRepository>> examine_repositories(
      runner::OperationClient& client) const;

  RunnerLink const& link_;
  os::DataDirectory const data_;
  std::function<void()> const news_;
  LinkedExecutor executor_;
  std::map<std::string, Tested> tested_;  ///< by profile
  os::Event const ending_;
  mutable std::mutex mutex_;
  std::condition_variable_any rested_;
  Found found_;          ///< guarded by mutex_
  std::jthread thread_;  // last: it uses all members above
};

}  // namespace andon::main
