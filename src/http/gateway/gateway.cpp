#include "http/gateway/gateway.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "api/remote_executor.hpp"
#include "core/model/run.hpp"
#include "core/text/ascii.hpp"
#include "http/access/origin.hpp"
#include "http/gateway/redaction.hpp"
#include "http/gateway/supervisors.hpp"
#include "http/wire/listener.hpp"
#include "http/wire/mailbox.hpp"
#include "http/wire/private_files.hpp"
#include "http/wire/refusal.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process.hpp"
#include "os/random.hpp"

namespace andon::http {
namespace {

namespace asio = boost::asio;
using Local = asio::local::stream_protocol;
using core::Code;

constexpr std::size_t kAgentThreads = 16;
constexpr std::size_t kSupervisionThreads = 16;
constexpr Milliseconds kDrainTick{20};
constexpr std::string_view kRuns = "/api/v1/runs/";
constexpr std::string_view kTasks = "/api/v1/tasks/";

/// The last part of the paths by which a supervising process tells of its run.
constexpr std::array<std::string_view, 3> kOfSupervisors{"finish", "usage", "place"};

/// Headers that concern one connection only, or that only the gateway may set.
constexpr std::array<std::string_view, 8> kKeptBack{
    "host",   "connection",      "content-length",    "transfer-encoding",
    "cookie", "accept-encoding", "andon-incarnation", "expect"};
constexpr std::array<std::string_view, 5> kAnswersKeptBack{"connection", "content-length",
                                                           "transfer-encoding", "keep-alive", "content-type"};

template <class Names>
bool is_in(Names const& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The number in `/api/v1/runs/{id}/finish` and the like; nothing for any other path.
std::optional<std::string> run_told_of(std::string_view method, std::string_view path) {
  if (method != "POST" || !path.starts_with(kRuns)) return std::nullopt;
  path.remove_prefix(kRuns.size());
  auto const slash = path.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash > 18) return std::nullopt;
  auto const id = path.substr(0, slash);
  if (id.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return is_in(kOfSupervisors, path.substr(slash + 1)) ? std::optional{std::string{id}} : std::nullopt;
}

bool is_heartbeat(std::string_view method, std::string_view path) {
  return method == "POST" && path.starts_with(kTasks) && path.ends_with("/heartbeat");
}

/// The token that the request brings; empty when it brings none.
std::string token_in(Request const& request) {
  constexpr std::string_view kBearer = "bearer ";
  auto const given = request.header(Field::authorization);
  bool const is_bearer = core::ascii_lower(given.substr(0, kBearer.size())) == kBearer;
  return is_bearer ? std::string{given.substr(kBearer.size())} : std::string{};
}

/// A media type that lives as long as the process. Servers know few.
std::string_view kept_type(std::string const& type) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> known;
  constexpr std::size_t kMost = 100;
  std::scoped_lock const lock(mutex);
  auto const found = known.find(type);
  if (found != known.end()) return *found;
  if (known.size() >= kMost) return "application/octet-stream";
  return *known.insert(type).first;
}

Response response_of(api::HttpAnswer answer) {
  Response out{.status = answer.status, .type = "application/json", .body = std::move(answer.body)};
  for (auto& [name, value] : answer.headers) {
    if (name == "content-type") out.type = kept_type(value);
    if (!is_in(kAnswersKeptBack, name)) out.headers.emplace_back(std::move(name), std::move(value));
  }
  return out;
}

}  // namespace

struct Gateway::Core final : Handler {
  explicit Core(GatewayOptions given) : options(std::move(given)) {}

  void authenticate(std::shared_ptr<Session> session) override;
  std::string next_request_id() override { return prefix + std::to_string(++count); }

  void forward(std::shared_ptr<Session> const& session);
  api::HttpCall call_of(Request const& request) const;
  bool is_supervisor(api::Transport& transport, std::string const& run, std::string const& process);
  void tick();
  void end();

  GatewayOptions const options;
  Limits limits;
  Connections connections{limits};
  asio::io_context io{1};
  std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>(io);
  asio::steady_timer timer{io};
  std::optional<TcpListener> tcp;
  std::optional<LocalListener> local;
  std::optional<Origins> origins;
  std::string const prefix = os::random_hex(4) + "-";
  std::uint64_t count = 0;
  std::uint16_t port = 0;
  bool is_ending = false;
  Supervisors supervisors;
  std::optional<Forwarder> agents;
  std::optional<Forwarder> supervision;
  std::thread thread;
};

/// Requests of a browser are refused by their origin, as at the server.
void Gateway::Core::authenticate(std::shared_ptr<Session> session) {
  auto const& request = session->request();
  if (auto const fault = origins->fault_of(request)) return session->answer(refusal(*fault, request.id));
  bool const is_stream =
      request.method == "GET" && request.header(Field::accept) == std::string_view{"text/event-stream"};
  if (is_stream) {
    auto out =
        refusal(Code::kMethodNotAllowed,
                "a runner passes no event streams on; ask without Accept: text/event-stream", request.id);
    out.headers.emplace_back("Allow", "POST, DELETE");
    return session->answer(std::move(out));
  }
  session->set_known();
  session->read_body({limits.file_body, limits.file_body_time}, [this, weak = std::weak_ptr(session)] {
    if (auto const here = weak.lock()) forward(here);
  });
}

api::HttpCall Gateway::Core::call_of(Request const& request) const {
  api::HttpCall call;
  call.method = request.method;
  call.target = request.path + (request.query.empty() ? "" : "?" + request.query);
  for (auto const& field : request.fields) {
    std::string const name{field.name_string().data(), field.name_string().size()};
    if (!is_in(kKeptBack, core::ascii_lower(name)))
      call.headers.emplace_back(name, std::string{field.value().data(), field.value().size()});
  }
  call.body = request.body;
  return call;
}

bool Gateway::Core::is_supervisor(api::Transport& transport, std::string const& run,
                                  std::string const& process) {
  if (process.empty()) return false;
  if (auto const known = supervisors.of(run)) return *known == process;
  api::HttpCall call;
  call.target = std::string{kRuns} + run;
  call.headers = options.runner_headers();
  auto const answer = transport.call(call);
  if (!answer || answer->status != 200) return false;
  auto const found = reflect::read_json<core::Run>(answer->body, reflect::Unknown::ignore);
  if (!found || found->process.empty()) return false;
  supervisors.note(run, found->process);
  return found->process == process;
}

void Gateway::Core::forward(std::shared_ptr<Session> const& session) {
  auto const& request = session->request();
  auto const run = run_told_of(request.method, request.path);
  auto const& process = request.peer.process;
  auto& forwarder = run || is_heartbeat(request.method, request.path) ? *supervision : *agents;
  bool const is_taken =
      forwarder.start([this, call = call_of(request), token = token_in(request), run, id = request.id,
                       process = process ? os::to_text(*process) : std::string{}, box = mailbox,
                       weak = std::weak_ptr(session)](api::Transport& transport) mutable {
        if (weak.expired()) return;
        redact(call, options.redactor_of(token));
        if (run && is_supervisor(transport, *run, process)) {
          std::erase_if(call.headers, [](auto const& header) {
            return core::ascii_lower(header.first) == "authorization";
          });
          std::ranges::copy(options.runner_headers(), std::back_inserter(call.headers));
        }
        auto answer = transport.call(call);
        auto response = answer ? response_of(*std::move(answer)) : refusal(answer.error(), id);
        box->post([weak = std::move(weak), response = std::move(response)]() mutable {
          if (auto const here = weak.lock()) here->answer(std::move(response));
        });
      });
  if (!is_taken)
    session->answer(refusal(Code::kBusy, "too many requests wait for the server; try again", request.id));
}

void Gateway::Core::tick() {
  timer.expires_after(is_ending ? kDrainTick : limits.tick);
  timer.async_wait([this](boost::system::error_code error) {
    if (error && !is_ending) return;
    connections.tick(os::SteadyClock::now());
    if (is_ending) return connections.close();
    tick();
  });
}

void Gateway::Core::end() {
  is_ending = true;
  if (tcp) tcp->stop();
  if (local) local->stop();
  connections.drain();
  timer.cancel();
}

Gateway::Gateway(GatewayOptions options) : core_(std::make_unique<Core>(std::move(options))) {}

Gateway::~Gateway() { stop(); }

void Gateway::start() {
  auto& core = *core_;
  core.tcp.emplace(core.io, core.connections, core.limits).listen(endpoint_of(core.options.listen, false));
  core.port = core.tcp->address().port();
  if (!core.options.socket_path.empty()) {
    clear_socket_path(core.options.socket_path);
    PrivateFiles const only_ours;
    core.local.emplace(core.io, core.connections, core.limits);
    core.local->listen(Local::endpoint{core.options.socket_path.native()});
  }
  core.origins.emplace(ServerOptions{}, core.port);
  core.agents.emplace(core.options.connect, kAgentThreads);
  core.supervision.emplace(core.options.connect_supervision, kSupervisionThreads);
  core.tcp->accept(core);
  if (core.local) core.local->accept(core);
  core.tick();
  core.thread = std::thread{[&core] {
    for (;;) {
      try {
        core.io.run();
        return;
      } catch (std::exception const& error) {
        os::log(os::Level::error, std::string{"a connection failed unexpectedly: "} + error.what());
      }
    }
  }};
}

std::uint16_t Gateway::port() const { return core_->port; }

void Gateway::stop() {
  auto& core = *core_;
  if (!core.thread.joinable()) return;
  core.agents.reset();
  core.supervision.reset();
  core.mailbox->post([&core] { core.end(); });
  core.thread.join();
  core.mailbox->close();
  if (core.local) ::unlink(core.options.socket_path.c_str());
}

}  // namespace andon::http
