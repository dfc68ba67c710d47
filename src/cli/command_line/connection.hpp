#pragma once

#include <memory>

#include "api/remote_executor.hpp"
#include "cli/command_line/location.hpp"

namespace andon::cli {

/// A way to run operations, and as whom.
struct Connection {
  std::unique_ptr<api::Transport> transport;  ///< used by the executor when it is a remote one
  std::unique_ptr<api::Executor> executor;
  api::RemoteExecutor* server = nullptr;  ///< the same when it is a remote one
  service::Caller caller;
};

/// The treatment of a missing data directory.
enum class IfMissing {
  refuse,
  make,
  use_empty_board,  ///< an empty store that is kept nowhere
};

/// Opens the location: a server that answers on its data, else the store itself. `as` is a name to act under,
/// empty for the caller's own.
core::Result<Connection> connect(Location const& location, std::string const& as, Environment const& env,
                                 IfMissing missing = IfMissing::refuse);
/// Opens it only through a server. A store on which none is live is not opened, so that one can start on it.
core::Result<Connection> connect_to_server(Location const& location, std::string const& as,
                                           Environment const& env);

}  // namespace andon::cli
