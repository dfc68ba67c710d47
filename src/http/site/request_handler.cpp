#include "http/site/request_handler.hpp"

#include <algorithm>
#include <array>

#include "api/description/openapi.hpp"
#include "api/operation.hpp"
#include "http/access/machine_user.hpp"
#include "http/site/admission.hpp"
#include "http/wire/refusal.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process.hpp"
#include "os/random.hpp"

namespace andon::http {

using core::Code;
using core::Error;

namespace {

std::string identity_of(Peer const& peer) {
  return peer.process ? os::to_text(*peer.process) : std::string{};
}

bool takes_file(Route const& route) { return route.operation && route.operation->file.taken; }

BodyBound bound_of(Route const& route, Limits const& limits) {
  if (takes_file(route)) return {limits.file_body, limits.file_body_time};
  bool const is_open = route.required_role == RequiredRole::open;
  return {is_open ? limits.body_of_strangers : limits.body, limits.body_time};
}

/// An operation that takes longer is logged.
constexpr std::chrono::milliseconds kSlow{1000};

/// Logs an answer: failures of the server and slow operations as warnings, all others for debugging. Queries
/// and bodies are left out, since they may hold secrets.
void log_answer(Request const& request, int status) {
  constexpr int kServerError = 500;
  bool const is_timed = request.begun != SteadyTime{};
  auto const time = is_timed ? os::SteadyClock::now() - request.begun : SteadyTime::duration{};
  bool const is_notable = status >= kServerError || time >= kSlow;
  auto const level = is_notable ? os::Level::warning : os::Level::debug;
  if (!os::is_logged(level)) return;
  auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  os::log(level, request.method + " " + request.path + " answered " + std::to_string(status) +
                     (is_timed ? " after " + std::to_string(ms) + " ms" : "") + " (request " + request.id +
                     ")");
}

}  // namespace

RequestHandler::RequestHandler(ServerOptions const& options, Backends const& backends, std::uint16_t port,
                               Connections& connections, std::shared_ptr<Mailbox> mailbox,
                               boost::asio::io_context& io, InUse in_use)
    : options_(options),
      backends_(backends),
      in_use_(in_use),
      origins_(options, port),
      page_(backends.page),
      connections_(connections),
      mailbox_(mailbox),
      credentials_(backends.executor, mailbox),
      revocation_(backends.executor, credentials_),
      hub_(backends.executor, mailbox, io, revocation_, options.limits, counters_),
      output_(backends.executor, backends.output, in_use, mailbox, io, revocation_, options.limits),
      mcp_(backends.mcp, mailbox, {mailbox, revocation_, connections, options.limits}),
      quotas_(options.limits),
      reads_({options.limits.reads_per_credential, options.limits.slow_reads_per_credential}) {}

RequestIds::RequestIds() : prefix_(os::random_hex(4) + "-") {}

std::string RequestHandler::next_request_id() { return ids_.next(); }

void RequestHandler::note_commit() {
  hub_.wake();
  mcp_.note_commit();
}

void RequestHandler::tick(SteadyTime now) {
  revocation_.tick();
  hub_.tick(now);
  mcp_.tick();
}

void RequestHandler::stop() {
  hub_.stop();
  output_.stop();
}

void RequestHandler::answer(Session& session, Response response) {
  ++counters_.answers[response.status];
  log_answer(session.request(), response.status);
  session.answer(std::move(response));
}

void RequestHandler::refuse(Session& session, Error const& error) {
  answer(session, refusal(error, session.request().id));
}

void RequestHandler::authenticate(std::shared_ptr<Session> session) {
  auto const& request = session->request();
  if (auto const fault = origins_.fault_of(request)) return refuse(*session, *fault);
  if (!is_known_method(request.method)) {
    auto response = refusal(Code::kMethodNotAllowed, "there is no such method", request.id);
    response.status = 501;
    return answer(*session, std::move(response));
  }
  if (!is_api_path(request.path)) return answer(*session, page_.answer(request));
  auto match = find_route(request.method, request.path);
  if (match.route && match.route->required_role == RequiredRole::open)
    return authorize({session, match.route, std::move(match.path), {}, {}});
  show_credential(session, std::move(match));
}

void RequestHandler::show_credential(std::shared_ptr<Session> const& session, Match match) {
  auto const credential = credential_of(session->request());
  if (!credential) return refuse(*session, unauthenticated());
  credentials_.look_up(
      credential->hash, [this, weak = std::weak_ptr(session), match = std::move(match),
                         credential = *credential](core::Result<service::Principal> found) mutable {
        auto const here = weak.lock();
        if (!here) return;
        auto& request = here->request();
        if (!found) return refuse_credential(*here, credential, found.error());
        here->set_known();
        if (found->ended) return refuse(*here, ended_run(request.path));
        if (!match.route) return answer(*here, no_route(match, request.id));
        if (found->caller.run) found->caller.run->process = identity_of(request.peer);
        if (auto const fault = take_actor(request, *found)) return refuse(*here, *fault);
        raise_for_machine(request, credential.hash, found->caller);
        authorize({here, match.route, std::move(match.path), *std::move(found), std::move(credential.hash)});
      });
}

/// Gives an administrator the rights of the machine's user where the request comes from that user, or from a
/// credential that a person on the machine trusts for a while. Reads need no more than the administrator's.
void RequestHandler::raise_for_machine(Request const& request, std::string const& credential,
                                       service::Caller& caller) const {
  if (request.is_safe() || caller.role != service::Role::admin) return;
  if (is_machines_user(request.peer) || proposals_.is_trusted(credential, os::SteadyClock::now()))
    caller.role = service::Role::machine;
}

/// Refuses a credential. Guesses of tokens are rate-limited, but a right token is never refused for them. An
/// expired session always gets its own error.
void RequestHandler::refuse_credential(Session& session, Credential const& credential, Error const& error) {
  if (error.code != Code::kUnauthenticated || credential.is_of_page) return refuse(session, error);
  auto const& from = session.request().peer.address;
  auto const now = os::SteadyClock::now();
  if (quotas_.wrong_tokens.is_used_up(from, now))
    return refuse(session, Error{Code::kRateLimited, "too many wrong tokens; wait a minute", {}, {}, {}}.with(
                               "retry_after", std::int64_t{60}));
  quotas_.wrong_tokens.count(from, now);
  refuse(session, error);
}

void RequestHandler::authorize(AuthenticatedRequest authenticated) {
  auto& session = *authenticated.session;
  if (authenticated.route->required_role != RequiredRole::open && lacks_role(authenticated))
    return refuse(session,
                  {Code::kForbidden, "this credential does not have the rights for that", {}, {}, {}});
  auto const& route = *authenticated.route;
  if (session.has_body())
    if (auto const fault = fault_of_media(session.request(), takes_file(route)))
      return refuse(session, *fault);
  session.read_body(bound_of(route, options_.limits),
                    [this, authenticated = std::move(authenticated)] { dispatch(authenticated); });
}

void RequestHandler::dispatch(AuthenticatedRequest const& authenticated) {
  using Serve = void (RequestHandler::*)(AuthenticatedRequest const&);
  struct Row {
    Service service;
    Serve dispatch;
  };
  static constexpr std::array kRows{
      Row{Service::operation, &RequestHandler::run_operation},
      Row{Service::events, &RequestHandler::open_events},
      Row{Service::run_output_report, &RequestHandler::take_output},
      Row{Service::run_log, &RequestHandler::send_log},
      Row{Service::agents, &RequestHandler::list_agents},
      Row{Service::telegram, &RequestHandler::tell_telegram},
      Row{Service::servers, &RequestHandler::tell_readiness},
      Row{Service::ready, &RequestHandler::tell_readiness},
      Row{Service::proof, &RequestHandler::prove},
      Row{Service::sign_in, &RequestHandler::sign_in},
      Row{Service::sign_out, &RequestHandler::sign_out},
      Row{Service::phone_link, &RequestHandler::offer_phone_link},
      Row{Service::proposal, &RequestHandler::show_proposal},
      Row{Service::confirmation, &RequestHandler::confirm_proposal},
      Row{Service::metrics, &RequestHandler::tell_metrics},
      Row{Service::mcp, &RequestHandler::serve_mcp},
  };
  auto const service = authenticated.route->service;
  if (auto const row = std::ranges::find(kRows, service, &Row::service); row != kRows.end())
    return (this->*row->dispatch)(authenticated);
  if (service == Service::run_output) return output_.serve(authenticated, connections_);
  if (service == Service::openapi) return answer(*authenticated.session, {.body = api::openapi_json()});
  answer(*authenticated.session, {.body = R"({"status":"ok"})"});
}

}  // namespace andon::http
