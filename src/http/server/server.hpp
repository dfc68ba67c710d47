#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "http/live/live_lines.hpp"
#include "http/options.hpp"

namespace andon::http {

/// The HTTP server: one thread for all connections. It answers from the executor, the page and the other
/// backends. Thread-safe except `start` and `stop`.
class Server {
 public:
  Server(ServerOptions options, Backends backends);
  /// Stops the server if it runs.
  ~Server();

  /// Binds every address and begins to serve. Throws a `SystemError` for an address that cannot be bound, and
  /// `std::invalid_argument` for one that is not allowed.
  void start();
  /// The port of the first TCP address; 0 when there is none.
  std::uint16_t port() const;
  /// The ports of all TCP addresses.
  std::vector<std::uint16_t> ports() const;
  /// The origins at which other devices reach the server, the best first.
  std::vector<std::string> origins_for_others() const;
  /// Accepts no more connections, gives running answers some time, ends streams with a `bye` event, and ends
  /// the thread.
  void stop();

  /// Publishes the last output line of a task's run, for its card.
  void publish_line(RunLine line);

 private:
  struct Core;
  std::unique_ptr<Core> core_;
};

}  // namespace andon::http
