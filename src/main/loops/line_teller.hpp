#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/model/run.hpp"
#include "runner/dispatch/launcher.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Publishes the last output line of a run to the page.
using TellLine = std::function<void(core::Run const& run, std::string const& text)>;

/// Reads the last lines of live runs twice a second and publishes those that changed.
class LineTeller {
 public:
  /// The references outlive the object.
  LineTeller(runner::OperationClient& client, runner::Launcher const& launcher, TellLine tell)
      : client_(client), launcher_(launcher), tell_(std::move(tell)) {}

  /// False when no run is live.
  bool step(core::Duration uptime);

 private:
  runner::OperationClient& client_;
  runner::Launcher const& launcher_;
  TellLine tell_;
  std::map<core::RunId, std::string> lines_;
  core::Duration reported_at_{};
};

}  // namespace andon::main
