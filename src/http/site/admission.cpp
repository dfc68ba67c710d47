#include "http/site/admission.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "api/operation.hpp"
#include "core/text/names.hpp"
#include "http/wire/refusal.hpp"

namespace andon::http {
namespace {

using core::Code;
using core::Error;
using service::Role;

constexpr std::array<std::string_view, 7> kMethods{"GET",   "HEAD",   "POST",   "PUT",
                                                   "PATCH", "DELETE", "OPTIONS"};
constexpr std::array<std::string_view, 3> kOfRuns{"/api/v1/tasks", "/api/v1/runs", "/api/v1/pick"};
constexpr std::size_t kLongestKey = 128;
constexpr std::size_t kLongestActor = 64;

Role role_at(RequiredRole required_role) {
  if (required_role == RequiredRole::admin) return Role::admin;
  return required_role == RequiredRole::person ? Role::person : Role::run;
}

/// True for the operations of runners, and for what hands in the output of their runs.
bool is_for_runners(Route const& route) {
  if (route.operation && route.service == Service::operation)
    return api::may_call(Role::runner, *route.operation);
  return route.service == Service::run_output_report;
}

bool is_visible_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; });
}

/// Parses a revision, alone or at the begin of an ETag.
std::optional<core::Revision> rev_in(std::string_view text) {
  if (text.starts_with("W/")) text.remove_prefix(2);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  std::int64_t rev = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), rev);
  if (error != std::errc{} || (end != text.data() + text.size() && *end != '-')) return std::nullopt;
  return core::Revision{rev};
}

Error malformed(std::string message, std::string field) {
  return {Code::kMalformed, std::move(message), std::move(field), {}, {}};
}

}  // namespace

bool is_known_method(std::string_view method) {
  return std::ranges::find(kMethods, method) != kMethods.end();
}

Error unauthenticated() {
  return {
      Code::kUnauthenticated, "sign in: open the link that `andon open` prints, or send a token", {}, {}, {}};
}

Error ended_run(std::string_view path) {
  bool const on_the_board = std::ranges::any_of(kOfRuns, [&](auto root) { return path.starts_with(root); });
  if (on_the_board) return {Code::kStaleClaim, "the run of this token has ended; stop working", {}, {}, {}};
  return unauthenticated();
}

Response no_route(Match const& match, std::string const& request_id) {
  if (match.allowed.empty()) return refusal(Code::kNotFound, "there is no such route", request_id);
  std::string allow;
  for (auto const& method : match.allowed) allow += (allow.empty() ? "" : ", ") + method;
  auto out = refusal(Code::kMethodNotAllowed, "this route takes " + allow, request_id);
  out.headers.emplace_back("Allow", std::move(allow));
  return out;
}

std::optional<Error> fault_of_media(Request const& request, bool is_file) {
  auto const coding = request.header(Field::content_encoding);
  if (!coding.empty() && !beast::iequals({coding.data(), coding.size()}, "identity"))
    return Error{Code::kUnsupportedMedia, "the body must not be compressed", {}, {}, {}};
  if (is_file) return std::nullopt;
  auto type = request.header(Field::content_type);
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  if (beast::iequals({type.data(), type.size()}, "application/json")) return std::nullopt;
  return Error{Code::kUnsupportedMedia, "the body must be application/json", {}, {}, {}};
}

std::optional<Error> take_actor(Request const& request, service::Principal& principal) {
  if (principal.caller.role == Role::runner) {
    auto const text = request.header("Andon-Incarnation");
    std::from_chars(text.data(), text.data() + text.size(), principal.caller.incarnation);
  }
  // The source is a label without rights. A run is always a worker.
  if (request.header("Andon-Source") == to_text(core::Source::cli) && !principal.caller.run)
    principal.caller.source = core::Source::cli;
  auto const text = request.header("Andon-Actor");
  if (text.empty()) return std::nullopt;
  if (principal.caller.role < Role::admin)
    return Error{
        Code::kForbidden, "only the administrator may act under another name", "Andon-Actor", {}, {}};
  auto const actor = core::parse_actor(text);
  bool const is_allowed = actor &&
                          (actor->kind == core::ActorKind::user || actor->kind == core::ActorKind::worker) &&
                          actor->name.size() <= kLongestActor && !core::is_unsafe_line(actor->name);
  if (!is_allowed)
    return Error{
        Code::kInvalidInput, "\"Andon-Actor\" must be user:NAME or worker:NAME", "Andon-Actor", {}, {}};
  principal.caller.actor = *actor;
  return std::nullopt;
}

bool lacks_role(AuthenticatedRequest const& authenticated) {
  if (authenticated.principal.caller.role == Role::runner) return !is_for_runners(*authenticated.route);
  return static_cast<int>(authenticated.principal.caller.role) <
         static_cast<int>(role_at(authenticated.route->required_role));
}

std::optional<Error> take_conditions(Request const& request, api::Call& call) {
  auto const key = request.header("Idempotency-Key");
  bool const is_given = request.fields.find("Idempotency-Key") != request.fields.end();
  if (is_given && (key.empty() || key.size() > kLongestKey || !is_visible_ascii(key)))
    return malformed("\"Idempotency-Key\" must be 1 to 128 visible characters", "Idempotency-Key");
  call.idempotency_key = key;
  auto const match = request.header(Field::if_match);
  if (match.empty() || match == "*") return std::nullopt;
  call.expected_rev = rev_in(match);
  if (!call.expected_rev) return malformed("\"If-Match\" must be a revision such as \"7\"", "If-Match");
  return std::nullopt;
}

}  // namespace andon::http
