#include "http/wire/listener.hpp"

#include <charconv>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <boost/asio/io_context.hpp>

#include "http/wire/refusal.hpp"
#include "os/processes/log.hpp"
#include "os/system_error.hpp"

namespace andon::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Tcp = asio::ip::tcp;
using Local = asio::local::stream_protocol;

constexpr std::chrono::milliseconds kPauseAfterTrouble{100};

std::string name_of(Tcp::endpoint const& endpoint) {
  auto const address = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(endpoint.port());
}
std::string name_of(Local::endpoint const& endpoint) { return endpoint.path(); }

void prepare(Tcp::acceptor& acceptor, error_code& error) {
  acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
}
void prepare(Local::acceptor&, error_code&) {}

std::optional<Peer> peer_of(Tcp::socket& socket) {
  error_code error;
  auto const endpoint = socket.remote_endpoint(error);
  if (error) return std::nullopt;
  socket.set_option(Tcp::no_delay(true), error);
  return Peer{endpoint.address().to_string(), false};
}
std::optional<Peer> peer_of(Local::socket& socket) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &who, &size) != 0)
    return Peer{"local", true};
  return Peer{"local", true, os::identify(who.pid), who.uid};
}

/// Refuses a peer with too many connections. Sends only as much as needs no waiting.
template <class Stream>
void turn_away(Stream& socket) {
  Request request;
  request.id = "turned-away";
  auto response = refusal(core::Code::kRateLimited,
                          "too many connections; close some or try again in a moment", request.id);
  auto const text = head_of(response, request, response.body.size(), false) + response.body;
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(text), ignored);
  socket.shutdown(asio::socket_base::shutdown_send, ignored);
}

}  // namespace

Tcp::endpoint endpoint_of(std::string const& text, bool behind_tls_proxy) {
  auto const colon = text.rfind(':');
  auto host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  unsigned short port = 0;
  auto const* begin = text.data() + (colon == std::string::npos ? text.size() : colon + 1);
  auto const [end, bad] = std::from_chars(begin, text.data() + text.size(), port);
  error_code error;
  auto const address = asio::ip::make_address(host, error);
  if (colon == std::string::npos || bad != std::errc{} || end != text.data() + text.size() || error)
    throw std::invalid_argument("\"" + text + "\" is no address to listen on; write it as 127.0.0.1:7420");
  if (!address.is_loopback() && !behind_tls_proxy)
    throw std::invalid_argument(
        "refusing to listen on " + text +
        ": other machines could reach it without encryption; listen on 127.0.0.1 and put a "
        "proxy that ends TLS in front, or say --behind-tls-proxy when there is one; at home, --lan listens "
        "on the private addresses of this machine");
  return {address, port};
}

std::optional<Tcp::endpoint> address_of(os::Descriptor const& socket) {
  int listens = 0;
  socklen_t size = sizeof listens;
  bool const is_listening =
      ::getsockopt(socket.get(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 1;
  Tcp::endpoint out;
  auto length = static_cast<socklen_t>(out.capacity());
  if (!is_listening || ::getsockname(socket.get(), out.data(), &length) != 0) return std::nullopt;
  auto const family = out.data()->sa_family;
  if (family != AF_INET && family != AF_INET6) return std::nullopt;
  out.resize(length);
  return out;
}

template <class Protocol>
void Listener<Protocol>::listen(typename Protocol::endpoint const& endpoint) {
  error_code error;
  acceptor_.open(endpoint.protocol(), error);
  if (!error) prepare(acceptor_, error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) throw os::SystemError("listen on", name_of(endpoint), error.value());
}

template <class Protocol>
void Listener<Protocol>::adopt(typename Protocol::endpoint const& endpoint, os::Descriptor socket) {
  error_code error;
  acceptor_.assign(endpoint.protocol(), socket.get(), error);
  if (error) throw os::SystemError("listen on", name_of(endpoint), error.value());
  static_cast<void>(socket.release());
}

template <class Protocol>
void Listener<Protocol>::accept(Handler& handler) {
  acceptor_.async_accept([this, &handler](error_code error, typename Protocol::socket socket) {
    if (!acceptor_.is_open()) return;
    if (!error) {
      take(std::move(socket), handler);
      return accept(handler);
    }
    // Probably no descriptor is free. Accept again after a pause.
    os::log(os::Level::warning, "cannot accept a connection: " + error.message());
    pause_.expires_after(kPauseAfterTrouble);
    pause_.async_wait([this, &handler](error_code stopped) {
      if (!stopped && acceptor_.is_open()) accept(handler);
    });
  });
}

template <class Protocol>
void Listener<Protocol>::take(typename Protocol::socket socket, Handler& handler) {
  auto const peer = peer_of(socket);
  if (!peer) return;
  auto place = connections_.admit(*peer);
  if (!place) return turn_away(socket);
  auto session = std::make_shared<Session>(Socket{std::move(socket)}, *std::move(place), *peer, connections_,
                                           limits_, handler);
  connections_.add(session);
  session->start();
}

template class Listener<Tcp>;
template class Listener<Local>;

void clear_socket_path(std::filesystem::path const& path) {
  if (path.native().size() >= sizeof(sockaddr_un::sun_path))
    throw os::SystemError("make a socket with so long a path", path.native(), ENAMETOOLONG);
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) return;
  if (!S_ISSOCK(info.st_mode))
    throw os::SystemError("put the socket where something else is:", path.native(), EEXIST);
  asio::io_context io;
  Local::socket probe{io};
  error_code error;
  probe.connect(Local::endpoint{path.native()}, error);
  if (!error) throw os::SystemError("listen where another server answers:", path.native(), EADDRINUSE);
  ::unlink(path.c_str());
}

}  // namespace andon::http
