#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "http/options.hpp"

namespace andon::http {

/// The HTTP server: one thread for all connections. It answers with what the executor, the page and the other
/// backends give it. Thread-safe but for `start` and `stop`.
class Server {
 public:
  Server(ServerOptions options, Backends backends);
  /// Stops if need be.
  ~Server();

  /// Binds every address and begins to serve. Throws a `SystemError` that says which address cannot be had,
  /// or an `std::invalid_argument` for one that may not be.
  void start();
  /// The port of the first TCP address; 0 when there is none.
  std::uint16_t port() const;
  /// Accepts nothing more, lets answers under way finish for a while, says goodbye to streams, ends the
  /// thread.
  void stop();

  /// The last line that a run of the task printed, for its card.
  void publish_line(std::string board, core::TaskId task, std::string text);

 private:
  struct Core;
  std::unique_ptr<Core> core_;
};

}  // namespace andon::http
