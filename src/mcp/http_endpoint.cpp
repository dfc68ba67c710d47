#include "mcp/http_endpoint.hpp"

#include <algorithm>

#include "os/base64.hpp"
#include "os/random.hpp"

namespace andon::mcp {
namespace {

constexpr std::size_t kIdBytes = 24;
constexpr std::size_t kMostSessions = 4096;
constexpr std::size_t kSessionsOfACredential = 64;
constexpr core::Duration kSessionLife = std::chrono::hours{24};
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

/// The HTTP status of an answer. The older form answers errors with 200.
int status_of(Outcome<json::object> const& outcome, Era era) {
  return outcome || era == Era::legacy ? 200 : row(outcome.error().fault).http;
}

}  // namespace

HttpEndpoint::HttpEndpoint(Protocol protocol, MakeFeatures features, os::Clock const& clock)
    : protocol_(std::move(protocol)), features_(std::move(features)), clock_(clock) {}

void HttpEndpoint::serve(api::EndpointRequest request,
                         std::move_only_function<void(api::EndpointAnswer)> reply) {
  auto const session = request.header(kSessionHeader);
  if (request.method == "DELETE")
    return reply(answered(end_session(session, request.credential) ? 204 : 404));
  if (request.method != "POST") return reply({405, {}, {{"Allow", "POST, DELETE"}}});
  auto message = read_message(request.body);
  if (!message) return reply(refused(message.error().id, message.error().error, 400));
  auto const era = era_of(*message, request.header("mcp-protocol-version"));
  if (!message->is_request()) return reply(answered(202));
  if (era == Era::modern && object_in(message->params, "_meta").contains(kVersionKey))
    if (auto const why = mismatch(request, *message))
      return reply(
          refused(message->id, {Fault::header_mismatch, *why, {}}, row(Fault::header_mismatch).http));
  bool const opens = era == Era::legacy && message->method == "initialize";
  if (era == Era::legacy && !opens && !session.empty() && !has_session(session, request.credential))
    return reply(refused(message->id,
                         {Fault::invalid_request, "there is no such session; initialize again", {}}, 404));
  auto const opened = opens ? open_session(request.credential) : std::string{};
  auto features = features_(request);
  auto* const offer = features.get();
  protocol_.answer(*message, era, *offer,
                   [id = message->id, era, opened, features = std::move(features),
                    reply = std::move(reply)](Outcome<json::object> outcome) mutable {
                     auto answer = answered(status_of(outcome, era), answer_text(id, outcome));
                     if (!opened.empty()) answer.headers.emplace_back("Mcp-Session-Id", opened);
                     reply(std::move(answer));
                   });
}

std::string HttpEndpoint::open_session(std::string const& credential) {
  auto const now = clock_.uptime();
  auto const id = os::random_hex(kIdBytes);
  std::scoped_lock const lock{mutex_};
  std::erase_if(sessions_, [&](auto const& entry) { return entry.second.used + kSessionLife < now; });
  auto const is_own = [&](auto const& entry) { return entry.second.credential == credential; };
  auto const older = [](auto const& a, auto const& b) { return a.second.used < b.second.used; };
  auto own = std::ranges::count_if(sessions_, is_own);
  if (static_cast<std::size_t>(own) >= kSessionsOfACredential || sessions_.size() >= kMostSessions) {
    auto oldest = sessions_.end();
    for (auto one = sessions_.begin(); one != sessions_.end(); ++one) {
      if (static_cast<std::size_t>(own) >= kSessionsOfACredential && !is_own(*one)) continue;
      if (oldest == sessions_.end() || older(*one, *oldest)) oldest = one;
    }
    if (oldest != sessions_.end()) sessions_.erase(oldest);
  }
  sessions_[id] = {credential, now};
  return id;
}

HttpEndpoint::Sessions::iterator HttpEndpoint::find_session(std::string_view id,
                                                            std::string const& credential) {
  auto const found = sessions_.find(id);
  bool const is_own = found != sessions_.end() && found->second.credential == credential;
  return is_own ? found : sessions_.end();
}

bool HttpEndpoint::has_session(std::string_view id, std::string const& credential) {
  std::scoped_lock const lock{mutex_};
  auto const found = find_session(id, credential);
  if (found == sessions_.end()) return false;
  found->second.used = clock_.uptime();
  return true;
}

bool HttpEndpoint::end_session(std::string_view id, std::string const& credential) {
  std::scoped_lock const lock{mutex_};
  auto const found = find_session(id, credential);
  if (found == sessions_.end()) return false;
  sessions_.erase(found);
  return true;
}

}  // namespace andon::mcp
