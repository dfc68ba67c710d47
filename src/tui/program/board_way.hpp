#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "api/remote_executor.hpp"
#include "tui/model/messages.hpp"

namespace andon::tui {

/// A way to the board, for one thread.
struct BoardWay {
  std::shared_ptr<void> owner;  ///< of what the others point to
  api::Executor* executor = nullptr;
  api::RemoteExecutor* server = nullptr;  ///< the same when it is a server's
  service::Caller caller;
};

/// How the board is reached.
struct BoardAccess {
  std::function<core::Result<BoardWay>()> open;  ///< thread-safe; a way of its own each time
  std::filesystem::path files;                   ///< of a board of files, to watch; empty for others
  bool is_shared = true;                         ///< others may use the board while the way is open
};

}  // namespace andon::tui
