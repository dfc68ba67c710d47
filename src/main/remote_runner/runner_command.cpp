// The program of a runner on another host. Its parts:
//
//   RunnerLink     the servers, the token, and which start of the runner this is
//   Gateway        the Unix socket and the loopback address at which agents and supervising processes ask
//   RemoteWire     requests for work that the server holds open
//   RunnerLoop     dispatcher and run keeper, the same as in a server
//   OutputSender   what agents print
//   RunnerReports  how the host is; the answers say whether to drain or to end
//
// At SIGTERM the program ends and agents go on under their supervising processes, as at the end of a server.
// A start within their leases adopts them; without one they end by themselves.

#include "main/remote_runner/runner_command.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <poll.h>
#include <sys/stat.h>
#include <variant>

#include "cli/command_line/invocation.hpp"
#include "http/gateway/gateway.hpp"
#include "main/log_level.hpp"
#include "main/loops/runner_loop.hpp"
#include "main/remote_runner/output_sender.hpp"
#include "main/remote_runner/remote_wire.hpp"
#include "main/remote_runner/runner_reports.hpp"
#include "os/data/data_directory.hpp"
#include "os/data/file_lock.hpp"
#include "os/data/held_ports.hpp"
#include "os/files/exposure.hpp"
#include "os/files/file.hpp"
#include "os/network/private_addresses.hpp"
#include "os/processes/cgroup.hpp"
#include "os/processes/confinement.hpp"
#include "os/processes/event.hpp"
#include "os/processes/log.hpp"
#include "os/processes/machine.hpp"
#include "os/processes/process.hpp"
#include "os/processes/program.hpp"
#include "os/processes/service_manager.hpp"
#include "os/processes/signals.hpp"
#include "os/system_error.hpp"
#include "runner/dispatch/upkeep.hpp"
#include "runner/setup/run_redactors.hpp"
#include "service/runners/runners.hpp"

namespace andon::main {
namespace {

namespace fs = std::filesystem;
using cli::Invocation;
using cli::Takes;
using core::Code;
using core::Result;

constexpr std::size_t kLongestToken = 4096;
constexpr std::size_t kLongestPort = 16;
constexpr int kBetweenOrders = 1'000;  ///< milliseconds
constexpr int kBetweenRegistrations = 2'000;
constexpr std::chrono::seconds kCallTime{5};
/// Within the ten seconds that a supervising process waits.
constexpr std::chrono::seconds kSupervisionTime{8};
constexpr std::chrono::seconds kAgentTime{90};
/// A report of an agent waits for so long for a server that restarts or for a network that is away.
constexpr std::chrono::seconds kAbsence{20};
/// The exit code of a runner that the server does not take any more: starting it again is of no use. It is
/// EX_CONFIG of sysexits.h.
constexpr int kRefused = 78;
/// The time in which agents end after the server has refused the runner.
constexpr core::Duration kEndTime = std::chrono::seconds{15};

struct Options {
  std::vector<std::string> urls;
  std::string token;
  std::string certificates;
  fs::path data;
  int slots = 1;
  std::vector<std::string> workers;
  std::vector<std::string> roles;
  std::string version;
};

std::vector<std::string> parts_of(std::vector<std::string> const& values) {
  std::vector<std::string> out;
  for (std::string_view rest : values)
    while (!rest.empty()) {
      auto const part = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
      if (!part.empty()) out.emplace_back(part);
    }
  return out;
}

/// The token from a file that others cannot read, or from the environment.
Result<std::string> token_of(Invocation& in) {
  auto const file = in.given().value("token-file");
  auto text = in.env().variable("ANDON_RUNNER_TOKEN");
  if (file) {
    struct stat about{};
    if (::stat(file->c_str(), &about) == 0 && (about.st_mode & 077) != 0)
      return core::refuse(Code::kInvalidInput, "others can read " + *file + "; run: chmod 600 " + *file,
                          "token-file");
    try {
      text = os::read_file(*file, kLongestToken);
    } catch (os::SystemError const& error) {
      return core::refuse(Code::kInvalidInput, error.what(), "token-file");
    }
  }
  text.erase(text.find_last_not_of("\r\n ") + 1);
  if (text.empty())
    return core::refuse(Code::kInvalidInput,
                        "a runner needs its token: make one at the server with andon runners add NAME, and "
                        "give its file with --token-file (or ANDON_RUNNER_TOKEN)",
                        "token-file");
  return text;
}

fs::path default_directory() { return os::default_data_root().native() + "-runner"; }

Result<Options> options_of(Invocation& in) {
  auto const& given = in.given();
  Options out;
  out.urls = parts_of(given.values("server"));
  if (out.urls.empty())
    return core::refuse(Code::kInvalidInput,
                        "name the server with --server https://HOST; several with commas between", "server");
  ANDON_SET(out.token, token_of(in));
  out.certificates = given.value("ca-file").value_or("");
  out.data = fs::absolute(given.value("data").value_or(default_directory().native()));
  if (auto const slots = given.value("slots")) {
    char* end = nullptr;
    auto const number = std::strtol(slots->c_str(), &end, 10);
    if (*end != '\0' || number < 1 || number > 1'000)
      return core::refuse(Code::kInvalidInput, "\"--slots\" must be from 1 to 1000", "slots");
    out.slots = static_cast<int>(number);
  }
  out.workers = parts_of(given.values("workers"));
  out.roles = parts_of(given.values("roles"));
  out.version = in.env().version;
  return out;
}

/// Tells this directory on this boot of this host from every other one, also from a copy.
std::string place_of(fs::path const& root) {
  struct stat about{};
  if (::stat(root.c_str(), &about) != 0) os::fail("look at", root.native());
  return os::boot_id() + "@" + std::to_string(about.st_dev) + ":" + std::to_string(about.st_ino);
}

std::vector<std::string> features_of(os::MachineReading const& machine) {
  std::vector<std::string> out;
  if (os::confinement_version() > 0) out.emplace_back("landlock");
  if (os::delegated_cgroup()) out.emplace_back("cgroup");
  if (machine.memory_pressure) out.emplace_back("pressure");
  return out;
}

/// True when a signal asks this process to end.
bool rested(os::SignalQueue& signals, os::Event const* woken, int milliseconds) {
  std::array<pollfd, 2> waiting{pollfd{signals.handle(), POLLIN, 0},
                                pollfd{woken ? woken->handle() : -1, POLLIN, 0}};
  ::poll(waiting.data(), waiting.size(), milliseconds);
  return signals.next().has_value();
}

/// A registration, or the exit code of a program that ends without one.
using Registration = std::variant<core::Runner, int>;

/// Registers, and waits for a server that is not there, until a signal ends the wait.
Result<Registration> register_at(RunnerLink& link, Options const& options, os::SignalQueue& signals) {
  LinkedExecutor executor(link, kCallTime);
  runner::OperationClient client(executor, "runner");
  auto const machine = os::read_machine(options.data);
  service::RegisterRunnerRequest request;
  request.protocol = service::kRunnerProtocol;
  request.version = options.version;
  request.host = os::machine_name().empty() ? "unnamed" : os::machine_name();
  request.place = place_of(options.data);
  request.slots = options.slots;
  request.workers = options.workers;
  request.roles = options.roles;
  request.features = features_of(machine);
  request.processors = static_cast<int>(machine.processors);
  request.memory = machine.memory;
  request.last_run = runner::highest_run_directory(os::data_directory(options.data).runs());
  for (bool is_told = false;;) {
    auto runner = client.call<&service::register_runner>(request);
    if (runner) return Registration{*std::move(runner)};
    auto const& error = runner.error();
    if (error.code == Code::kUnauthenticated) {
      os::log(os::Level::error,
              "the server does not know this token; it was revoked or mistyped. Make a new one at the "
              "server with: andon runners add NAME");
      return Registration{kRefused};
    }
    if (error.code == Code::kUnknownField || error.code == Code::kNotFound)
      return core::refuse(error.code, "this server takes no such runner (" + error.message +
                                          "); install the same version of andon on both");
    if (error.code != Code::kBusy) return std::unexpected(error);
    if (!is_told) os::log(os::Level::warning, error.message + "; trying again");
    is_told = true;
    if (rested(signals, nullptr, kBetweenRegistrations)) return Registration{0};
  }
}

/// The port of the last start, so that agents that go on find the address that they know.
std::string listen_address(fs::path const& file) {
  auto port = os::read_file_if_there(file, kLongestPort).value_or("0");
  port.erase(port.find_last_not_of("\r\n ") + 1);
  bool const is_number = !port.empty() && port.find_first_not_of("0123456789") == std::string::npos;
  return "127.0.0.1:" + (is_number ? port : "0");
}

std::unique_ptr<http::Gateway> open_gateway(RunnerLink const& link, os::DataDirectory const& data,
                                            runner::RunRedactors& redactors) {
  auto const file = data.root / "port";
  http::GatewayOptions options;
  options.listen = listen_address(file);
  options.socket_path = os::prepare_socket_path(data.root);
  options.connect = [&link] { return link.connect(kAgentTime, kAbsence); };
  options.connect_supervision = [&link] { return link.connect(kSupervisionTime); };
  options.runner_headers = [&link] { return link.headers(); };
  options.redactor_of = [&redactors](std::string const& token) -> reflect::ReplaceText {
    return
        [&redactors, run = redactors.run_with(token)](std::string_view text) { return redactors(run, text); };
  };
  auto gateway = std::make_unique<http::Gateway>(options);
  try {
    gateway->start();
  } catch (os::SystemError const&) {
    options.listen = "127.0.0.1:0";
    gateway = std::make_unique<http::Gateway>(options);
    gateway->start();
  }
  os::write_file(file, std::to_string(gateway->port()) + "\n");
  os::keep_held_ports(data.root, {gateway->port()});
  return gateway;
}

/// Waits until the agents have ended, after the server has refused this runner.
void end_agents(RunnerLoop& loop, os::SignalQueue& signals, os::Clock const& clock) {
  loop.end_all();
  auto const until = clock.uptime() + kEndTime;
  while (clock.uptime() < until && !loop.is_idle())
    if (rested(signals, nullptr, 100)) return;
}

Result<int> take_work(Options const& options, os::SignalQueue& signals) {
  auto const data = os::data_directory(options.data);
  os::make_directories(data);
  auto const lock = os::FileLock::try_take(options.data / "runner.lock");
  if (!lock)
    return core::refuse(Code::kBusy, "another runner uses " + options.data.native() +
                                         "; give this one a directory of its own with --data");
  RunnerLink link(options.token, options.urls, options.certificates);
  ANDON_TRY(auto const registered, register_at(link, options, signals));
  if (auto const* code = std::get_if<int>(&registered)) return *code;
  auto const& runner = std::get<core::Runner>(registered);
  link.set_name(runner.name);
  link.set_incarnation(runner.incarnation);

  os::SystemClock const clock;
  runner::Launcher const launcher(data, os::own_program(), os::own_environment());
  runner::RunRedactors redactors(data);
  auto const gateway = open_gateway(link, data, redactors);
  auto const url = "http://127.0.0.1:" + std::to_string(gateway->port());
  RemoteWire wire(link);
  RunNews news;
  OutputSender const output(link, launcher, [&] { return news.take_watched(); });
  os::Event const told;
  RunnerReports reports(link, data, [&] { return news.trouble(); }, [&] { told.set(); });
  news.on_trouble([&] { reports.report_now(); });
  RunnerLoop loop(
      wire, clock, launcher, data, [&] { return url; }, news);  // last: its thread tells the others

  std::cout << "runner " << link.name() << " takes work of " << options.urls.front() << ", " << options.slots
            << (options.slots == 1 ? " slot" : " slots") << std::endl;
  auto const manager = os::ServiceManager::of_this_process();
  manager.tell("READY=1\nSTATUS=taking work as " + link.name());
  for (;;) {
    bool const was_told = told.is_set();
    bool const is_asked =
        rested(signals, was_told ? nullptr : &told, was_told ? kBetweenOrders / 10 : kBetweenOrders);
    if (is_asked) {
      os::log(os::Level::info, "stopping; agents go on until their leases end");
      return 0;
    }
    if (reports.order() == RunnerOrder::end) {
      os::log(os::Level::error, reports.reason());
      end_agents(loop, signals, clock);
      return kRefused;
    }
    if (reports.order() == RunnerOrder::drain && loop.is_idle()) {
      os::log(os::Level::info, "drained");
      return 0;
    }
  }
}

Result<int> run_runner(Invocation& in) try {
  ANDON_TRY(auto const options, options_of(in));
  ANDON_CHECK(set_log_level(in));
  os::SignalQueue signals{SIGTERM, SIGINT, SIGHUP};
  os::ignore_write_signals();
  os::hide_memory();
  return take_work(options, signals);
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInternalError, error.what());
} catch (std::invalid_argument const& error) {
  return core::refuse(Code::kInvalidInput, error.what(), "server");
}

}  // namespace

cli::NamedCommand runner_command() {
  return {"runner",
          "",
          "Take work from a server on another host.",
          {{"server", 0, Takes::list, "Address of the server, https://HOST; several with commas between"},
           {"token-file", 0, Takes::value, "File with the token that andon runners add printed"},
           {"slots", 0, Takes::value, "Most runs at once (default: 1)"},
           {"workers", 0, Takes::list, "Take work of these workers only"},
           {"roles", 0, Takes::list, "Take work of workers with these roles only"},
           {"data", 0, Takes::value, "Data directory of the runner"},
           {"ca-file", 0, Takes::value, "Certificates to trust instead of those of the system"},
           {"log-level", 0, Takes::value, "Least to log: debug, info (the default), warning or error"}},
          &run_runner};
}

}  // namespace andon::main
