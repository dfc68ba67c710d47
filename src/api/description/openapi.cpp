#include "api/description/openapi.hpp"

#include <algorithm>
#include <array>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "api/access/server_proof.hpp"
#include "api/agent_directory.hpp"
#include "api/description/schema.hpp"
#include "api/operation.hpp"
#include "api/proposal.hpp"
#include "api/run_output.hpp"
#include "api/sign_in_link.hpp"
#include "api/status/chat_status.hpp"
#include "api/status/readiness.hpp"
#include "core/text/ascii.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::api {
namespace {

namespace json = boost::json;

/// A route that is no row of the table.
struct Extra {
  Method method;
  std::string_view path;
  std::string_view name;
  std::string_view summary;
  int status;
  reflect::Type const* request;
  reflect::Type const* response;
};

std::vector<Extra> extras() {
  return {
      {Method::get, "/runs/{id}/output", "run_output",
       "Read what a run's agent printed; with `Accept: text/event-stream` follow it.", 200, nullptr,
       &reflect::type_of<OutputPage>()},
      {Method::post, "/runs/{id}/output", "add_run_output", "Hand in the output of a run on another host.",
       200, &reflect::type_of<OutputReport>(), &reflect::type_of<OutputTaken>()},
      {Method::get, "/runs/{id}/log", "run_log",
       "Download all that is kept of what a run's agent printed as a text file.", 200, nullptr, nullptr},
      {Method::get, "/agents", "list_agents", "List the agent programs workers can be given.", 200, nullptr,
       &reflect::type_of<Agents>()},
      {Method::get, "/telegram", "telegram_status", "Show how the bridge to Telegram does.", 200, nullptr,
       &reflect::type_of<ChatStatus>()},
      {Method::get, "/servers", "list_servers",
       "Show the servers that share the store, and whether it answers (503 when not).", 200, nullptr,
       &reflect::type_of<Readiness>()},
      {Method::post, "/proof", "prove_server",
       "Let the server prove that it knows a token, before the token is sent to it.", 200,
       &reflect::type_of<ProofRequest>(), &reflect::type_of<ServerProof>()},
      {Method::post, "/session", "sign_in", "Exchange a one-time code for the secret of a session.", 200,
       &reflect::type_of<SignInRequest>(), &reflect::type_of<PageSession>()},
      {Method::del, "/session", "sign_out", "End the session.", 204, nullptr, nullptr},
      {Method::post, "/session/phone", "offer_phone_link",
       "Make a link that signs another device in, once, with its QR code.", 201, nullptr,
       &reflect::type_of<PhoneLink>()},
      {Method::get, "/confirmations/{code}", "show_proposal",
       "Show a change that waits for its confirmation on the machine, and what it would run.", 200, nullptr,
       &reflect::type_of<ProposalView>()},
      {Method::post, "/confirmations/{code}", "confirm_proposal",
       "Make that change; only the machine's own user can, through the socket file.", 200,
       &reflect::type_of<ConfirmRequest>(), &reflect::type_of<ProposalView>()},
  };
}

std::vector<std::string_view> fields_in(std::string_view path) {
  std::vector<std::string_view> out;
  for (auto open = path.find('{'); open != std::string_view::npos; open = path.find('{', open + 1))
    out.push_back(path.substr(open + 1, path.find('}', open) - open - 1));
  return out;
}

json::object parameter(std::string_view name, std::string_view in, json::object schema, bool required) {
  json::object out{{"name", json_text(name)}, {"in", json_text(in)}, {"schema", std::move(schema)}};
  if (required) out["required"] = true;
  if (in == "query" && out["schema"].at("type") == "array") out["explode"] = false;
  return out;
}

json::object parameter_of(reflect::Member const& member, std::string_view in) {
  bool const required = in == "path" || member.presence == core::required;
  auto out = parameter(member.name, in, schema_of(*member.type, SchemaFor::request), required);
  if (!member.help.empty()) out["description"] = json_text(member.help);
  return out;
}

json::array parameters_of(Operation const& operation) {
  json::array out;
  auto const in_path = fields_in(operation.path);
  bool const reads_query =
      operation.method == Method::get || operation.method == Method::del || operation.file.taken;
  for (auto const& member : operation.request->members()) {
    bool const is_in_path = std::ranges::find(in_path, member.name) != in_path.end();
    if (is_in_path || reads_query) out.push_back(parameter_of(member, is_in_path ? "path" : "query"));
  }
  if (operation.effect != Effect::read)
    out.push_back(json::object{{"$ref", "#/components/parameters/Idempotency-Key"}});
  if (operation.method == Method::patch)
    out.push_back(json::object{{"$ref", "#/components/parameters/If-Match"}});
  return out;
}

json::object content(json::object schema) {
  return {{"content", json::object{{"application/json", json::object{{"schema", std::move(schema)}}}}}};
}

/// A file as it is, OpenAPI 3.1, section 4.8.14.
json::object file_content(std::string_view media_types) {
  return {{"content", json::object{{json_text(media_types), json::object{}}}}};
}

json::object responses(int status, json::object good, std::string_view says) {
  good["description"] = json_text(says);
  return {{std::to_string(status), std::move(good)},
          {"default", json::object{{"$ref", "#/components/responses/Refusal"}}}};
}

json::object responses(int status, reflect::Type const* type, std::string_view says) {
  return responses(status, type ? content(schema_of(*type, SchemaFor::response)) : json::object{}, says);
}

/// The row that serves the same route for several things at once; null where there is none.
Operation const* list_form_of(Operation const& operation) {
  auto const found = std::ranges::find_if(operations(), [&](Operation const& other) {
    return other.method == operation.method && other.path == std::string{operation.path} + "[]";
  });
  return found == operations().end() ? nullptr : &*found;
}

void add_alternative(json::object& content, json::object schema) {
  auto& known = content["content"].as_object()["application/json"].as_object()["schema"];
  known = json::object{{"anyOf", json::array{std::move(known), std::move(schema)}}};
}

void add_list_form(json::object& entry, Operation const& many) {
  auto& good = entry["responses"].as_object()[std::to_string(many.status)].as_object();
  add_alternative(good, schema_of(*many.response, SchemaFor::response));
  auto const& members = many.request->members();
  if (members.size() == 1)
    add_alternative(entry["requestBody"].as_object(), schema_of(*members.front().type, SchemaFor::request));
}

/// Lists of tasks are answered with cards where the query asks for these.
void add_card_form(json::object& entry) {
  json::object const view{{"type", "string"}, {"enum", json::array{"card"}}};
  entry["parameters"].as_array().push_back(parameter("view", "query", view, false));
  add_alternative(entry["responses"].as_object()["200"].as_object(),
                  schema_of(*row_of<&service::list_cards>().response, SchemaFor::response));
}

json::object entry_of(Operation const& operation) {
  json::object out{{"operationId", json_text(operation.name)}, {"summary", json_text(operation.summary)}};
  if (auto parameters = parameters_of(operation); !parameters.empty())
    out["parameters"] = std::move(parameters);
  if (operation.file.taken)
    out["requestBody"] = file_content("application/octet-stream");
  else if (operation.method != Method::get && operation.method != Method::del)
    out["requestBody"] =
        content(schema_of(*operation.request, SchemaFor::request, fields_in(operation.path)));
  out["responses"] = operation.file.given
                         ? responses(operation.status, file_content("*/*"), operation.summary)
                         : responses(operation.status, operation.response, operation.summary);
  if (auto const* many = list_form_of(operation)) add_list_form(out, *many);
  if (operation.function == of<&service::list_tasks>) add_card_form(out);
  if (operation.may_find_nothing)
    out["responses"].as_object()["204"] = json::object{{"description", "There is nothing to pick now."}};
  return out;
}

json::object entry_of(Extra const& extra) {
  json::object out{{"operationId", json_text(extra.name)}, {"summary", json_text(extra.summary)}};
  json::array parameters;
  for (auto const name : fields_in(extra.path))
    parameters.push_back(parameter(name, "path", {{"type", name == "code" ? "string" : "integer"}}, true));
  if (extra.name == "run_output")
    parameters.push_back(parameter("since", "query", {{"type", "string"}}, false));
  if (!parameters.empty()) out["parameters"] = std::move(parameters);
  if (extra.request) out["requestBody"] = content(schema_of(*extra.request, SchemaFor::request));
  out["responses"] = responses(extra.status, extra.response, extra.summary);
  return out;
}

json::object refusal_schema() {
  json::array codes;
  for (int code = 0; code <= static_cast<int>(core::Code::kInternalError); ++code)
    codes.push_back(json_text(core::row(static_cast<core::Code>(code)).name));
  json::object const words{{"type", "string"}};
  return {{"type", "object"},
          {"properties", json::object{{"error", words},
                                      {"code", json::object{{"type", "string"}, {"enum", std::move(codes)}}},
                                      {"field", words},
                                      {"details", json::object{{"type", "object"}}},
                                      {"request_id", words}}},
          {"required", json::array{"error", "code", "request_id"}}};
}

json::object components() {
  json::object const key{{"type", "string"}, {"maxLength", 128}};
  auto idempotency = parameter("Idempotency-Key", "header", key, false);
  idempotency["description"] = "A repeated request with the same key has one effect and the same answer";
  auto match = parameter("If-Match", "header", {{"type", "string"}}, false);
  match["description"] = "The revision the change is meant for, such as \"7\"";
  auto refusal = content(refusal_schema());
  refusal["description"] = "A refusal; nothing was changed";
  return {{"parameters",
           json::object{{"Idempotency-Key", std::move(idempotency)}, {"If-Match", std::move(match)}}},
          {"responses", json::object{{"Refusal", std::move(refusal)}}},
          {"securitySchemes", json::object{{"token", json::object{{"type", "http"}, {"scheme", "bearer"}}}}}};
}

std::string document() {
  json::object paths;
  auto const add = [&](Method method, std::string_view path, json::object entry) {
    auto& at = paths["/api/v1" + std::string{path}];
    if (!at.is_object()) at = json::object{};
    at.as_object()[core::ascii_lower(to_text(method))] = std::move(entry);
  };
  for (auto const& operation : operations())
    if (operation.surfaces != Surfaces::internal) add(operation.method, operation.path, entry_of(operation));
  for (auto const& extra : extras()) add(extra.method, extra.path, entry_of(extra));
  return json::serialize(json::object{
      {"openapi", "3.1.0"},
      {"info",
       json::object{{"title", "Andon"}, {"version", "1"}, {"description", "A kanban that runs itself."}}},
      {"security", json::array{json::object{{"token", json::array{}}}}},
      {"paths", std::move(paths)},
      {"components", components()}});
}

}  // namespace

std::string const& openapi_json() {
  static std::string const made = document();
  return made;
}

}  // namespace andon::api
