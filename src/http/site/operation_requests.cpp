#include "api/operation.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "http/live/writer_metrics.hpp"
#include "http/site/admission.hpp"
#include "http/site/operation_answer.hpp"
#include "http/site/readiness.hpp"
#include "http/site/request_handler.hpp"
#include "http/site/runner_metrics.hpp"
#include "http/wire/address.hpp"
#include "http/wire/compress.hpp"
#include "http/wire/refusal.hpp"
#include "os/processes/clock.hpp"
#include "service/tasks/create.hpp"

// Turns a request into a call of an operation, and its answer into a response.
namespace andon::http {
namespace {

using core::Code;
using core::Error;

std::size_t tasks_in(api::Call const& call) {
  if (call.operation->creates == api::Creates::task) return 1;
  return static_cast<service::CreateTasksRequest const*>(call.request.get())->items.size();
}

AnswerShape shape_of(AuthenticatedRequest const& authenticated, api::Operation const& operation) {
  auto const& request = authenticated.request();
  return {&operation, request.id, std::string{request.header(Field::if_none_match)},
          operation.effect == api::Effect::read && accepts(request.header(Field::accept_encoding), "gzip")};
}

/// True for senders that show people the verbs of a task. A run has tools, and the command line shows none.
bool shows_verbs(AuthenticatedRequest const& authenticated) {
  return authenticated.principal.caller.role != service::Role::run &&
         authenticated.request().header("Andon-Source") != to_text(core::Source::cli);
}

Error too_many_tasks() {
  return Error{
      Code::kRateLimited, "a worker may create only so many tasks a minute; try again later", {}, {}, {}}
      .with("retry_after", std::int64_t{60});
}

Error too_many_reads(bool is_slow) {
  return Error{Code::kRateLimited,
               is_slow ? "this credential has as many searches, metrics or pages of history under way as it "
                         "may; wait for their answers"
                       : "this credential has as many reads under way as it may; wait for their answers",
               {},
               {},
               {}}
      .with("retry_after", std::int64_t{1});
}

}  // namespace

void RequestHandler::run_operation(AuthenticatedRequest const& authenticated) {
  auto& request = authenticated.request();
  auto query = parse_query(request.query);
  if (!query)
    return refuse(*authenticated.session,
                  {Code::kMalformed, "the query is not encoded properly", {}, {}, {}});
  api::RequestParts parts{authenticated.path, *std::move(query),
                          request.is_safe() ? std::string_view{} : request.body};
  auto call = api::build_call(*authenticated.route->operation, parts);
  if (!call) return refuse(*authenticated.session, call.error());
  call->caller = authenticated.principal.caller;
  call->tells_verbs = shows_verbs(authenticated);
  if (auto const fault = take_conditions(request, *call)) return refuse(*authenticated.session, *fault);
  if (auto const fault = over_creations(*call)) return refuse(*authenticated.session, *fault);
  start(authenticated, *std::move(call));
}

/// Starts a write. Its response is made on the thread that has the answer, because that of many tasks would
/// block the I/O thread.
void RequestHandler::start(AuthenticatedRequest const& authenticated, api::Call call) {
  if (call.patience == core::Duration::zero()) authenticated.request().begun = os::SteadyClock::now();
  if (call.operation->effect == api::Effect::read) return start_read(authenticated, std::move(call));
  auto shape = shape_of(authenticated, *call.operation);
  call.reader = authenticated.credential;
  if (call.patience > core::Duration::zero()) call.abandoned = authenticated.session->watch_for_disconnect();
  auto asked = authenticated;
  asked.session.reset();
  backends_.executor.start(
      std::move(call),
      [this, mailbox = mailbox_, weak = std::weak_ptr(authenticated.session), asked = std::move(asked),
       shape = std::move(shape)](core::Result<api::Answer> answer) mutable {
        if (!answer && answer.error().code == Code::kUnconfirmedCommand)
          return mailbox->post([this, weak = std::move(weak), asked = std::move(asked),
                                error = std::move(answer).error()]() mutable {
            asked.session = weak.lock();
            if (asked.session) propose(asked, std::move(error));
          });
        mailbox->post([this, weak = std::move(weak), response = shaped(shape, std::move(answer))]() mutable {
          if (auto const session = weak.lock()) this->answer(*session, std::move(response));
        });
      });
}

/// Starts a read. Its response is made on the reading thread, because long answers would block the I/O
/// thread.
void RequestHandler::start_read(AuthenticatedRequest const& authenticated, api::Call call) {
  bool const is_slow = api::takes_long(*call.operation, call.request.get());
  auto const reading = is_slow ? api::Reading::slow : api::Reading::brief;
  if (!reads_.enter(authenticated.credential, reading))
    return refuse(*authenticated.session, too_many_reads(is_slow));
  call.reader = authenticated.credential;
  if (is_slow) call.abandoned = authenticated.session->watch_for_disconnect();
  backends_.executor.start(
      std::move(call), [this, reading, mailbox = mailbox_, weak = std::weak_ptr(authenticated.session),
                        credential = authenticated.credential, lines = hub_.live_lines(),
                        shape = shape_of(authenticated, *authenticated.route->operation)](
                           core::Result<api::Answer> answer) mutable {
        if (answer) lines->fill(*answer);
        mailbox->post([this, reading, weak = std::move(weak), credential = std::move(credential),
                       response = shaped(shape, std::move(answer))]() mutable {
          reads_.leave(credential, reading);
          if (auto const session = weak.lock()) this->answer(*session, std::move(response));
        });
      });
}

void RequestHandler::list_agents(AuthenticatedRequest const& authenticated) {
  if (!backends_.agents) return answer(*authenticated.session, {.body = reflect::to_json(api::Agents{})});
  backends_.executor.on_reader(
      [this, agents = backends_.agents, in_use = in_use_, mailbox = mailbox_,
       weak = std::weak_ptr(authenticated.session)] {
        mailbox->post([this, weak, json = reflect::to_json(agents->agents())]() mutable {
          if (auto const session = weak.lock()) answer(*session, {.body = std::move(json)});
        });
      },
      authenticated.credential, api::Reading::slow);
}

/// Asks the store on a thread of its own, because a database that does not answer may take seconds.
void RequestHandler::ask_readiness(AuthenticatedRequest const& authenticated,
                                   std::function<Response(api::Readiness)> answer_of) {
  backends_.executor.on_reader(
      [this, &executor = backends_.executor, mailbox = mailbox_, answer_of = std::move(answer_of),
       weak = std::weak_ptr(authenticated.session)] {
        mailbox->post([this, weak, response = answer_of(readiness_of(executor))]() mutable {
          if (auto const session = weak.lock()) answer(*session, std::move(response));
        });
      },
      authenticated.credential, api::Reading::slow);
}

void RequestHandler::tell_readiness(AuthenticatedRequest const& authenticated) {
  constexpr int kUnavailable = 503;
  constexpr int kOk = 200;
  bool const is_run = authenticated.principal.caller.run.has_value();  // it need not know other machines
  ask_readiness(authenticated, [is_run](api::Readiness found) {
    if (is_run) found.servers.clear();
    Response out{.body = reflect::to_json(found)};
    out.status = found.is_ready() ? kOk : kUnavailable;
    return out;
  });
}

void RequestHandler::tell_telegram(AuthenticatedRequest const& authenticated) {
  auto const status = backends_.telegram ? backends_.telegram->status() : api::ChatStatus{};
  answer(*authenticated.session, {.body = reflect::to_json(status)});
}

void RequestHandler::serve_mcp(AuthenticatedRequest const& authenticated) {
  mcp_.serve(
      authenticated,
      [this, credential = authenticated.credential](api::Call call, api::Reply reply) {
        start_within_bounds(credential, std::move(call), std::move(reply));
      },
      [this](Session& session, Response response) { answer(session, std::move(response)); });
}

void RequestHandler::start_within_bounds(std::string const& credential, api::Call call, api::Reply reply) {
  if (auto fault = over_creations(call)) return reply(std::unexpected(*std::move(fault)));
  bool const is_read = call.operation->effect == api::Effect::read;
  bool const is_slow = is_read && api::takes_long(*call.operation, call.request.get());
  auto const reading = is_slow ? api::Reading::slow : api::Reading::brief;
  if (is_read && !reads_.enter(credential, reading)) return reply(std::unexpected(too_many_reads(is_slow)));
  call.reader = credential;
  if (!is_read) return backends_.executor.start(std::move(call), std::move(reply));
  backends_.executor.start(std::move(call), [this, mailbox = mailbox_, credential, reading,
                                             reply =
                                                 std::move(reply)](core::Result<api::Answer> answer) mutable {
    mailbox->post([this, credential = std::move(credential), reading] { reads_.leave(credential, reading); });
    reply(std::move(answer));
  });
}

/// The refusal of a run that creates more tasks than its worker may; counts those that it may.
std::optional<Error> RequestHandler::over_creations(api::Call const& call) {
  bool const counts =
      call.caller.role == service::Role::run && call.operation->creates != api::Creates::nothing;
  if (!counts) return std::nullopt;
  auto const now = os::SteadyClock::now();
  auto const worker = core::to_text(call.caller.actor);
  if (quotas_.creations.is_used_up(worker, now, tasks_in(call))) return too_many_tasks();
  quotas_.creations.count(worker, now, tasks_in(call));
  return std::nullopt;
}

void RequestHandler::open_events(AuthenticatedRequest const& authenticated) {
  auto const& request = authenticated.request();
  bool const asks_for_stream =
      request.header(Field::accept).find("text/event-stream") != std::string_view::npos;
  // A HEAD request gets the head of the history page, because a stream has no length and no end.
  if (request.method != "GET" || !asks_for_stream) return run_operation(authenticated);
  hub_.open(authenticated, connections_);
}

void RequestHandler::take_output(AuthenticatedRequest const& authenticated) { output_.take(authenticated); }

void RequestHandler::send_log(AuthenticatedRequest const& authenticated) {
  auto const& credential = authenticated.credential;
  if (!reads_.enter(credential, api::Reading::slow))
    return refuse(*authenticated.session, too_many_reads(true));
  output_.serve_log(
      authenticated, connections_,
      [this, credential, weak = std::weak_ptr(authenticated.session)](std::optional<Response> response) {
        reads_.leave(credential, api::Reading::slow);
        auto const session = weak.lock();
        if (session && response) answer(*session, *std::move(response));
      });
}

void RequestHandler::tell_metrics(AuthenticatedRequest const& authenticated) {
  std::string out = "# TYPE andon_http_answers_total counter\n";
  for (auto const& [status, count] : counters_.answers)
    out +=
        "andon_http_answers_total{status=\"" + std::to_string(status) + "\"} " + std::to_string(count) + "\n";
  auto const add = [&](std::string_view name, std::string_view type, std::uint64_t value) {
    out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
    out.append(name).append(" ").append(std::to_string(value)).append("\n");
  };
  add("andon_http_connections", "gauge", connections_.count());
  add("andon_http_held_bytes", "gauge", connections_.held());
  add("andon_reads_in_flight", "gauge", reads_.count());
  add("andon_streams", "gauge", hub_.count());
  add("andon_streams_opened_total", "counter", counters_.streams_opened);
  add("andon_streams_reset_total", "counter", counters_.streams_reset);
  add("andon_store_commits_total", "counter", counters_.commits);
  out += metrics_of(backends_.executor.writer_times().totals());
  bool const is_shared = backends_.executor.servers() != nullptr;  // and may take seconds to answer
  backends_.executor.on_reader(
      [this, is_shared, out = std::move(out), mailbox = mailbox_,
       weak = std::weak_ptr(authenticated.session)]() mutable {
        out += runner_metrics(backends_.executor);
        out += account_metrics(backends_.executor);
        out += orphan_metrics(backends_.executor);
        out += fault_metrics(backends_.executor);
        out += flaky_metrics(backends_.executor);
        if (is_shared) out += server_metrics(readiness_of(backends_.executor));
        mailbox->post([this, weak, out = std::move(out)]() mutable {
          if (auto const session = weak.lock())
            answer(*session, {.type = "text/plain; version=0.0.4", .body = std::move(out)});
        });
      },
      authenticated.credential, is_shared ? api::Reading::slow : api::Reading::brief);
}

}  // namespace andon::http
