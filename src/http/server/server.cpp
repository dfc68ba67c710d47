#include "http/server/server.hpp"

#include <algorithm>
#include <future>
#include <list>
#include <stdexcept>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "http/access/origin.hpp"
#include "http/site/request_handler.hpp"
#include "http/wire/listener.hpp"
#include "http/wire/private_files.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/log.hpp"
#include "os/system_error.hpp"

namespace andon::http {
namespace {

namespace asio = boost::asio;
using Clock = os::SteadyClock;

constexpr Milliseconds kDrainTick{20};

}  // namespace

struct Server::Core {
  Core(ServerOptions o, Backends b) : options(std::move(o)), backends(b) {}

  void bind();
  os::Descriptor passed_at(asio::ip::tcp::endpoint const& endpoint);
  void run();
  void tick();
  void end();

  ServerOptions const options;
  Backends const backends;
  Connections connections{options.limits};
  asio::io_context io{1};
  std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>(io);
  asio::steady_timer timer{io};
  std::vector<os::Descriptor> passed;
  std::list<TcpListener> tcp;
  std::optional<LocalListener> local;
  std::promise<void> unused;  ///< set when no work uses the backends any more
  InUse in_use{this, [this](Core*) { unused.set_value(); }};
  std::optional<RequestHandler> site;
  std::uint16_t port = 0;
  std::thread thread;
  bool is_ending = false;
  Clock::time_point drained_by{};
};

/// Takes the passed socket of that address, if there is one.
os::Descriptor Server::Core::passed_at(asio::ip::tcp::endpoint const& endpoint) {
  for (auto& socket : passed)
    if (socket && address_of(socket) == endpoint) return std::move(socket);
  return {};
}

void Server::Core::bind() {
  for (int const file : options.passed) passed.emplace_back(file);
  for (auto const& text : options.listen) {
    auto const endpoint = endpoint_of(text, options.behind_tls_proxy);
    auto& listener = tcp.emplace_back(io, connections, options.limits);
    if (auto socket = passed_at(endpoint))
      listener.adopt(endpoint, std::move(socket));
    else
      listener.listen(endpoint);
    if (port == 0) port = tcp.back().address().port();
  }
  for (auto const& address : options.lan.addresses)
    tcp.emplace_back(io, connections, options.limits).listen({asio::ip::make_address(address), port});
  // Connections to a passed socket that nobody accepts would wait without an end.
  if (std::ranges::any_of(passed, [](auto const& socket) { return static_cast<bool>(socket); }))
    throw std::invalid_argument(
        "the service manager passed a socket of an address that no --listen names; bring both in line with "
        "andon service install");
  if (options.socket_path.empty()) return;
  clear_socket_path(options.socket_path);
  PrivateFiles const only_ours;
  local.emplace(io, connections, options.limits);
  local->listen(asio::local::stream_protocol::endpoint{options.socket_path.native()});
}

void Server::Core::run() {
  for (;;) {
    try {
      io.run();
      return;
    } catch (std::exception const& error) {
      os::log(os::Level::error, std::string{"a connection failed unexpectedly: "} + error.what());
    }
  }
}

void Server::Core::tick() {
  timer.expires_after(is_ending ? kDrainTick : options.limits.tick);
  timer.async_wait([this](boost::system::error_code error) {
    if (error && !is_ending) return;
    auto const now = Clock::now();
    connections.tick(now);
    if (!is_ending) {
      site->tick(now);
    } else if (connections.empty() || now >= drained_by) {
      connections.close();
      return;
    }
    tick();
  });
}

/// Begins the end. `io` runs out of work when everything is closed.
void Server::Core::end() {
  is_ending = true;
  drained_by = Clock::now() + options.limits.drain_time;
  for (auto& listener : tcp) listener.stop();
  if (local) local->stop();
  site->stop();
  connections.drain();
  timer.cancel();
}

Server::Server(ServerOptions options, Backends backends)
    : core_(std::make_unique<Core>(std::move(options), backends)) {}

Server::~Server() { stop(); }

void Server::start() {
  auto& core = *core_;
  check_names(core.options);
  core.bind();
  core.site.emplace(core.options, core.backends, core.port, core.connections, core.mailbox, core.io,
                    core.in_use);
  for (auto& listener : core.tcp) listener.accept(*core.site);
  if (core.local) core.local->accept(*core.site);
  core.backends.executor.on_commit([site = &*core.site, weak = std::weak_ptr(core.mailbox)](std::int64_t) {
    if (auto const mailbox = weak.lock()) mailbox->post([site] { site->note_commit(); });
  });
  core.tick();
  core.thread = std::thread{[&core] { core.run(); }};
}

std::uint16_t Server::port() const { return core_->port; }

std::vector<std::uint16_t> Server::ports() const {
  std::vector<std::uint16_t> out;
  for (auto const& listener : core_->tcp) out.push_back(listener.address().port());
  return out;
}

std::vector<std::string> Server::origins_for_others() const {
  return http::origins_for_others(core_->options, core_->port);
}

void Server::stop() {
  auto& core = *core_;
  if (!core.thread.joinable()) return;
  core.mailbox->post([&core] { core.end(); });
  core.thread.join();
  core.mailbox->close();
  core.site.reset();
  core.in_use.reset();
  core.unused.get_future().wait();
  if (core.local) ::unlink(core.options.socket_path.c_str());
}

void Server::publish_line(RunLine line) {
  core_->mailbox->post([core = core_.get(), line = std::move(line)]() mutable {
    core->site->hub().publish_line(std::move(line));
  });
}

}  // namespace andon::http
