#include "http/live/output_watch.hpp"

#include <algorithm>
#include <charconv>

#include "api/trouble.hpp"
#include "http/wire/address.hpp"
#include "http/wire/refusal.hpp"
#include "service/fence.hpp"
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

void append_lines(std::vector<api::OutputItem> const& items, std::string& text) {
  constexpr std::size_t kWidestStream = 6;
  for (auto const& item : items) {
    text.append(core::to_text(item.at)).append("  ").append(item.stream);
    text.append(kWidestStream + 2 - std::min(kWidestStream, item.stream.size()), ' ');
    text.append(item.text).append("\n");
  }
}

/// The log from its first page on as a file: for each line its time, its stream and its text as the agent
/// wrote it.
Response log_file(api::RunOutput* output, core::RunId run, api::OutputPage page) {
  std::string text;
  append_lines(page.items, text);
  while (page.more.value_or(false) && text.size() < kLargestLogFile) {
    auto next = output->read(run, page.next);
    if (!next || next->next == page.next) break;
    page = *std::move(next);
    append_lines(page.items, text);
  }
  if (page.more.value_or(false)) text += "… the rest of the log is left out …\n";
  Response out{.type = "text/plain; charset=utf-8", .body = std::move(text)};
  out.headers.emplace_back("Content-Disposition",
                           "attachment; filename=\"run-" + std::to_string(std::int64_t{run}) + ".log\"");
  return out;
}

/// Refuses output of a run whose claim is over, and lines that only Andon may write.
Result<void> check_output(api::LocalExecutor& executor, service::Caller const& caller, core::RunId run,
                          std::vector<api::OutputItem> const& items) {
  Result<void> out;
  try {
    executor.read(
        [&](service::OperationContext& u) {
          bool const is_runner = caller.role == service::Role::runner;
          bool const is_andon =
              caller.role >= service::Role::admin || is_runner || service::is_supervising(u);
          out = service::check_fence(u, service::Lateness::refused);
          if (out) out = service::check_incarnation(u);
          if (auto const own = service::own_run(u, run); out && is_runner && !own)
            out = std::unexpected(own.error());
          if (out) out = api::check_streams(items, is_andon);
        },
        caller);
  } catch (store::StoreError const& error) {
    return core::refuse(Code::kBusy, error.what());
  }
  return out;
}

/// Stores the report. Returns up to where there are lines now when it says where its lines belong.
Result<api::OutputTaken> take_report(api::RunOutput* output, core::RunId run,
                                     api::OutputReport const& report) try {
  if (!output) return core::refuse(Code::kRunNotFound, "this server keeps no output of runs", "id");
  if (report.since) return output->mirror(run, report);
  ANDON_CHECK(output->append(run, report.items));
  return api::OutputTaken{};
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
  auto const head = stream_head(session.request());
  auto [socket, place] = session.take();
  auto stream = std::make_shared<Stream>(std::move(socket), std::move(place), connections, limits_);
  connections.add(stream);
  stream->start(head);
  auto const watch = std::make_shared<Watch>(
      Watch{stream, authenticated.principal.caller, authenticated.credential, run, std::move(since), false});
  watches_.push_back(watch);
  revocation_.watch(stream, authenticated.credential);
  send(watch, std::move(look));
}

void OutputWatch::serve_log(AuthenticatedRequest const& authenticated, std::function<void(Response)> answer) {
  auto const& id = authenticated.request().id;
  auto const run = run_in(authenticated);
  if (!run) return answer(refusal(run.error(), id));
  executor_.on_reader(
      [&executor = executor_, output = output_, in_use = in_use_, mailbox = mailbox_, run = *run, id,
       caller = authenticated.principal.caller, answer = std::move(answer)]() mutable {
        auto first = Look::at(executor, output, caller, run, {});
        auto response =
            first.page ? log_file(output, run, *std::move(first.page)) : refusal(first.page.error(), id);
        mailbox->post([answer = std::move(answer), response = std::move(response)]() mutable {
          answer(std::move(response));
        });
      },
      authenticated.credential, api::Reading::slow);
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
  watch->is_read = false;
  auto& stream = *watch->stream;
  if (!look.page) return stream.end(sse_frame("end", "{}"));
  bool const has_more = !look.page->items.empty();
  if (has_more) {
    watch->next = look.page->next;
    std::string data = R"({"items":)";
    reflect::write_json(reflect::type_of<std::vector<api::OutputItem>>(), &look.page->items, data);
    stream.send({sse_frame("output", data + "}", watch->next)});
    if (stream.is_idle()) return read(watch);
  } else if (look.has_ended) {
    stream.end(sse_frame("end", "{}"));
  }
  plan();
}

void OutputWatch::read(std::shared_ptr<Watch> const& watch) {
  watch->is_read = true;
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
  bool const is_its_own = caller.role >= service::Role::admin || caller.role == service::Role::runner ||
                          (caller.run && caller.run->run == *run);
  if (!is_its_own)
    return refuse(authenticated, {Code::kForbidden, "a run may report only about itself", "id", {}, {}});
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
        bool const is_mirrored = report.since.has_value();
        mailbox->post([weak, is_mirrored, taken = std::move(taken)] {
          auto const session = weak.lock();
          if (!session) return;
          if (!taken) return session->answer(refusal(taken.error(), session->request().id));
          if (is_mirrored) return session->answer({.body = reflect::to_json(*taken)});
          session->answer({.status = 204});
        });
      },
      authenticated.credential);
}

}  // namespace andon::http
