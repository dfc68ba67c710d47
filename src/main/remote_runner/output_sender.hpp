#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "main/remote_runner/runner_link.hpp"
#include "runner/dispatch/launcher.hpp"

namespace andon::main {

/// Sends what the agents of this host print to the server, in a thread of its own. The server says up to
/// where it has each log, so that a restart of either neither loses nor repeats lines.
class OutputSender {
 public:
  /// `live` returns the runs that had processes here since the last call. The references outlive the object.
  OutputSender(RunnerLink const& link, runner::Launcher const& launcher,
               std::function<std::set<core::RunId>()> live);
  ~OutputSender();

 private:
  struct Sent {
    std::string place;      ///< where the next lines begin
    int silent_passes = 0;  ///< passes without a new line since the run was last seen live
  };

  void run(std::stop_token const& stop);
  void pass(std::stop_token const& stop);
  /// False when the server cannot be reached.
  bool send(core::RunId run, Sent& sent, bool is_live);

  LinkedExecutor executor_;
  runner::Launcher const& launcher_;
  std::function<std::set<core::RunId>()> const live_;
  std::map<core::RunId, Sent> runs_;
  std::jthread thread_;  // last: it uses all members above
};

}  // namespace andon::main
