#include "mcp/protocol/protocol.hpp"

#include <algorithm>

namespace andon::mcp {
namespace {

constexpr std::int64_t kListLifetime = 60'000;  ///< milliseconds

enum class In { both, legacy, modern };

/// One request at work.
struct Work {
  Message const& message;
  Era era;
  Features& features;
  json::object server;  ///< name and version of this program

  json::object const& params() const { return message.params; }
  std::string text(std::string_view name) const { return std::string{text_in(params(), name)}; }
};

void refuse(Respond respond, Fault why, std::string message, json::object data = {}) {
  respond(fault(why, std::move(message), std::move(data)));
}

json::object capabilities() {
  return {{"tools", json::object{}},
          {"resources", json::object{}},
          {"prompts", json::object{}},
          {"completions", json::object{}}};
}

void initialize(Work& work, Respond respond) {
  respond(json::object{{"protocolVersion", agreed_version(work.message)},
                       {"capabilities", capabilities()},
                       {"serverInfo", work.server},
                       {"instructions", work.features.instructions()}});
}

void ping(Work&, Respond respond) { respond(json::object{}); }

void discover(Work& work, Respond respond) {
  respond(json::object{{"supportedVersions", json::array{kModernVersion}},
                       {"capabilities", capabilities()},
                       {"instructions", work.features.instructions()}});
}

void list_tools(Work& work, Respond respond) { respond(json::object{{"tools", work.features.tools()}}); }

void call_tool(Work& work, Respond respond) {
  auto const* arguments = work.params().if_contains("arguments");
  if (arguments && !arguments->is_object())
    return refuse(std::move(respond), Fault::invalid_params, "\"arguments\" must be an object");
  work.features.call_tool(work.text("name"), object_in(work.params(), "arguments"), std::move(respond));
}

void list_resources(Work& work, Respond respond) {
  work.features.list_resources(work.text("cursor"), std::move(respond));
}

void list_templates(Work& work, Respond respond) {
  respond(json::object{{"resourceTemplates", work.features.resource_templates()}});
}

void read_resource(Work& work, Respond respond) {
  auto const era = work.era;
  auto answer = [respond = std::move(respond), era](Outcome<json::object> outcome) mutable {
    if (!outcome && outcome.error().fault == Fault::resource_not_found && era == Era::modern)
      outcome.error().fault = Fault::invalid_params;
    respond(std::move(outcome));
  };
  work.features.read_resource(work.text("uri"), std::move(answer));
}

void list_prompts(Work& work, Respond respond) {
  respond(json::object{{"prompts", work.features.prompts()}});
}

void get_prompt(Work& work, Respond respond) {
  work.features.get_prompt(work.text("name"), object_in(work.params(), "arguments"), std::move(respond));
}

void complete(Work& work, Respond respond) {
  auto const& about = object_in(work.params(), "ref");
  auto const& argument = object_in(work.params(), "argument");
  auto const subject = about.contains("uri") ? text_in(about, "uri") : text_in(about, "name");
  if (subject.empty() || text_in(argument, "name").empty())
    return refuse(std::move(respond), Fault::invalid_params, "\"ref\" and \"argument\" must name something");
  auto answer = [respond = std::move(respond)](Outcome<json::object> outcome) mutable {
    if (outcome) outcome = json::object{{"completion", *std::move(outcome)}};
    respond(std::move(outcome));
  };
  work.features.complete(std::string{subject}, std::string{text_in(argument, "name")},
                         std::string{text_in(argument, "value")}, std::move(answer));
}

struct MethodRow {
  std::string_view name;
  In in;
  bool is_cacheable;  ///< its answers tell for how long they hold, from 2026-07-28 on
  void (*answer)(Work&, Respond);
};
constexpr std::array kMethods{
    MethodRow{"initialize", In::legacy, false, &initialize},
    MethodRow{"ping", In::legacy, false, &ping},
    MethodRow{"server/discover", In::modern, true, &discover},
    MethodRow{"tools/list", In::both, true, &list_tools},
    MethodRow{"tools/call", In::both, false, &call_tool},
    MethodRow{"resources/list", In::both, true, &list_resources},
    MethodRow{"resources/templates/list", In::both, true, &list_templates},
    MethodRow{"resources/read", In::both, true, &read_resource},
    MethodRow{"prompts/list", In::both, true, &list_prompts},
    MethodRow{"prompts/get", In::both, false, &get_prompt},
    MethodRow{"completion/complete", In::both, false, &complete},
};

MethodRow const* method_of(Message const& message, Era era) {
  auto const found = std::ranges::find(kMethods, std::string_view{message.method}, &MethodRow::name);
  if (found == kMethods.end()) return nullptr;
  bool const is_there = found->in == In::both || (found->in == In::modern) == (era == Era::modern);
  return is_there ? &*found : nullptr;
}

/// The fault of a request of the modern form that lacks a required member; nothing when it has all.
std::optional<ProtocolError> fault_of_meta(Message const& message) {
  auto const& meta = object_in(message.params, "_meta");
  auto const version = text_in(meta, kVersionKey);
  if (version.empty())
    return ProtocolError{Fault::invalid_params, "params._meta lacks " + std::string{kVersionKey}, {}};
  if (version != kModernVersion)
    return ProtocolError{Fault::unsupported_version,
                         "the protocol version " + std::string{version} + " is not spoken here",
                         {{"supported", json::array{kModernVersion}}, {"requested", version}}};
  auto const* capabilities = meta.if_contains(kCapabilitiesKey);
  if (!capabilities || !capabilities->is_object())
    return ProtocolError{Fault::invalid_params, "params._meta lacks " + std::string{kCapabilitiesKey}, {}};
  return std::nullopt;
}

json::object as_modern(json::object result, bool is_cacheable, json::object const& server) {
  result["resultType"] = "complete";
  if (is_cacheable) {
    result["ttlMs"] = kListLifetime;
    result["cacheScope"] = "private";
  }
  result["_meta"] = json::object{{"io.modelcontextprotocol/serverInfo", server}};
  return result;
}

}  // namespace

Era era_of(Message const& message, std::string_view header) {
  bool const says = object_in(message.params, "_meta").contains(kVersionKey);
  return says || header >= kModernVersion ? Era::modern : Era::legacy;
}

std::string_view agreed_version(Message const& initialize) {
  auto const wanted = text_in(initialize.params, "protocolVersion");
  auto const found = std::ranges::find(kLegacyVersions, wanted);
  return found == kLegacyVersions.end() ? kLegacyVersions.front() : *found;
}

void Protocol::answer(Message const& message, Era era, Features& features, Respond respond) const {
  if (era == Era::modern)
    if (auto fault = fault_of_meta(message)) return respond(std::unexpected(*std::move(fault)));
  auto const* method = method_of(message, era);
  if (!method)
    return refuse(std::move(respond), Fault::method_not_found,
                  "there is no method \"" + message.method + "\"");
  json::object const server{{"name", "andon"}, {"title", "Andon"}, {"version", version_}};
  Work work{message, era, features, server};
  if (era == Era::legacy) return method->answer(work, std::move(respond));
  method->answer(work, [respond = std::move(respond), method, server](Outcome<json::object> outcome) mutable {
    if (outcome) outcome = as_modern(*std::move(outcome), method->is_cacheable, server);
    respond(std::move(outcome));
  });
}

}  // namespace andon::mcp
