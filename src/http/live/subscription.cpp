#include <algorithm>

#include "http/live/hub.hpp"
#include "http/wire/address.hpp"
#include "http/wire/refusal.hpp"
#include "http/wire/stream_cursor.hpp"
#include "os/processes/clock.hpp"
#include "reflect/json.hpp"
#include "reflect/text.hpp"
#include "service/history/history.hpp"
#include "service/history/retention.hpp"
#include "service/insight/live.hpp"
#include "service/reference.hpp"
#include "store/contract/store_error.hpp"

// The start of a stream: its boards, its position, and whether that position can still be served.
namespace andon::http {
namespace {

using core::Code;
using core::Error;
using core::Result;

struct SubscribeRequest {
  std::vector<std::string> boards;
  std::optional<StreamCursor> since;
};

void add_words(std::string_view text, std::vector<std::string>& out) {
  while (!text.empty()) {
    auto const end = std::min(text.find(','), text.size());
    if (end != 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Result<SubscribeRequest> asked_by(Request const& request) {
  auto const query = parse_query(request.query);
  if (!query) return core::refuse(Code::kMalformed, "the query is not encoded properly");
  SubscribeRequest out;
  std::string since;
  for (auto const& [name, value] : *query) {
    if (name == "boards" || name == "board") {
      add_words(value, out.boards);
    } else if (name == "since") {
      since = value;
    } else {
      return core::refuse(Code::kUnknownField, "there is no parameter \"" + name + "\"", name);
    }
  }
  if (auto const last = request.header("Last-Event-ID"); !last.empty()) since = last;
  if (since.empty()) return out;
  out.since = parse_stream_cursor(since);
  if (!out.since) return core::refuse(Code::kMalformed, "\"since\" is not a cursor", "since");
  return out;
}

}  // namespace

struct Hub::Subscription {
  Result<std::vector<std::string>> boards;
  std::optional<StreamCursor> since;
  core::EventSeq first = 0;  ///< the position before the first event of the feed
  core::EventSeq last = 0;
};

void Hub::open(AuthenticatedRequest const& authenticated, Connections& connections) {
  auto& session = *authenticated.session;
  auto asked = asked_by(session.request());
  if (!asked) return session.answer(refusal(asked.error(), session.request().id));
  auto const of_caller = std::ranges::count(readers_, authenticated.credential, &Reader::credential);
  bool const is_run = authenticated.principal.caller.role == service::Role::run;
  if (readers_.size() >= limits_.streams ||
      (is_run && static_cast<std::size_t>(of_caller) >= limits_.streams_per_run))
    return session.answer(refusal(Error{Code::kRateLimited, "too many streams are open", {}, {}, {}}.with(
                                      "retry_after", std::int64_t{5}),
                                  session.request().id));
  // Sessions belong to the I/O thread; other threads keep only a weak pointer.
  auto without_session = authenticated;
  without_session.session.reset();
  auto const credential = authenticated.credential;
  executor_.on_reader(
      [this, &executor = executor_, mailbox = mailbox_, asked = *std::move(asked),
       weak = std::weak_ptr(authenticated.session), authenticated = std::move(without_session),
       &connections]() mutable {
        Subscription subscription{core::refuse(Code::kBusy, "the store does not answer; try again"),
                                  asked.since, 0, 0};
        try {
          executor.read(
              [&](service::OperationContext& u) {
                subscription.boards = service::boards_to_follow(u, asked.boards);
                subscription.first = service::feed_begin(u);
                subscription.last = service::feed_end(u);
              },
              authenticated.principal.caller);
        } catch (store::StoreError const&) {
          subscription.boards = core::refuse(Code::kBusy, "the store does not answer; try again");
        }
        mailbox->post([this, &connections, weak, authenticated = std::move(authenticated),
                       subscription = std::move(subscription)]() mutable {
          authenticated.session = weak.lock();
          if (authenticated.session) enter(authenticated, connections, std::move(subscription));
        });
      },
      credential);
}

void Hub::enter(AuthenticatedRequest const& authenticated, Connections& connections,
                Subscription subscription) {
  auto& session = *authenticated.session;
  if (!subscription.boards) return session.answer(refusal(subscription.boards.error(), session.request().id));
  if (session.is_closed()) return;
  auto const& origin = executor_.known_origin();
  auto const& since = subscription.since;
  std::optional<service::EventGap> gap;
  if (since)
    gap = service::gap_before(since->incarnation, since->seq,
                              {origin.incarnation, subscription.first, subscription.last});
  auto const head = stream_head(session.request());
  auto [socket, place] = session.take();
  auto stream = std::make_shared<Stream>(std::move(socket), std::move(place), connections, limits_);
  connections.add(stream);
  stream->start(head);
  ++counters_.streams_opened;
  std::string hello = R"({"epoch":)";
  reflect::write_string(origin.incarnation, hello);
  hello += R"(,"seq":)" + std::to_string(subscription.last) + R"(,"resume":")";
  hello += gap ? "snapshot" : since ? "replay" : "none";
  hello += R"(","heartbeat":)" +
           std::to_string(std::chrono::duration_cast<Seconds>(limits_.stream_heartbeat).count()) +
           R"(,"build":)";
  reflect::write_string(origin.build, hello);
  stream->send({sse_frame("hello", hello + "}")});
  if (gap) {
    ++counters_.streams_reset;
    auto const reason = reflect::TextForm<service::EventGap>::write(*gap);
    return stream->end(sse_frame("reset", R"({"reason":")" + std::string{reason} + R"("})"));
  }
  auto const position = subscription.since ? subscription.since->seq : subscription.last;
  readers_.push_back({++last_id_, stream, authenticated.credential, *std::move(subscription.boards),
                      origin.incarnation, position, position, os::SteadyClock::now(), true});
  revocation_.watch(stream, authenticated.credential);
  plan_flush();
}

}  // namespace andon::http
