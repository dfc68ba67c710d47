#pragma once

#include <map>
#include <memory>

#include "os/processes/mutex.hpp"
#include "runner/commands/tree_command.hpp"
#include "runner/operation_client.hpp"
#include "service/runs/open_work.hpp"

namespace andon::runner {

/// The servers that show work of tasks, one for a task. Each ends when its task moves or is worked on, when
/// it is stopped, and with this object. Thread-safe.
class Previews {
 public:
  /// Neither is owned.
  Previews(OperationClient& client, CommandPlace const& place) : client_(client), place_(place) {}
  Previews(Previews const&) = delete;
  ~Previews();

  /// Starts the preview in the work tree unless it runs. Refuses when too many run.
  core::Result<void> start(service::TreeQuestion const& question, core::WorkPlace const& tree, int port);
  /// Ends a running one and waits for its end.
  void stop(core::TaskId task);
  std::optional<service::Preview> find(core::TaskId task);

 private:
  class Server;
  std::shared_ptr<Server> server_of(core::TaskId task);

  OperationClient& client_;
  CommandPlace const& place_;
  os::Mutex mutex_;
  std::map<core::TaskId, std::shared_ptr<Server>> servers_ GUARDED_BY(mutex_);
};

}  // namespace andon::runner
