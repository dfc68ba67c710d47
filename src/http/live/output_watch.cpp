#include "http/live/output_watch.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "api/trouble.hpp"
#include "http/wire/address.hpp"
#include "http/wire/refusal.hpp"
#include "os/processes/clock.hpp"
#include "service/limits/storage_meter.hpp"
#include "service/remote_runners.hpp"
#include "service/runners/runners.hpp"
#include "service/runs/run_report.hpp"
#include "store/contract/store_error.hpp"

namespace andon::http {
namespace {

using core::Code;
using core::Result;

Result<core::RunId> run_in(AuthenticatedRequest const& authenticated) {
  auto const& text = authenticated.path.front().second;
  std::int64_t run = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), run);
  if (error != std::errc{} || end != text.data() + text.size())
    return core::refuse(Code::kRunNotFound, "there is no run " + text, "id");
  return core::RunId{run};
}

Result<std::string> since_in(Request const& request) {
  auto const query = parse_query(request.query);
  if (!query) return core::refuse(Code::kMalformed, "the query is not encoded properly");
  for (auto const& [name, value] : *query)
    if (name != "since")
      return core::refuse(Code::kUnknownField, "there is no parameter \"" + name + "\"", name);
  if (auto const last = request.header("Last-Event-ID"); !last.empty()) return std::string{last};
  auto const* since = find(*query, "since");
  return since ? *since : std::string{};
}

bool wants_stream(Request const& request) {
  return request.method == "GET" &&
         request.header(Field::accept).find("text/event-stream") != std::string_view::npos;
}

/// Why this server has no output of the run while others share its store; nothing when it is the one to ask.
/// The output is with the server that started the run, or that its runner on another host speaks to.
std::optional<core::Error> why_no_output(service::OperationContext& u, core::Run const& run) {
  auto const what = "output of run " + std::to_string(std::int64_t{run.id});
  bool const is_remote = service::runner_named(u, run.runner).has_value();
  auto const server = is_remote ? service::status_of(u, run.runner).server : run.runner;
  if (!server.empty() && server != u.answered_by)
    return core::Error{
        Code::kNotFound, "the " + what + " is on server \"" + server + "\"; ask that one", {}, {}, {}}
        .with("server", server);
  if (!is_remote || run.state != core::RunState::ended) return std::nullopt;
  return core::Error{Code::kNotFound,
                     "this server has no " + what + "; runner \"" + run.runner +
                         "\" sends it to the server that it speaks to",
                     {},
                     {},
                     {}};
}

void refuse(AuthenticatedRequest const& authenticated, core::Error const& error) {
  authenticated.session->answer(refusal(error, authenticated.request().id));
}

/// More than the parts of a log that are kept.
constexpr std::size_t kLargestLogFile = 64U << 20U;
/// About the largest page of a log.
constexpr std::size_t kPageHeld = 512U << 10U;

void append_lines(std::vector<api::OutputItem> const& items, std::string& text) {
  constexpr std::size_t kWidestStream = 6;
  for (auto const& item : items) {
    text.append(core::to_text(item.at)).append("  ").append(item.stream);
    text.append(kWidestStream + 2 - std::min(kWidestStream, item.stream.size()), ' ');
    text.append(item.text).append("\n");
  }
}

/// A page of the log as text: for each line its time, its stream and its text as the agent wrote it.
std::string text_of(api::OutputPage const& page) {
  std::string text;
  append_lines(page.items, text);
  return text;
}

Response log_file(core::RunId run, std::string text) {
  Response out{.type = "text/plain; charset=utf-8", .body = std::move(text)};
  out.headers.emplace_back("Content-Disposition",
                           "attachment; filename=\"run-" + std::to_string(std::int64_t{run}) + ".log\"");
  return out;
}

/// A chunk of a body (RFC 9112, 7.1). An empty text would end the body.
std::string chunk(std::string_view text) {
  if (text.empty()) return {};
  constexpr std::size_t kHexDigits = 16;
  std::array<char, kHexDigits> size{};
  auto const end = std::to_chars(size.data(), size.data() + size.size(), text.size(), 16).ptr;
  return std::string{size.data(), end}.append("\r\n").append(text).append("\r\n");
}
constexpr std::string_view kLastChunk = "0\r\n\r\n";

core::Error too_much_held() {
  return {Code::kBusy, "the server holds as much for slow clients as it may; try again", {}, {}, {}};
}

/// Refuses output of a run that is not the runner's, and lines of no known stream.
Result<void> check_output(api::LocalExecutor& executor, service::Caller const& caller, core::RunId run,
                          std::vector<api::OutputItem> const& items) {
  Result<void> out;
  try {
    executor.read(
        [&](service::OperationContext& u) {
          out = service::check_incarnation(u);
          if (auto const own = service::own_run(u, run); out && !own) out = std::unexpected(own.error());
          if (out) out = api::check_streams(items);
        },
        caller);
  } catch (store::StoreError const& error) {
    return core::refuse(Code::kBusy, error.what());
  }
  return out;
}

/// Stores the report. Returns up to where there are lines now.
Result<api::OutputTaken> take_report(api::RunOutput* output, core::RunId run,
                                     api::OutputReport const& report) try {
  if (!output) return core::refuse(Code::kRunNotFound, "this server keeps no output of runs", "id");
  return output->mirror(run, report);
} catch (std::exception const&) {
  return std::unexpected(api::error_of_trouble(std::current_exception()));
}

Result<api::OutputPage> page_of(api::RunOutput* output, core::RunId run, std::string const& since) try {
  return output ? output->read(run, since) : api::OutputPage{};
} catch (std::exception const&) {
  return std::unexpected(api::error_of_trouble(std::current_exception()));
}

}  // namespace

/// The result of reading a run's output.
struct OutputWatch::Look {
  Result<api::OutputPage> page = api::OutputPage{};
  bool has_ended = false;

  static Look at(api::LocalExecutor& executor, api::RunOutput* output, service::Caller const& caller,
                 core::RunId id, std::string const& since) {
    Look out;
    std::optional<core::Error> elsewhere;
    try {
      executor.read(
          [&](service::OperationContext& u) {
            auto const run = service::get_run(u, {id});
            if (!run) out.page = std::unexpected(run.error());
            if (run && executor.servers() && since.empty()) elsewhere = why_no_output(u, *run);
            out.has_ended = run && run->state == core::RunState::ended;
          },
          caller);
    } catch (store::StoreError const&) {
      out.page = core::refuse(Code::kBusy, "the store does not answer; try again");
    }
    if (out.page) out.page = page_of(output, id, since);
    if (elsewhere && out.page && out.page->items.empty()) out.page = core::refuse(*std::move(elsewhere));
    if (out.page && out.page->next.empty()) out.page->next = since;
    if (out.page && caller.role == service::Role::run) out.page->directory.clear();
    return out;
  }
};

OutputWatch::OutputWatch(api::LocalExecutor& executor, api::RunOutput* output, InUse in_use,
                         std::shared_ptr<Mailbox> mailbox, boost::asio::io_context& io,
                         Revocation& revocation, Limits const& limits)
    : executor_(executor),
      output_(output),
      in_use_(std::move(in_use)),
      mailbox_(std::move(mailbox)),
      revocation_(revocation),
      limits_(limits),
      timer_(io) {}

void OutputWatch::serve(AuthenticatedRequest const& authenticated, Connections& connections) {
  auto const run = run_in(authenticated);
  if (!run) return refuse(authenticated, run.error());
  auto since = since_in(authenticated.request());
  if (!since) return refuse(authenticated, since.error());
  // Sessions belong to the I/O thread; other threads keep only a weak pointer.
  auto without_session = authenticated;
  without_session.session.reset();
  auto const credential = authenticated.credential;
  executor_.on_reader(
      [this, &executor = executor_, output = output_, in_use = in_use_, mailbox = mailbox_,
       weak = std::weak_ptr(authenticated.session), authenticated = std::move(without_session), &connections,
       run = *run, since = *std::move(since)]() mutable {
        auto look = Look::at(executor, output, authenticated.principal.caller, run, since);
        mailbox->post([this, &connections, weak, run, authenticated = std::move(authenticated),
                       since = std::move(since), look = std::move(look)]() mutable {
          authenticated.session = weak.lock();
          if (authenticated.session) show(authenticated, connections, run, std::move(since), std::move(look));
        });
      },
      credential);
}

void OutputWatch::show(AuthenticatedRequest const& authenticated, Connections& connections, core::RunId run,
                       std::string since, Look look) {
  auto& session = *authenticated.session;
  if (!look.page) return refuse(authenticated, look.page.error());
  if (!wants_stream(session.request())) return session.answer({.body = reflect::to_json(*look.page)});
  if (session.is_closed()) return;
  if (auto const fault = fault_of_crowd(run, authenticated.credential)) return refuse(authenticated, *fault);
  if (connections.is_full()) return refuse(authenticated, too_much_held());
  auto const head = stream_head(session.request());
  auto const opened = watch(authenticated, connections, run, std::move(since), false);
  opened->stream->start(head);
  send(opened, std::move(look));
}

std::shared_ptr<OutputWatch::Watch> OutputWatch::watch(AuthenticatedRequest const& authenticated,
                                                       Connections& connections, core::RunId run,
                                                       std::string since, bool is_log) {
  auto out = std::make_shared<Watch>(std::shared_ptr<Stream>{}, authenticated.principal.caller,
                                     authenticated.credential, run, std::move(since), connections, is_log);
  StreamForm form{.end = os::SteadyClock::now() + limits_.stream_time};
  if (is_log)
    form = {.end = os::SteadyClock::now() + limits_.log_time,
            .hello = {},
            .heartbeat = {},
            .bye = {},
            .slow = {},
            .idle = [this, weak = std::weak_ptr(out)] {
              if (auto const one = weak.lock(); one && !one->is_read) read(one);
            }};
  auto [socket, place] = authenticated.session->take();
  out->stream =
      std::make_shared<Stream>(std::move(socket), std::move(place), connections, limits_, std::move(form));
  connections.add(out->stream);
  watches_.push_back(out);
  revocation_.watch(out->stream, authenticated.credential);
  return out;
}

void OutputWatch::serve_log(AuthenticatedRequest const& authenticated, Connections& connections,
                            std::function<void(std::optional<Response>)> answer) {
  auto const& id = authenticated.request().id;
  auto const run = run_in(authenticated);
  if (!run) return answer(refusal(run.error(), id));
  if (connections.is_full()) return answer(refusal(too_much_held(), id));
  auto without_session = authenticated;
  without_session.session.reset();
  executor_.on_reader(
      [this, &executor = executor_, output = output_, in_use = in_use_, mailbox = mailbox_, run = *run, id,
       weak = std::weak_ptr(authenticated.session), authenticated = std::move(without_session), &connections,
       answer = std::move(answer)]() mutable {
        auto look = Look::at(executor, output, authenticated.principal.caller, run, {});
        mailbox->post([this, &connections, weak, run, id, authenticated = std::move(authenticated),
                       answer = std::move(answer), look = std::move(look)]() mutable {
          if (!look.page) return answer(refusal(look.page.error(), id));
          authenticated.session = weak.lock();
          bool const is_short = !look.page->more.value_or(false);
          if (is_short || !authenticated.session || authenticated.session->is_closed() ||
              authenticated.request().method != "GET")
            return answer(log_file(run, text_of(*look.page)));
          if (auto const fault = fault_of_crowd(run, authenticated.credential))
            return answer(refusal(*fault, id));
          answer(std::nullopt);
          open_log(authenticated, connections, run, std::move(look));
        });
      },
      authenticated.credential, api::Reading::slow);
}

void OutputWatch::open_log(AuthenticatedRequest const& authenticated, Connections& connections,
                           core::RunId run, Look look) {
  auto const head = chunked_head(log_file(run, {}), authenticated.request());
  auto const opened = watch(authenticated, connections, run, {}, true);
  opened->is_read = true;
  opened->stream->start(head);
  send_log(opened, std::move(look));
}

/// A log that cannot be read to its end is closed without the last chunk, so that its reader knows.
void OutputWatch::send_log(std::shared_ptr<Watch> const& watch, Look look) {
  watch->is_read = false;
  watch->page.reset();
  auto& stream = *watch->stream;
  if (!look.page || (look.page->items.empty() && look.page->more.value_or(false))) return stream.close();
  auto text = text_of(*look.page);
  bool const is_last = !look.page->more.value_or(false) || look.page->next == watch->next;
  watch->next = look.page->next;
  watch->sent += text.size();
  bool const is_too_long = !is_last && watch->sent >= kLargestLogFile;
  if (is_too_long) text += "… the rest of the log is left out …\n";
  auto piece = chunk(text);
  if (is_last || is_too_long) return stream.end(std::move(piece.append(kLastChunk)));
  stream.send({std::move(piece)});
  plan();
}

std::optional<core::Error> OutputWatch::fault_of_crowd(core::RunId run, std::string const& credential) const {
  std::size_t of_run = 0;
  std::size_t of_credential = 0;
  for (auto const& watch : watches_) {
    if (!watch->stream->is_open()) continue;
    of_run += watch->run == run ? 1 : 0;
    of_credential += watch->credential == credential ? 1 : 0;
  }
  if (of_run < limits_.output_streams_per_run && of_credential < limits_.output_streams_per_credential)
    return std::nullopt;
  return core::Error{Code::kRateLimited,
                     "run " + std::to_string(run) +
                         " or this credential has as many output streams as it may; close some of them",
                     "id",
                     {},
                     {}}
      .with("retry_after", std::int64_t{60});
}

void OutputWatch::send(std::shared_ptr<Watch> const& watch, Look look) {
  if (watch->is_log) return send_log(watch, std::move(look));
  watch->is_read = false;
  watch->page.reset();
  auto& stream = *watch->stream;
  if (!look.page) return stream.end(sse_frame("end", "{}"));
  bool const has_more = !look.page->items.empty();
  if (has_more) {
    watch->next = look.page->next;
    std::string data = R"({"items":)";
    reflect::write_json(reflect::type_of<std::vector<api::OutputItem>>(), &look.page->items, data);
    stream.send({sse_frame("output", data + "}", watch->next)});
    if (stream.is_idle()) read(watch);
  } else if (look.has_ended) {
    stream.end(sse_frame("end", "{}"));
  }
  plan();
}

void OutputWatch::read(std::shared_ptr<Watch> const& watch) {
  if (watch->connections.is_full()) return plan();
  watch->is_read = true;
  watch->page.emplace(watch->connections).set(kPageHeld);
  executor_.on_reader([this, &executor = executor_, output = output_, in_use = in_use_, mailbox = mailbox_,
                       weak = std::weak_ptr(watch), caller = watch->caller, run = watch->run,
                       next = watch->next] {
    auto look = Look::at(executor, output, caller, run, next);
    mailbox->post([this, weak, look = std::move(look)]() mutable {
      if (auto const one = weak.lock()) send(one, std::move(look));
    });
  });
}

void OutputWatch::plan() {
  std::erase_if(watches_, [](auto const& watch) { return !watch->stream->is_open(); });
  if (is_planned_ || watches_.empty()) return;
  is_planned_ = true;
  timer_.expires_after(limits_.output_pace);
  timer_.async_wait([this](boost::system::error_code error) {
    is_planned_ = false;
    if (error) return;
    auto const all = watches_;
    for (auto const& watch : all)
      if (watch->stream->is_open() && watch->stream->is_idle() && !watch->is_read) read(watch);
    plan();
  });
}

void OutputWatch::take(AuthenticatedRequest const& authenticated) {
  auto const run = run_in(authenticated);
  if (!run) return refuse(authenticated, run.error());
  auto const& caller = authenticated.principal.caller;
  auto const size = std::ssize(authenticated.request().body);
  service::StorageMeter::Write const write{service::Stored::output, size, *run};
  if (auto const metered = executor_.meter(caller, write); !metered)
    return refuse(authenticated, metered.error());
  auto report = reflect::read_json<api::OutputReport>(authenticated.request().body);
  if (!report) return refuse(authenticated, report.error());
  executor_.on_reader(
      [mailbox = mailbox_, output = output_, in_use = in_use_, &executor = executor_, caller,
       weak = std::weak_ptr(authenticated.session), run = *run, report = *std::move(report)] {
        Result<api::OutputTaken> taken;
        if (auto const allowed = check_output(executor, caller, run, report.items); !allowed)
          taken = std::unexpected(allowed.error());
        else
          taken = take_report(output, run, report);
        mailbox->post([weak, taken = std::move(taken)] {
          auto const session = weak.lock();
          if (!session) return;
          if (!taken) return session->answer(refusal(taken.error(), session->request().id));
          session->answer({.body = reflect::to_json(*taken)});
        });
      },
      authenticated.credential);
}

}  // namespace andon::http
