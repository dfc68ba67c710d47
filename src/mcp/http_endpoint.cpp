#include "mcp/http_endpoint.hpp"

#include <algorithm>
#include <charconv>

#include <boost/json/serialize.hpp>

#include "os/base64.hpp"

namespace andon::mcp {
namespace {

constexpr std::size_t kMostKept = 256;
constexpr char kNoSession[] = "there is no such session; initialize again";
/// Begins the ids of events that are places in the history.
constexpr char kPlaceMark[] = "@";
constexpr char kSessionHeader[] = "mcp-session-id";

/// The header that repeats a member of `params`, by method (MCP 2026-07-28, *Streamable HTTP*).
struct NameRow {
  std::string_view method;
  std::string_view member;
};
constexpr std::array kNames{NameRow{"tools/call", "name"}, NameRow{"prompts/get", "name"},
                            NameRow{"resources/read", "uri"}};

api::EndpointAnswer answered(int status, std::string body = {}) { return {status, std::move(body), {}}; }

api::EndpointAnswer refused(json::value const& id, ProtocolError error, int status) {
  return answered(status, answer_text(id, std::unexpected(std::move(error))));
}

api::EndpointAnswer too_many_streams(json::value const& id) {
  auto out = refused(id, {Fault::internal_error, "too many streams are open; close some of them"}, 429);
  out.headers.emplace_back("Retry-After", "5");
  return out;
}

/// The value of a header. One that is not plain text comes in Base64: `=?base64?…?=`.
std::string header_value(api::EndpointRequest const& request, std::string_view name) {
  constexpr std::string_view kBegin = "=?base64?";
  constexpr std::string_view kEnd = "?=";
  auto const value = request.header(name);
  if (!value.starts_with(kBegin) || !value.ends_with(kEnd) || value.size() < kBegin.size() + kEnd.size())
    return std::string{value};
  auto const inner = value.substr(kBegin.size(), value.size() - kBegin.size() - kEnd.size());
  return os::base64_decoded(inner).value_or("");
}

/// Returns a sentence when a header differs from the body. Proxies route by headers, so both must agree.
std::optional<std::string> mismatch(api::EndpointRequest const& request, Message const& message) {
  auto const differs = [](std::string_view header, std::string const& said, std::string_view meant) {
    return "the header " + std::string{header} + " is \"" + said + "\", but the body says \"" +
           std::string{meant} + "\"";
  };
  auto const version = text_in(object_in(message.params, "_meta"), kVersionKey);
  auto const told = header_value(request, "mcp-protocol-version");
  if (told != version) return differs("MCP-Protocol-Version", told, version);
  auto const method = header_value(request, "mcp-method");
  if (method != message.method) return differs("Mcp-Method", method, message.method);
  auto const row = std::ranges::find(kNames, std::string_view{message.method}, &NameRow::method);
  if (row == kNames.end()) return std::nullopt;
  auto const name = header_value(request, "mcp-name");
  auto const meant = text_in(message.params, row->member);
  return name == meant ? std::nullopt : std::optional{differs("Mcp-Name", name, meant)};
}

/// Whether a client of the older form names a version in its header that this server does not speak. The
/// first message agrees on one; 2025-03-26 had no such header, and counts for it.
bool names_unknown_version(api::EndpointRequest const& request, Message const& message) {
  auto const version = request.header("mcp-protocol-version");
  return message.method != "initialize" && !version.empty() && version != "2025-03-26" &&
         std::ranges::find(kLegacyVersions, version) == kLegacyVersions.end();
}

/// The HTTP status of an answer. The older form answers errors with 200.
int status_of(Outcome<json::object> const& outcome, Era era) {
  return outcome || era == Era::legacy ? 200 : row(outcome.error().fault).http;
}

}  // namespace

HttpEndpoint::HttpEndpoint(ServerName name, MakeFeatures features, os::Clock const& clock)
    : protocol_(std::move(name), clock), features_(std::move(features)), clock_(clock), sessions_(clock) {}

void HttpEndpoint::step(bool has_news) {
  protocol_.step(has_news);
  sessions_.step();
}

void HttpEndpoint::serve(api::EndpointRequest request, Reply reply) {
  if (request.method == "POST") return serve_post(request, std::move(reply));
  auto const session = request.header(kSessionHeader);
  if (request.method == "DELETE")
    return reply(answered(sessions_.end(session, request.credential) ? 204 : 404));
  bool const takes_stream = request.header("accept").find("text/event-stream") != std::string_view::npos;
  if (request.method != "GET" || session.empty() || !takes_stream)
    return reply({405, {}, {{"Allow", "POST, DELETE"}}});
  serve_get(request, std::move(reply));
}

/// Opens a stream of changes, or goes on with a stream that broke.
void HttpEndpoint::serve_get(api::EndpointRequest const& request, Reply reply) {
  auto const session = sessions_.find(request.header(kSessionHeader), request.credential);
  if (!session) return reply(refused({}, {Fault::invalid_request, kNoSession}, 404));
  if (!request.may_stream) return reply(too_many_streams({}));
  auto const last = request.header("last-event-id");
  if (last.starts_with(kPlaceMark))
    return listen(request, session, std::string{last.substr(1)}, std::move(reply));
  if (last.empty()) return listen(request, session, {}, std::move(reply));
  auto const dot = std::min(last.find('.'), last.size());
  std::size_t number = 0;
  auto const digits = last.substr(std::min(dot + 1, last.size()));
  auto const parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  auto const broken = parsed.ec == std::errc{} ? kept(last.substr(0, dot), *session) : nullptr;
  auto shared = std::make_shared<Reply>(std::move(reply));
  if (broken &&
      broken->resume(number, [shared](api::EndpointAnswer answer) { (*shared)(std::move(answer)); }))
    return;
  (*shared)(
      refused({}, {Fault::invalid_request, "what followed this event is not kept any more; ask again"}, 400));
}

/// Tells the session what changes after a place in the history. A session has one such stream: the newest.
void HttpEndpoint::listen(api::EndpointRequest const& request, std::shared_ptr<HttpSession> const& session,
                          std::string const& place, Reply reply) {
  std::shared_ptr const features = features_(request);
  auto const exchange =
      std::make_shared<HttpExchange>(request, session, clock_, std::move(reply),
                                     HttpExchange::Settings{.without_stream = too_many_streams({}).body});
  std::shared_ptr<HttpExchange> before;
  {
    std::scoped_lock const lock{session->mutex};
    before = session->listener.lock();
    session->listener = exchange;
  }
  if (before) before->cancel(), before->finish(200, {});
  auto const begin = [this, features, exchange, session](std::string from) {
    exchange->open();
    protocol_.subscriptions().add(
        {[exchange](std::string_view method, json::object params, std::string const& at) {
           exchange->say(message_text(method, std::move(params)), kPlaceMark + at);
         },
         [exchange] { return !exchange->is_cancelled(); },
         [features, session] { return Filter{features->changing_lists(), session->session.watched()}; },
         features, std::move(from)});
  };
  if (!place.empty()) return begin(place);
  features->changes_since({}, [begin, exchange](Outcome<Changes> changes) {
    if (changes) return begin(std::move(changes->place));
    exchange->finish(503, answer_text({}, std::unexpected(changes.error())));
  });
}

void HttpEndpoint::serve_post(api::EndpointRequest const& request, Reply reply) {
  auto message = read_message(request.body);
  if (!message) return reply(refused(message.error().id, message.error().error, 400));
  auto const era = era_of(*message, request.header("mcp-protocol-version"));
  if (era == Era::legacy && names_unknown_version(request, *message))
    return reply(refused(message->id,
                         {Fault::invalid_request,
                          "the header MCP-Protocol-Version names no version of this "
                          "server; see the answer to initialize"},
                         400));
  if (!message->is_request()) {
    take_notice(request, *std::move(message));
    return reply(answered(202));
  }
  if (era == Era::modern && object_in(message->params, "_meta").contains(kVersionKey))
    if (auto const why = mismatch(request, *message))
      return reply(refused(message->id, {Fault::header_mismatch, *why}, row(Fault::header_mismatch).http));
  serve_request(request, *message, era, std::move(reply));
}

void HttpEndpoint::serve_request(api::EndpointRequest const& request, Message const& message, Era era,
                                 Reply reply) {
  std::shared_ptr<HttpSession> session;
  std::vector<std::pair<std::string, std::string>> headers;
  HttpExchange::Settings settings;
  if (era == Era::modern && message.method == "subscriptions/listen") {
    if (!request.may_stream) return reply(too_many_streams(message.id));
    settings.farewell = answer_text(message.id, end_of_subscription(message.id));
    settings.without_stream = too_many_streams(message.id).body;
  }
  if (era == Era::legacy) {
    settings.leaving_cancels = false;
    auto const id = request.header(kSessionHeader);
    if (message.method == "initialize") {
      auto opened = sessions_.open(request.credential);
      headers.emplace_back("Mcp-Session-Id", std::move(opened.first));
      session = std::move(opened.second);
    } else if (!id.empty()) {
      session = sessions_.find(id, request.credential);
      if (!session) return reply(refused(message.id, {Fault::invalid_request, kNoSession}, 404));
    }
    if (session) settings.keep = [this](auto exchange) { return keep(std::move(exchange)); };
  }
  auto const exchange =
      std::make_shared<HttpExchange>(request, session, clock_, std::move(reply), std::move(settings));
  if (session) {
    std::scoped_lock const lock{session->mutex};
    std::erase_if(session->running, [](auto const& entry) { return entry.second.expired(); });
    session->running[json::serialize(message.id)] = exchange;
  }
  protocol_.answer(message, era, features_(request), exchange,
                   [exchange, id = message.id, era, headers](Outcome<json::object> outcome) {
                     exchange->finish(status_of(outcome, era), answer_text(id, outcome), headers);
                   });
}

/// Takes a notification or an answer of the client.
void HttpEndpoint::take_notice(api::EndpointRequest const& request, Message message) {
  auto const session = sessions_.find(request.header(kSessionHeader), request.credential);
  if (!session) return;
  if (message.answer) return session->questions.take(std::move(message));
  auto const* id = message.params.if_contains("requestId");
  if (message.method != "notifications/cancelled" || !id) return;
  std::scoped_lock const lock{session->mutex};
  auto const found = session->running.find(json::serialize(*id));
  if (found == session->running.end()) return;
  if (auto const exchange = found->second.lock()) exchange->cancel();
}

std::string HttpEndpoint::keep(std::shared_ptr<HttpExchange> exchange) {
  std::scoped_lock const lock{mutex_};
  if (kept_.size() >= kMostKept) kept_.pop_front();
  kept_.emplace_back("s" + std::to_string(++last_name_), std::move(exchange));
  return kept_.back().first;
}

std::shared_ptr<HttpExchange> HttpEndpoint::kept(std::string_view name, HttpSession const& session) {
  std::scoped_lock const lock{mutex_};
  for (auto const& [own, exchange] : kept_)
    if (own == name && exchange->http_session() == &session) return exchange;
  return nullptr;
}

}  // namespace andon::mcp
