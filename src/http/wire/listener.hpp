#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include "http/options.hpp"
#include "http/wire/connections.hpp"
#include "http/wire/session.hpp"
#include "os/files/descriptor.hpp"

namespace andon::http {

/// Parses `127.0.0.1:7420` or `[::1]:7420`. Throws `std::invalid_argument`. Refuses addresses that other
/// machines can reach, unless a proxy in front ends TLS.
boost::asio::ip::tcp::endpoint endpoint_of(std::string const& text, bool behind_tls_proxy);

/// The address of a listening TCP socket; nothing for any other descriptor.
std::optional<boost::asio::ip::tcp::endpoint> address_of(os::Descriptor const& socket);

/// Accepts connections on one address and starts their sessions.
template <class Protocol>
class Listener {
 public:
  Listener(boost::asio::io_context& io, Connections& connections, Limits const& limits)
      : acceptor_(io), pause_(io), connections_(connections), limits_(limits) {}

  void listen(typename Protocol::endpoint const& endpoint);
  /// Goes on with a socket that already listens; the address of such a socket is `address_of`.
  void adopt(typename Protocol::endpoint const& endpoint, os::Descriptor socket);
  void accept(Handler& handler);
  void stop() {
    acceptor_.close();
    pause_.cancel();
  }
  typename Protocol::endpoint address() const { return acceptor_.local_endpoint(); }

 private:
  void take(typename Protocol::socket socket, Handler& handler);

  typename Protocol::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  Connections& connections_;
  Limits const& limits_;
};

using TcpListener = Listener<boost::asio::ip::tcp>;
using LocalListener = Listener<boost::asio::local::stream_protocol>;

/// Clears the path for the socket file. Removes the file of a dead server. Throws a `SystemError` if a server
/// answers there.
void clear_socket_path(std::filesystem::path const& path);

}  // namespace andon::http
