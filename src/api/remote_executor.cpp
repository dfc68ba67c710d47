#include "api/remote_executor.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <boost/json/serialize.hpp>

#include "api/operation.hpp"
#include "core/model/task.hpp"
#include "core/text/percent.hpp"
#include "os/random.hpp"

namespace andon::api {
namespace {

namespace json = boost::json;

constexpr std::string_view kBase = "/api/v1";
constexpr std::string_view kArrayMark = "[]";
/// A page of tasks and a full batch fit; the request was already checked when it was made.
constexpr reflect::JsonLimits kLimits{64, 1'000'000};

json::object members_of(Call const& call) {
  std::string text;
  reflect::write_json(*call.operation->request, call.request.get(), text);
  auto parsed = reflect::parse_json(text, kLimits);
  return parsed && parsed->is_object() ? std::move(parsed->get_object()) : json::object{};
}

std::string text_of(json::value const& value) {
  if (auto const* text = value.if_string()) return {text->data(), text->size()};
  return json::serialize(value);
}

/// Fills `{field}` from the members and takes them out.
std::string path_of(std::string_view pattern, json::object& members) {
  if (pattern.ends_with(kArrayMark)) pattern.remove_suffix(kArrayMark.size());
  std::string out{kBase};
  while (!pattern.empty()) {
    auto const open = pattern.find('{');
    out += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    auto const close = pattern.find('}', open);
    auto const name = pattern.substr(open + 1, close - open - 1);
    if (auto const* value = members.if_contains({name.data(), name.size()}))
      out += core::percent_encoded(text_of(*value));
    members.erase({name.data(), name.size()});
    pattern.remove_prefix(close + 1);
  }
  return out;
}

HttpCall to_confirmation(std::string const& code) {
  HttpCall out;
  out.target = std::string{kBase} + "/confirmations/" + core::percent_encoded(code);
  return out;
}

void add_parameter(std::string_view name, json::value const& value, std::string& target) {
  target += target.contains('?') ? '&' : '?';
  target += core::percent_encoded(name) + '=' + core::percent_encoded(text_of(value));
}

void add_query(json::object const& members, std::string& target) {
  for (auto const& [key, value] : members) {
    std::string_view const name{key.data(), key.size()};
    if (auto const* items = value.if_array())
      for (auto const& item : *items) add_parameter(name, item, target);
    else
      add_parameter(name, value, target);
  }
}

std::string body_of(Operation const& operation, json::object const& members) {
  bool const is_array =
      operation.path.ends_with(kArrayMark) && members.size() == 1 && members.contains("items");
  if (is_array) return json::serialize(members.at("items"));
  return members.empty() && operation.method == Method::del ? std::string{} : json::serialize(members);
}

std::string_view header(HttpAnswer const& answer, std::string_view name) {
  for (auto const& [key, value] : answer.headers)
    if (key == name) return value;
  return {};
}

/// `wip=3,blocked=1` as the details and the sentence of a pick on the spot.
core::Error nothing_to_pick(std::string_view skipped) {
  core::Error error{core::Code::kNothingToPick, "no unblocked, unclaimed task to pick", {}, {}, {}};
  std::string reasons;
  while (!skipped.empty()) {
    auto const part = skipped.substr(0, skipped.find(','));
    skipped.remove_prefix(std::min(skipped.size(), part.size() + 1));
    auto const equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    auto name = std::string{part.substr(part.find_first_not_of(' '), equals - part.find_first_not_of(' '))};
    auto const count = std::strtoll(std::string{part.substr(equals + 1)}.c_str(), nullptr, 10);
    reasons += (reasons.empty() ? "; passed over: " : ", ") + std::to_string(count) + " " + name;
    error.details.emplace_back(std::move(name), std::int64_t{count});
  }
  error.message += reasons;
  return error;
}

core::Detail detail_of(json::value const& value) {
  if (auto const* n = value.if_int64()) return *n;
  auto const* items = value.if_array();
  if (!items) return text_of(value);
  std::vector<std::string> texts;
  for (auto const& item : *items) texts.push_back(text_of(item));
  return texts;
}

struct StatusRow {
  int status;
  core::Code code;
};
/// The meaning of a status without an error object, for example from a proxy.
constexpr std::array kStatuses{
    StatusRow{400, core::Code::kMalformed}, StatusRow{401, core::Code::kUnauthenticated},
    StatusRow{403, core::Code::kForbidden}, StatusRow{404, core::Code::kNotFound},
    StatusRow{413, core::Code::kTooLarge},  StatusRow{429, core::Code::kRateLimited},
    StatusRow{502, core::Code::kBusy},      StatusRow{503, core::Code::kBusy},
    StatusRow{504, core::Code::kBusy},      StatusRow{507, core::Code::kNoSpace}};

core::Code code_of_status(int status) {
  for (auto const& row : kStatuses)
    if (row.status == status) return row.code;
  return core::Code::kInternalError;
}

core::Error error_of_body(json::object const& body, int status) {
  auto const text = [&](std::string_view name) {
    auto const* value = body.if_contains({name.data(), name.size()});
    return value ? text_of(*value) : std::string{};
  };
  core::Error error{
      core::code_named(text("code")).value_or(code_of_status(status)), text("error"), text("field"), {}, {}};
  auto const* details = body.if_contains("details");
  if (!details || !details->is_object()) return error;
  // Over HTTP an address that can be no task's is one of a task that is not there.
  if (error.code == core::Code::kTaskNotFound && details->get_object().contains("input"))
    error.code = core::Code::kInvalidTaskId;
  for (auto const& [key, value] : details->get_object())
    if (!value.is_object())
      error.details.emplace_back(std::string{key.data(), key.size()}, detail_of(value));
    else if (auto task = reflect::from_json<core::Task>(value, reflect::Unknown::ignore))
      error.current = std::make_shared<core::Task const>(*std::move(task));
  return error;
}

}  // namespace

HttpCall http_call_of(Call const& call) {
  auto members = members_of(call);
  HttpCall out;
  out.method = to_text(call.operation->method);
  out.target = path_of(call.operation->path, members);
  if (call.operation->file.taken) {
    add_query(members, out.target);
    out.body = call.operation->file.taken(call.request.get());
    out.headers.emplace_back("Content-Type", "application/octet-stream");
    return out;
  }
  if (call.operation->effect == Effect::read)
    add_query(members, out.target);
  else
    out.body = body_of(*call.operation, members);
  if (!out.body.empty()) out.headers.emplace_back("Content-Type", "application/json");
  return out;
}

core::Error error_of(HttpAnswer const& answer) {
  if (answer.status == 204) return nothing_to_pick(header(answer, "andon-skipped"));
  auto const body = reflect::parse_json(answer.body, kLimits);
  if (body && body->is_object() && body->get_object().contains("error"))
    return error_of_body(body->get_object(), answer.status);
  return {code_of_status(answer.status),
          "the server answered with status " + std::to_string(answer.status),
          {},
          {},
          {}};
}

RemoteExecutor::RemoteExecutor(Transport& transport, std::string token)
    : transport_(transport), token_(std::move(token)) {}

core::Result<Answer> RemoteExecutor::run(Call call) {
  auto request = http_call_of(call);
  auto& headers = request.headers;
  if (call.operation->effect != Effect::read)
    headers.emplace_back("Idempotency-Key",
                         call.idempotency_key.empty() ? os::random_uuid() : call.idempotency_key);
  if (call.expected_rev) headers.emplace_back("If-Match", "\"" + std::to_string(*call.expected_rev) + "\"");
  if (call.caller.actor.kind != core::ActorKind::system)
    headers.emplace_back("Andon-Actor", core::to_text(call.caller.actor));
  if (call.caller.source == core::Source::cli)
    headers.emplace_back("Andon-Source", to_text(core::Source::cli));
  ANDON_TRY(auto text, ask(std::move(request)));
  if (!call.operation->file.received) return Answer{.operation = call.operation, .json = std::move(text)};
  Answer answer{.operation = call.operation, .value = call.operation->make_response()};
  call.operation->file.received(answer.value.get()) = std::move(text);
  return answer;
}

core::Result<OutputPage> RemoteExecutor::run_output(core::RunId run, std::string const& since) {
  HttpCall request;
  request.target = "/api/v1/runs/" + std::to_string(run) + "/output";
  if (!since.empty()) add_parameter("since", json::value(since), request.target);
  ANDON_TRY(auto const answer, ask(std::move(request)));
  return reflect::read_json<OutputPage>(answer);
}

core::Result<ProposalView> RemoteExecutor::proposal(std::string const& code) {
  ANDON_TRY(auto const answer, ask(to_confirmation(code)));
  return reflect::read_json<ProposalView>(answer, reflect::Unknown::ignore);
}

core::Result<ProposalView> RemoteExecutor::confirm(std::string const& code, ConfirmRequest const& request) {
  auto call = to_confirmation(code);
  call.method = "POST";
  call.headers.emplace_back("Content-Type", "application/json");
  call.body = reflect::to_json(request);
  ANDON_TRY(auto const answer, ask(std::move(call)));
  return reflect::read_json<ProposalView>(answer, reflect::Unknown::ignore);
}

core::Result<void> RemoteExecutor::follow(std::string const& board, std::string const& since,
                                          std::move_only_function<bool(std::string_view)> line) {
  HttpCall request;
  request.target = "/api/v1/events";
  add_parameter("boards", json::value(board), request.target);
  add_parameter("since", json::value(since), request.target);
  request.headers.emplace_back("Accept", "text/event-stream");
  if (!token_.empty()) request.headers.emplace_back("Authorization", "Bearer " + token_);
  return transport_.stream(request, std::move(line));
}

core::Result<std::string> RemoteExecutor::ask(HttpCall request) {
  request.headers.emplace_back("Accept", "application/json, */*;q=0.5");
  for (auto const& [name, value] : always_) request.headers.emplace_back(name, value);
  if (!token_.empty()) request.headers.emplace_back("Authorization", "Bearer " + token_);
  ANDON_TRY(auto answer, transport_.call(request));
  if (answer.status >= 200 && answer.status < 300 && answer.status != 204) return std::move(answer.body);
  return std::unexpected(error_of(answer));
}

}  // namespace andon::api
