#include "main/commands/serve.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <poll.h>
#include <stdexcept>

#include "api/sign_in_link.hpp"
#include "core/text/names.hpp"
#include "http/server/server.hpp"
#include "main/agent_views.hpp"
#include "main/commands/welcome.hpp"
#include "main/installation.hpp"
#include "main/loops/claim_loop.hpp"
#include "main/loops/line_teller.hpp"
#include "main/loops/local_wire.hpp"
#include "main/loops/merge_loop.hpp"
#include "main/loops/runner_loop.hpp"
#include "main/loops/step_loop.hpp"
#include "main/loops/telegram_loops.hpp"
#include "main/loops/upkeep_loop.hpp"
#include "main/loops/watchdog_notifier.hpp"
#include "main/phone_link_text.hpp"
#include "mcp/board_features.hpp"
#include "mcp/http_endpoint.hpp"
#include "os/data/data_directory.hpp"
#include "os/data/held_ports.hpp"
#include "os/files/file.hpp"
#include "os/files/time_zones.hpp"
#include "os/network/private_addresses.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process.hpp"
#include "os/processes/program.hpp"
#include "os/processes/service_manager.hpp"
#include "os/processes/signals.hpp"
#include "os/qr_code.hpp"
#include "os/system_error.hpp"
#include "runner/dispatch/local_workspace_port.hpp"
#include "runner/dispatch/scheduler.hpp"
#include "runner/setup/run_redactors.hpp"
#include "service/remote_runners.hpp"
#include "store/contract/servers.hpp"
#include "store/contract/writer_times.hpp"

namespace andon::main {
namespace {

constexpr std::size_t kLongestUrl = 4096;
constexpr core::Duration kBetweenLooksForABrowser = std::chrono::milliseconds{250};
constexpr core::Duration kBetweenAutomations = std::chrono::milliseconds{250};
constexpr core::Duration kBetweenLines = std::chrono::milliseconds{500};
constexpr core::Duration kBetweenLooksForRuns = std::chrono::seconds{15};  ///< a start of a run is a change

std::filesystem::path url_file(std::filesystem::path const& data) { return data / "url"; }
std::filesystem::path url_file_for_others(std::filesystem::path const& data) {
  return data / "url_for_others";
}

std::string url_in(std::filesystem::path const& file) {
  auto url = os::read_file_if_there(file, kLongestUrl).value_or("");
  url.erase(url.find_last_not_of("\r\n ") + 1);
  return url;
}

/// The address for a browser: the first listening address, with its real port.
std::string origin_of(ServeOptions const& options, std::uint16_t port) {
  auto const& first = options.listen.front();
  auto host = first.substr(0, first.rfind(':'));
  if (host == "0.0.0.0" || host == "[::]") host = "127.0.0.1";
  return "http://" + host + ":" + std::to_string(port);
}

std::string variable(char const* name, char const* otherwise) {
  auto const* value = std::getenv(name);
  return value ? value : otherwise;
}

/// A failure is only logged: a first start without git or with a full disk serves without the welcome board.
void try_to_welcome(Installation& installation) {
  try {
    welcome(installation.executor(), installation.data());
  } catch (std::exception const& error) {
    os::log(os::Level::warning, std::string{"no welcome board: "} + error.what());
  }
}

/// A failure is only logged: the server also starts on a full disk.
void try_to_extend_leases(api::LocalExecutor& executor) {
  try {
    executor.begin_serving();
  } catch (store::StoreError const& error) {
    os::log(os::Level::warning, std::string{"leases get no grace: "} + error.what());
  }
}

/// Makes a sign-in link and stores its code.
std::string new_link(api::LocalExecutor& executor, std::string const& origin) {
  auto const code = api::new_sign_in_code();
  service::Caller const caller{{core::ActorKind::user, "admin"}, service::Role::admin, core::Source::cli, {}};
  executor.write(
      [&](service::OperationContext& u) { return service::offer_sign_in(u, {code.hash}).has_value(); },
      caller);
  return api::sign_in_link(origin, code);
}

void print_link(api::LocalExecutor& executor, std::string const& origin) {
  std::cout << "open " << new_link(executor, origin)
            << "\n  (works once, for 15 minutes; `andon open` makes another)" << std::endl;
}

void print_phone_link(api::LocalExecutor& executor, std::string const& origin, bool colour) {
  auto const link = new_link(executor, origin);
  if (colour) std::cout << qr_code_text(os::qr_code(link));
  std::cout << "on your phone: " << link
            << "\n  (works once, for 15 minutes; `andon open --phone` makes another)" << std::endl;
}

/// The private addresses and the names to serve with --lan.
http::LocalNetwork local_network(ServeOptions const& options) {
  if (!options.lan) return {};
  if (options.behind_tls_proxy)
    throw std::invalid_argument(
        "--lan and --behind-tls-proxy exclude each other: a session of a proxy that ends TLS must not be "
        "used "
        "without encryption; leave --lan out");
  http::LocalNetwork out;
  out.addresses = os::private_addresses_of(os::interface_addresses());
  if (out.addresses.empty())
    throw std::invalid_argument(
        "--lan finds no private address on this machine (10.*, 172.16.* to 172.31.*, 192.168.* or fd*); "
        "connect "
        "it to your network and start again, or leave --lan out");
  auto const name = os::machine_name();
  if (!name.empty()) out.names = {name, name + ".local"};
  return out;
}

void tell_of_lan(std::vector<std::string> const& origins) {
  for (auto const& origin : origins) std::cout << "in this network " << origin << std::endl;
  os::log(os::Level::warning, std::string{kLanRisk});
  os::log(os::Level::warning, std::string{kLanAdvice});
}

/// Discards the cached state of the agents' programs. Profiles and documents need no reload, since they are
/// read at each use.
void reload(AgentViews& agents, os::ServiceManager const& manager, os::Clock const& clock) {
  auto const now = std::chrono::duration_cast<std::chrono::microseconds>(clock.uptime());
  manager.tell("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now.count()));
  agents.forget();
  manager.tell("READY=1");
}

/// Returns at SIGTERM, SIGINT or SIGHUP. Under a service manager SIGHUP calls `reload` instead. Without one
/// it means that the terminal closed.
void wait_for_the_end(os::SignalQueue& signals, WatchdogNotifier& watchdog,
                      std::function<void()> const& reload, os::Clock const& clock) {
  for (;;) {
    watchdog.step(clock.uptime());
    pollfd waiting{signals.handle(), POLLIN, 0};
    ::poll(&waiting, 1, watchdog.rest() ? static_cast<int>(watchdog.rest()->count()) : -1);
    auto const signal = signals.next();
    if (signal == SIGHUP && reload)
      reload();
    else if (signal)
      return;
  }
}

/// Logs each act that held the writer for long.
void tell_long_acts(store::WriterTimes& times) {
  times.on_long_act([](store::LongAct const& act) {
    auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(act.cost.time).count();
    os::log(os::Level::warning,
            "the writer was held for " + std::to_string(ms) + " ms by " +
                std::string{store::kWriterActNames.at(static_cast<std::size_t>(act.act))} + " " + act.name +
                " (" + std::to_string(act.cost.rows) + " rows)");
  });
}

std::shared_ptr<mcp::Features> mcp_features(api::EndpointRequest const& request) {
  return std::make_shared<mcp::BoardFeatures>(request.start, request.caller, mcp::BoardFeatures::Settings{});
}

/// The bridge to Telegram; null where there are no settings for it. Wrong settings are an error of the start.
std::unique_ptr<TelegramLoops> telegram_of(Installation& installation, api::RunOutput& output,
                                           os::Clock const& clock) {
  auto read = bridge::telegram::read_configuration(installation.data().root, os::time_zones());
  if (!read) throw std::invalid_argument(read.error().message);
  if (!*read) return nullptr;
  return std::make_unique<TelegramLoops>(installation.executor(), output, clock, installation.data(),
                                         **std::move(read));
}

/// The server as one of those of its store, while this lives.
class Membership {
 public:
  Membership(api::LocalExecutor& executor, ServeOptions const& options, std::string const& origin)
      : servers_(executor.servers()) {
    if (!servers_) return;
    auto name = name_of(options, origin);
    if (core::is_unsafe_line(name) || name.size() > kLongestServerName)
      throw std::invalid_argument("--name must be one line of at most 100 characters");
    executor.read([&](service::OperationContext& ctx) {
      auto const runners = service::names_of_runners(ctx);
      if (std::ranges::find(runners, name) != runners.end())
        throw std::invalid_argument("--name: a runner is called \"" + name + "\"; choose another name");
    });
    servers_->join({name, origin, options.version});
    std::cout << "this server is " << name << std::endl;
    os::write_file(name_file(options.data), name + "\n");
    executor.name_server(std::move(name));
  }
  ~Membership() {
    if (servers_) servers_->leave();
  }
  Membership(Membership const&) = delete;
  Membership& operator=(Membership const&) = delete;

 private:
  static constexpr std::size_t kLongestServerName = 100;

  static std::filesystem::path name_file(std::filesystem::path const& data) { return data / "server"; }
  /// The runs of a server are found by its name, so it keeps the one of its first start.
  static std::string name_of(ServeOptions const& options, std::string const& origin) {
    if (!options.name.empty()) return options.name;
    auto kept = os::read_file_if_there(name_file(options.data), kLongestUrl).value_or("");
    kept.erase(kept.find_last_not_of("\r\n ") + 1);
    return kept.empty() ? os::machine_name() + origin.substr(origin.rfind(':')) : kept;
  }

  store::Servers* const servers_;
};

int serve_until_stopped(ServeOptions const& options) {
  os::SignalQueue signals{SIGTERM, SIGINT, SIGHUP};
  auto const manager = os::ServiceManager::of_this_process();
  auto passed = os::take_passed_sockets();
  os::ignore_write_signals();
  os::hide_memory();
  os::SystemClock const own_clock;
  Installation installation({options.data, options.store}, own_clock, 2);
  auto const& clock = installation.clock();
  runner::LocalWorkspacePort workspace_port(installation.executor(), installation.data(),
                                            os::own_environment(), os::own_program());
  workspace_port.serve_previews();
  installation.executor().set_workspace_port(workspace_port);
  tell_long_acts(installation.store().writer_times());
  if (auto const unread = os::unread_settings(options.data)) os::log(os::Level::warning, *unread);
  if (options.welcome) try_to_welcome(installation);

  runner::Launcher const launcher(installation.data(), os::own_program(), os::own_environment());
  AgentViews agents(installation.data(), clock, variable("PATH", "/usr/bin:/bin"));
  LocalOutput output(launcher);
  http::ServerOptions served;
  served.listen = options.listen;
  for (auto& socket : passed) served.passed.push_back(socket.release());
  served.socket_path = os::prepare_socket_path(installation.data().root);
  served.allowed_hosts = options.hosts;
  served.allowed_origins = options.origins;
  served.behind_tls_proxy = options.behind_tls_proxy;
  served.lan = local_network(options);
  runner::RunRedactors redactors(installation.data());
  installation.executor().redact_with(
      [&redactors](core::RunId run, std::string_view text) { return redactors(run, text); });
  mcp::HttpEndpoint mcp({"andon", "Andon", options.version}, &mcp_features, clock);
  auto const telegram = telegram_of(installation, output, clock);
  http::Server server(served,
                      {installation.executor(), page_files(), &output, &agents, &mcp, telegram.get()});
  try_to_extend_leases(installation.executor());
  server.start();
  os::keep_held_ports(options.data, server.ports());
  auto origin = origin_of(options, server.port());
  Membership const membership(installation.executor(), options, origin);
  os::write_file(url_file(options.data), origin + "\n");
  auto const for_others = server.origins_for_others();
  os::write_file(url_file_for_others(options.data), for_others.empty() ? "" : for_others.front() + "\n");
  std::cout << "listening on " << origin << std::endl;
  if (options.lan) tell_of_lan(for_others);
  if (options.print_link) print_link(installation.executor(), origin);
  if (options.print_link && !for_others.empty())
    print_phone_link(installation.executor(), for_others.front(), options.colour);

  runner::OperationClient line_client(installation.executor(), "lines");
  StepLoop const lines(
      installation.executor(), clock, "lines", kBetweenLines,
      [teller = std::make_shared<LineTeller>(line_client, launcher,
                                             [&](core::Run const& run, std::string const& text) {
                                               server.publish_line({run.board, run.task, run.id, text});
                                             }),
       &clock](core::Instant now) {
        return now + (teller->step(clock.uptime()) ? kBetweenLines : kBetweenLooksForRuns);
      });
  RunNews news;
  std::optional<LocalWire> wire;
  std::optional<RunnerLoop> loop;
  // Also without a runner: runners on other hosts leave their work to it.
  MergeLoop const merge_loop(installation.executor(), clock, installation.data(), os::own_program());
  if (options.runner) {
    wire.emplace(installation.executor(), installation.data());
    loop.emplace(*wire, clock, launcher, installation.data(), [&] { return origin; }, news);
  }
  runner::OperationClient client(installation.executor(), "automations");
  runner::Scheduler scheduler(client);
  StepLoop const automations(
      installation.executor(), clock, "automations", kBetweenAutomations,
      [&](core::Instant now) { return scheduler.step(now); }, Duty::leader);
  WelcomeStart start(installation.executor());
  std::optional<StepLoop> welcome_start;
  if (options.welcome)
    welcome_start.emplace(installation.executor(), clock, "welcome", kBetweenLooksForABrowser,
                          [&](core::Instant now) { return start.step(now); });
  ClaimLoop const claims(installation.executor(), clock);
  UpkeepLoop const upkeep(installation.executor(), clock, installation.data());
  WatchdogNotifier watchdog(installation.store(), manager);
  manager.tell("READY=1\nSTATUS=listening on " + origin);
  std::function<void()> reloading;
  if (manager.is_there()) reloading = [&] { reload(agents, manager, clock); };
  wait_for_the_end(signals, watchdog, reloading, clock);
  manager.tell("STOPPING=1\nSTATUS=stopping; agents go on");
  os::log(os::Level::info, "stopping");
  workspace_port.stop();
  server.stop();
  return 0;
}

}  // namespace

core::Result<int> serve(ServeOptions const& options) try {
  return serve_until_stopped(options);
} catch (store::StoreError const& error) {
  return core::refuse(code_of(error), error.what());
} catch (os::SystemError const& error) {
  auto const advice =
      error.number() == EADDRINUSE
          ? "; stop what listens there, or name another address with --listen (port 0 takes a free one)"
          : "";
  return core::refuse(core::Code::kBusy, std::string{error.what()} + advice);
} catch (std::invalid_argument const& error) {
  return core::refuse(core::Code::kInvalidInput, error.what());
} catch (std::runtime_error const& error) {
  return core::refuse(core::Code::kInternalError, error.what());
}

std::string served_at(std::filesystem::path const& data) { return url_in(url_file(data)); }

std::string served_to_others_at(std::filesystem::path const& data) {
  return url_in(url_file_for_others(data));
}

}  // namespace andon::main
