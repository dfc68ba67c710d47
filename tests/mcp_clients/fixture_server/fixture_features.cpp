#include "fixture_features.hpp"

#include <algorithm>
#include <array>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/operation.hpp"

namespace andon::test {
namespace {

using namespace mcp;

/// One red pixel, and a tenth of a millisecond of silence.
constexpr char kPng[] =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
constexpr char kWav[] = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

json::object text(std::string words) { return {{"type", "text"}, {"text", std::move(words)}}; }
json::object result(json::array content) { return {{"content", std::move(content)}}; }
json::object said(std::string words) { return result({text(std::move(words))}); }
json::object image() { return {{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}; }
json::object resource(std::string uri, std::string words) {
  return {{"type", "resource"},
          {"resource",
           json::object{{"uri", std::move(uri)}, {"mimeType", "text/plain"}, {"text", std::move(words)}}}};
}

json::value parsed(char const* text) { return json::parse(text); }

json::object elicitation(std::string message, json::value schema) {
  return {{"method", "elicitation/create"},
          {"params",
           json::object{
               {"mode", "form"}, {"message", std::move(message)}, {"requestedSchema", std::move(schema)}}}};
}
json::value one_text(char const* name) {
  return json::object{{"type", "object"},
                      {"properties", json::object{{name, json::object{{"type", "string"}}}}},
                      {"required", json::array{name}}};
}
json::object sampling(std::string words, int tokens) {
  json::object const message{{"role", "user"}, {"content", text(std::move(words))}};
  return {{"method", "sampling/createMessage"},
          {"params", json::object{{"messages", json::array{message}}, {"maxTokens", tokens}}}};
}
json::object roots() { return {{"method", "roots/list"}, {"params", json::object{}}}; }

/// A result that asks for what is not among the inputs yet; nothing when all is there.
std::optional<json::object> ask(RequestContext const& context, json::object requests,
                                std::string state = {}) {
  for (auto const& [key, input] : context.inputs) requests.erase(key);
  if (requests.empty()) return std::nullopt;
  json::object out{{"inputRequests", std::move(requests)}};
  if (!state.empty()) out["requestState"] = state;
  return out;
}

std::string content_of(json::object const& inputs, std::string_view key, std::string_view name) {
  return std::string{text_in(object_in(object_in(inputs, key), "content"), name)};
}

struct Called {
  json::object const& arguments;
  RequestContext const& context;
  ListVersions& versions;
};
using Answer = Outcome<json::object>;

Answer simple_text(Called&) { return said("This is a simple text response for testing."); }
Answer image_content(Called&) { return result({image()}); }
Answer audio_content(Called&) {
  return result({json::object{{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}}});
}
Answer embedded_resource(Called&) {
  return result({resource("test://embedded-resource", "This is an embedded resource content.")});
}
Answer mixed(Called&) {
  return result({text("Multiple content types test:"), image(),
                 resource("test://mixed-content-resource", R"({"test":"data","value":123})")});
}
Answer error_handling(Called&) {
  auto out = said("This tool intentionally returns an error for testing");
  out["isError"] = true;
  return out;
}
Answer with_progress(Called& call) {
  for (double const done : {0.0, 50.0, 100.0}) call.context.progress(done, 100.0, "working");
  return said("done");
}
Answer ask_model(Called& call) {
  json::object requests{{"answer", sampling(std::string{text_in(call.arguments, "prompt")}, 100)}};
  if (auto asks = ask(call.context, std::move(requests))) return *std::move(asks);
  auto const& content = object_in(object_in(call.context.inputs, "answer"), "content");
  return said("LLM response: " + std::string{text_in(content, "text")});
}
Answer ask_person(Called& call) {
  auto const schema = parsed(R"({"type":"object","properties":{
    "username":{"type":"string","description":"User's response"},
    "email":{"type":"string","description":"User's email address"}},"required":["username","email"]})");
  auto const message = std::string{text_in(call.arguments, "message")};
  if (auto asks = ask(call.context, {{"user", elicitation(message, schema)}})) return *std::move(asks);
  return said("User response: " + json::serialize(call.context.inputs.at("user")));
}
Answer elicited(Called& call, char const* schema) {
  if (auto asks = ask(call.context, {{"form", elicitation("Please fill in", parsed(schema))}}))
    return *std::move(asks);
  auto const& form = object_in(call.context.inputs, "form");
  return said("Elicitation completed: action=" + std::string{text_in(form, "action")} +
              ", content=" + json::serialize(object_in(form, "content")));
}
Answer with_defaults(Called& call) {
  return elicited(call, R"({"type":"object","properties":{
    "name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},
    "score":{"type":"number","default":95.5},
    "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
    "verified":{"type":"boolean","default":true}}})");
}
Answer with_choices(Called& call) {
  return elicited(call, R"({"type":"object","properties":{
    "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
    "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
      {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
    "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
    "untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
    "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
      {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}})");
}
Answer needs_model(Called& call) {
  if (auto asks = ask(call.context, {{"x", sampling("x", 1)}})) return *std::move(asks);
  return said("sampled");
}
Answer streaming_elicitation(Called& call) {
  if (auto asks = ask(call.context, {{"name", elicitation("What is your name?", one_text("name"))}}))
    return *std::move(asks);
  return said("thanks");
}
Answer tools_change(Called& call) {
  ++call.versions.tools;
  return said("the list of tools changed");
}
Answer prompts_change(Called& call) {
  ++call.versions.prompts;
  return said("the list of prompts changed");
}
Answer input_elicitation(Called& call) {
  if (auto asks = ask(call.context, {{"user_name", elicitation("What is your name?", one_text("name"))}}))
    return *std::move(asks);
  return said("Hello, " + content_of(call.context.inputs, "user_name", "name") + "!");
}
Answer input_sampling(Called& call) {
  if (auto asks = ask(call.context, {{"capital_question", sampling("What is the capital of France?", 100)}}))
    return *std::move(asks);
  return said(json::serialize(call.context.inputs.at("capital_question")));
}
Answer input_roots(Called& call) {
  if (auto asks = ask(call.context, {{"client_roots", roots()}})) return *std::move(asks);
  return said(json::serialize(call.context.inputs.at("client_roots")));
}
Answer input_state(Called& call) {
  auto const schema = parsed(R"({"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]})");
  if (auto asks = ask(call.context, {{"confirm", elicitation("Please confirm", schema)}}, "asked"))
    return *std::move(asks);
  return said(call.context.state == "asked" ? "state-ok" : "no state");
}
Answer input_several(Called& call) {
  json::object requests{{"user_name", elicitation("What is your name?", one_text("name"))},
                        {"greeting", sampling("Generate a greeting", 50)},
                        {"client_roots", roots()}};
  if (auto asks = ask(call.context, std::move(requests), "several")) return *std::move(asks);
  return said("all is there");
}
Answer input_rounds(Called& call) {
  if (auto asks =
          ask(call.context, {{"step1", elicitation("Step 1: What is your name?", one_text("name"))}}, "one"))
    return *std::move(asks);
  if (auto asks =
          ask(call.context,
              {{"step2", elicitation("Step 2: What is your favorite color?", one_text("color"))}}, "two"))
    return *std::move(asks);
  return said(content_of(call.context.inputs, "step1", "name") + " likes " +
              content_of(call.context.inputs, "step2", "color"));
}
Answer input_able(Called& call) {
  json::object requests;
  if (call.context.capabilities.contains("sampling")) requests["model"] = sampling("Say something", 10);
  if (call.context.capabilities.contains("elicitation"))
    requests["person"] = elicitation("Who?", one_text("name"));
  if (auto asks = ask(call.context, std::move(requests))) return *std::move(asks);
  return said("done");
}

constexpr char kNoArguments[] = R"({"type":"object","properties":{}})";
constexpr char kSchema202012[] = R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
  "$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
  "properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
    "contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
  "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
  "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
  "then":{"required":["phone"]},"else":{"required":["email"]},
  "additionalProperties":false})";

struct ToolRow {
  char const* name;
  char const* schema;
  Answer (*answer)(Called&);
};
constexpr ToolRow kTools[]{
    {"test_simple_text", kNoArguments, &simple_text},
    {"test_image_content", kNoArguments, &image_content},
    {"test_audio_content", kNoArguments, &audio_content},
    {"test_embedded_resource", kNoArguments, &embedded_resource},
    {"test_multiple_content_types", kNoArguments, &mixed},
    {"test_error_handling", kNoArguments, &error_handling},
    {"test_tool_with_progress", kNoArguments, &with_progress},
    {"test_sampling", R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})",
     &ask_model},
    {"test_elicitation",
     R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})", &ask_person},
    {"test_elicitation_sep1034_defaults", kNoArguments, &with_defaults},
    {"test_elicitation_sep1330_enums", kNoArguments, &with_choices},
    {"json_schema_2020_12_tool", kSchema202012, &simple_text},
    {"test_missing_capability", kNoArguments, &needs_model},
    {"test_logging_tool", kNoArguments, &simple_text},
    {"test_streaming_elicitation", kNoArguments, &streaming_elicitation},
    {"test_trigger_tool_change", kNoArguments, &tools_change},
    {"test_trigger_prompt_change", kNoArguments, &prompts_change},
    {"test_input_required_result_elicitation", kNoArguments, &input_elicitation},
    {"test_input_required_result_sampling", kNoArguments, &input_sampling},
    {"test_input_required_result_list_roots", kNoArguments, &input_roots},
    {"test_input_required_result_request_state", kNoArguments, &input_state},
    {"test_input_required_result_tampered_state", kNoArguments, &input_state},
    {"test_input_required_result_multiple_inputs", kNoArguments, &input_several},
    {"test_input_required_result_multi_round", kNoArguments, &input_rounds},
    {"test_input_required_result_capabilities", kNoArguments, &input_able},
};

json::object message(json::object content) { return {{"role", "user"}, {"content", std::move(content)}}; }

Answer simple_prompt(Called&) {
  return json::object{{"messages", json::array{message(text("This is a simple prompt for testing."))}}};
}
Answer prompt_with_arguments(Called& call) {
  auto const words = "Prompt with arguments: arg1='" + std::string{text_in(call.arguments, "arg1")} +
                     "', arg2='" + std::string{text_in(call.arguments, "arg2")} + "'";
  return json::object{{"messages", json::array{message(text(words))}}};
}
Answer prompt_with_resource(Called& call) {
  auto const uri = std::string{text_in(call.arguments, "resourceUri")};
  return json::object{
      {"messages", json::array{message(resource(uri, "Embedded resource content for testing.")),
                               message(text("Please process the embedded resource above."))}}};
}
Answer prompt_with_image(Called&) {
  return json::object{
      {"messages", json::array{message(image()), message(text("Please analyze the image above."))}}};
}
Answer prompt_with_input(Called& call) {
  json::object requests{
      {"user_context", elicitation("What context should the prompt use?", one_text("context"))}};
  if (auto asks = ask(call.context, std::move(requests))) return *std::move(asks);
  return json::object{
      {"messages", json::array{message(text(content_of(call.context.inputs, "user_context", "context")))}}};
}

struct PromptRow {
  char const* name;
  std::vector<char const*> arguments;
  Answer (*answer)(Called&);
};
std::vector<PromptRow> const kPrompts{
    {"test_simple_prompt", {}, &simple_prompt},
    {"test_prompt_with_arguments", {"arg1", "arg2"}, &prompt_with_arguments},
    {"test_prompt_with_embedded_resource", {"resourceUri"}, &prompt_with_resource},
    {"test_prompt_with_image", {}, &prompt_with_image},
    {"test_input_required_result_prompt", {}, &prompt_with_input},
};

json::object entry(char const* uri, char const* name, char const* type) {
  return {{"uri", uri}, {"name", name}, {"mimeType", type}};
}

}  // namespace

json::array FixtureFeatures::tools() {
  json::array out;
  for (auto const& row : kTools)
    out.push_back(
        json::object{{"name", row.name}, {"description", "For tests."}, {"inputSchema", parsed(row.schema)}});
  return out;
}

void FixtureFeatures::call_tool(std::string const& name, json::object arguments, RequestContext context,
                                Respond respond) {
  auto const row = std::ranges::find_if(kTools, [&](ToolRow const& one) { return one.name == name; });
  if (row == std::end(kTools)) return respond(fault(Fault::invalid_params, "there is no such tool"));
  Called called{arguments, context, versions_};
  respond(row->answer(called));
}

void FixtureFeatures::list_resources(std::string const&, Respond respond) {
  respond(
      json::object{{"resources", json::array{entry("test://static-text", "Text", "text/plain"),
                                             entry("test://static-binary", "Image", "image/png"),
                                             entry("test://watched-resource", "Watched", "text/plain")}}});
}

json::array FixtureFeatures::resource_templates() {
  return {json::object{
      {"uriTemplate", "test://template/{id}/data"}, {"name", "data"}, {"mimeType", "application/json"}}};
}

void FixtureFeatures::read_resource(std::string const& uri, Respond respond) {
  constexpr std::string_view kTemplate = "test://template/";
  json::object content{{"uri", uri}, {"mimeType", "text/plain"}};
  if (uri == "test://static-text" || uri == "test://watched-resource") {
    content["text"] = "This is the content of the static text resource.";
  } else if (uri == "test://static-binary") {
    content["mimeType"] = "image/png";
    content["blob"] = kPng;
  } else if (uri.starts_with(kTemplate) && uri.ends_with("/data")) {
    auto const id = uri.substr(kTemplate.size(), uri.size() - kTemplate.size() - 5);
    content["text"] =
        json::serialize(json::object{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}});
  } else {
    return respond(fault(Fault::resource_not_found, "there is no such resource", {{"uri", uri}}));
  }
  respond(json::object{{"contents", json::array{std::move(content)}}});
}

json::array FixtureFeatures::prompts() {
  json::array out;
  for (auto const& row : kPrompts) {
    json::array arguments;
    for (auto const* name : row.arguments)
      arguments.push_back(json::object{{"name", name}, {"description", "For tests."}, {"required", true}});
    out.push_back(
        json::object{{"name", row.name}, {"description", "For tests."}, {"arguments", std::move(arguments)}});
  }
  return out;
}

void FixtureFeatures::get_prompt(std::string const& name, json::object arguments, RequestContext context,
                                 Respond respond) {
  auto const row = std::ranges::find_if(kPrompts, [&](PromptRow const& one) { return one.name == name; });
  if (row == kPrompts.end()) return respond(fault(Fault::invalid_params, "there is no such prompt"));
  Called called{arguments, context, versions_};
  respond(row->answer(called));
}

void FixtureFeatures::complete(std::string const&, std::string const&, std::string const&, Respond respond) {
  respond(json::object{{"values", json::array{"paris", "park", "party"}}, {"total", 3}, {"hasMore", false}});
}

void FixtureFeatures::changes_since(std::string const& place, TellChanges tell) {
  Changes out;
  out.place = std::to_string(versions_.tools) + "." + std::to_string(versions_.prompts);
  if (!place.empty()) {
    auto const dot = place.find('.');
    out.lists.tools = place.substr(0, dot) != std::to_string(versions_.tools);
    out.lists.prompts = place.substr(dot + 1) != std::to_string(versions_.prompts);
  }
  tell(std::move(out));
}

}  // namespace andon::test
