#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "http/gateway/forwarder.hpp"
#include "reflect/texts.hpp"

namespace andon::http {

struct GatewayOptions {
  std::string listen = "127.0.0.1:0";  ///< a loopback address; port 0 picks a free one
  std::filesystem::path socket_path;
  Forwarder::Connect connect;              ///< to the server, for agents
  Forwarder::Connect connect_supervision;  ///< the same, with answers within ten seconds
  /// The headers by which the runner itself asks: its token and its incarnation.
  std::function<std::vector<std::pair<std::string, std::string>>()> runner_headers;
  /// Removes from texts the secrets of the run with that token. Only this host knows them.
  std::function<reflect::ReplaceText(std::string const& token)> redactor_of;
};

/// Takes requests of agents and of supervising processes on the host of a runner, and sends them to the
/// server. Requests go on with the token that they bring. What the supervising process of a run tells of it
/// (progress, work tree, end) goes on as the runner's own word: the kernel says which process asks at the
/// Unix socket, and the server knows which one supervises the run. An agent has the run's token only, and no
/// way to the runner's. Nothing goes on with a known secret of the run in it. Streams are refused.
class Gateway {
 public:
  explicit Gateway(GatewayOptions options);
  Gateway(Gateway const&) = delete;
  Gateway& operator=(Gateway const&) = delete;
  ~Gateway();

  /// Throws a `SystemError` for an address that cannot be bound.
  void start();
  std::uint16_t port() const;
  void stop();

 private:
  struct Core;
  std::unique_ptr<Core> core_;
};

}  // namespace andon::http
