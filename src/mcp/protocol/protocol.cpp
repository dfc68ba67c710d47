#include "mcp/protocol/protocol.hpp"

#include <algorithm>

#include <boost/json/serialize.hpp>

#include "mcp/protocol/input.hpp"

namespace andon::mcp {
namespace {

constexpr std::int64_t kListLifetime = 60'000;  ///< milliseconds

enum class In { both, legacy, modern };

/// One request at work.
struct Work {
  Message message;
  Era era;
  std::shared_ptr<Features> features;
  std::shared_ptr<Exchange> exchange;
  json::object const& server;  ///< name and version of this program
  StateSeal const& seal;
  Subscriptions& subscriptions;
  Timers& timers;
  os::Clock const& clock;

  json::object const& params() const { return message.params; }
  std::string text(std::string_view name) const { return std::string{text_in(params(), name)}; }
  json::object const& meta() const { return object_in(params(), "_meta"); }
};

void refuse(Respond respond, Fault why, std::string message, json::object data = {}) {
  respond(fault(why, std::move(message), std::move(data)));
}

json::object list_capability(bool is_changing) {
  return is_changing ? json::object{{"listChanged", true}} : json::object{};
}

json::object capabilities(Features const& features) {
  auto const changing = features.changing_lists();
  auto resources = list_capability(changing.resources);
  resources["subscribe"] = true;
  return {{"tools", list_capability(changing.tools)},
          {"resources", std::move(resources)},
          {"prompts", list_capability(changing.prompts)},
          {"completions", json::object{}}};
}

void initialize(Work& work, Respond respond) {
  if (auto* session = work.exchange->session()) session->begin(object_in(work.params(), "capabilities"));
  respond(json::object{{"protocolVersion", agreed_version(work.message)},
                       {"capabilities", capabilities(*work.features)},
                       {"serverInfo", work.server},
                       {"instructions", work.features->instructions()}});
}

void ping(Work&, Respond respond) { respond(json::object{}); }

void discover(Work& work, Respond respond) {
  respond(json::object{{"supportedVersions", json::array{kModernVersion}},
                       {"capabilities", capabilities(*work.features)},
                       {"instructions", work.features->instructions()}});
}

/// The purpose of the state that a client keeps between two calls: its principal and its request.
std::string purpose_of(Work const& work) {
  return work.exchange->principal() + "\n" + work.message.method + "\n" + work.text("name") + "\n" +
         json::serialize(object_in(work.params(), "arguments"));
}

/// The context of a request: all that the client sent besides the arguments.
Outcome<RequestContext> context_of(Work const& work) {
  RequestContext out{work.exchange};
  out.later = [&timers = work.timers, &clock = work.clock](core::Duration after,
                                                           std::move_only_function<void()> act) {
    timers.add(clock.uptime() + after, std::move(act));
  };
  if (auto const* token = work.meta().if_contains("progressToken"); token && !token->is_null()) {
    if (!token->is_string() && !token->is_int64() && !token->is_uint64())
      return fault(Fault::invalid_params, "\"progressToken\" must be a text or an integer");
    out.progress_token = *token;
  }
  if (work.era == Era::legacy) {
    if (auto* session = work.exchange->session()) out.capabilities = session->capabilities();
    return out;
  }
  out.capabilities = object_in(work.meta(), kCapabilitiesKey);
  if (work.params().contains("requestState")) {
    auto opened = work.seal.open(work.text("requestState"), purpose_of(work), work.clock.uptime());
    if (!opened) return std::unexpected(opened.error());
    out.inputs = std::move(opened->inputs);
    out.state = std::move(opened->state);
  }
  auto const* inputs = work.params().if_contains("inputResponses");
  if (inputs && !inputs->is_object())
    return fault(Fault::invalid_params, "\"inputResponses\" must be an object");
  for (auto const& [key, input] : object_in(work.params(), "inputResponses")) {
    if (!input.is_object())
      return fault(Fault::invalid_params, "the members of \"inputResponses\" must be objects");
    out.inputs[key] = input;
  }
  return out;
}

/// The result of a request that waits for input: what is asked, and a state for the repeated request.
Outcome<json::object> waiting_result(Work const& work, RequestContext const& context, json::object result) {
  if (auto why = fault_of_input(result, context.capabilities)) return std::unexpected(*std::move(why));
  RequestState const state{context.inputs, std::string{text_in(result, "requestState")}};
  return json::object{{"resultType", "input_required"},
                      {kInputRequests, std::move(result[kInputRequests])},
                      {"requestState", work.seal.seal(state, purpose_of(work), work.clock.uptime())}};
}

/// Answers a request that may ask for input.
void answer_with_input(Work const& work, Act act, Respond respond) {
  auto context = context_of(work);
  if (!context) return respond(std::unexpected(context.error()));
  if (work.era == Era::legacy) return answer_asking(std::move(act), *std::move(context), std::move(respond));
  auto again = *context;
  act(*std::move(context), [work, context = std::move(again),
                            respond = std::move(respond)](Outcome<json::object> outcome) mutable {
    bool const waits = outcome && outcome->contains(kInputRequests);
    respond(waits ? waiting_result(work, context, *std::move(outcome)) : std::move(outcome));
  });
}

/// Answers with a list that has one page, for which there is no cursor.
void answer_whole(Work const& work, std::string_view member, json::array list, Respond respond) {
  if (work.params().contains("cursor"))
    return refuse(std::move(respond), Fault::invalid_params, "this list has one page: leave \"cursor\" out");
  respond(json::object{{member, std::move(list)}});
}

void list_tools(Work& work, Respond respond) {
  answer_whole(work, "tools", work.features->tools(), std::move(respond));
}

void call_tool(Work& work, Respond respond) {
  auto const* arguments = work.params().if_contains("arguments");
  if (arguments && !arguments->is_object())
    return refuse(std::move(respond), Fault::invalid_params, "\"arguments\" must be an object");
  answer_with_input(
      work,
      [features = work.features, name = work.text("name"), given = object_in(work.params(), "arguments")](
          RequestContext context, Respond answer) {
        features->call_tool(name, given, std::move(context), std::move(answer));
      },
      std::move(respond));
}

void list_resources(Work& work, Respond respond) {
  work.features->list_resources(work.text("cursor"), std::move(respond));
}

void list_templates(Work& work, Respond respond) {
  answer_whole(work, "resourceTemplates", work.features->resource_templates(), std::move(respond));
}

void read_resource(Work& work, Respond respond) {
  if (work.text("uri").empty())
    return refuse(std::move(respond), Fault::invalid_params, "\"uri\" must name a resource");
  auto const era = work.era;
  auto answer = [respond = std::move(respond), era](Outcome<json::object> outcome) mutable {
    if (!outcome && outcome.error().fault == Fault::resource_not_found && era == Era::modern)
      outcome.error().fault = Fault::invalid_params;
    respond(std::move(outcome));
  };
  work.features->read_resource(work.text("uri"), std::move(answer));
}

void list_prompts(Work& work, Respond respond) {
  answer_whole(work, "prompts", work.features->prompts(), std::move(respond));
}

void get_prompt(Work& work, Respond respond) {
  answer_with_input(
      work,
      [features = work.features, name = work.text("name"), given = object_in(work.params(), "arguments")](
          RequestContext context, Respond answer) {
        features->get_prompt(name, given, std::move(context), std::move(answer));
      },
      std::move(respond));
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
  work.features->complete(std::string{subject}, std::string{text_in(argument, "name")},
                          std::string{text_in(argument, "value")}, std::move(answer));
}

/// Begins to watch a resource in the session of the client.
void watch(Work& work, Respond respond) {
  auto* session = work.exchange->session();
  auto uri = work.text("uri");
  if (!session)
    return refuse(std::move(respond), Fault::invalid_request,
                  "only a session watches resources: initialize first");
  if (uri.empty()) return refuse(std::move(respond), Fault::invalid_params, "\"uri\" must name a resource");
  if (!session->watch(std::move(uri)))
    return refuse(std::move(respond), Fault::invalid_params,
                  "a client watches at most " + std::to_string(kMostWatched) + " resources");
  respond(json::object{});
}

void unwatch(Work& work, Respond respond) {
  if (auto* session = work.exchange->session()) session->unwatch(work.text("uri"));
  respond(json::object{});
}

constexpr std::string_view kWatchedMember = "resourceSubscriptions";

/// The part of what a client asks for that it will be told of.
Outcome<Filter> filter_in(json::object const& asked, ListChanges const& changing) {
  Filter out;
  for (auto const& row : kLists) {
    auto const* wants = asked.if_contains(row.member);
    out.lists.*row.list = changing.*row.list && wants && wants->is_bool() && wants->get_bool();
  }
  auto const* uris = asked.if_contains(kWatchedMember);
  if (!uris) return out;
  auto const* list = uris->if_array();
  if (!list || list->size() > kMostWatched)
    return fault(Fault::invalid_params, "\"" + std::string{kWatchedMember} + "\" must be a list of at most " +
                                            std::to_string(kMostWatched) + " addresses");
  for (auto const& uri : *list) {
    if (!uri.is_string()) return fault(Fault::invalid_params, "an address must be a text");
    out.resources.emplace(uri.get_string().data(), uri.get_string().size());
  }
  return out;
}

json::object told(Filter const& filter) {
  json::object out;
  for (auto const& row : kLists)
    if (filter.lists.*row.list) out[row.member] = true;
  json::array uris;
  for (auto const& uri : filter.resources) uris.push_back(json::string{uri});
  if (!uris.empty()) out[kWatchedMember] = std::move(uris);
  return out;
}

json::object with_subscription(json::object params, json::value const& id) {
  params["_meta"] = json::object{{"io.modelcontextprotocol/subscriptionId", id}};
  return params;
}

/// Begins a subscription. It is acknowledged first, and told of all that changes after that. The request is
/// answered only where its transport ends the subscription.
void listen(Work& work, Respond respond) {
  auto filter = filter_in(object_in(work.params(), "notifications"), work.features->changing_lists());
  if (!filter) return respond(std::unexpected(filter.error()));
  work.features->changes_since({}, [work, filter = *std::move(filter),
                                    respond = std::move(respond)](Outcome<Changes> begin) mutable {
    if (!begin) return respond(std::unexpected(begin.error()));
    auto const& id = work.message.id;
    auto const exchange = work.exchange;
    exchange->notify("notifications/subscriptions/acknowledged",
                     with_subscription({{"notifications", told(filter)}}, id));
    work.subscriptions.add({[exchange, id](std::string_view method, json::object params, std::string const&) {
                              exchange->notify(method, with_subscription(std::move(params), id));
                            },
                            [exchange] { return !exchange->is_cancelled(); },
                            [filter = std::move(filter)] { return filter; }, work.features, begin->place});
  });
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
    MethodRow{"resources/subscribe", In::legacy, false, &watch},
    MethodRow{"resources/unsubscribe", In::legacy, false, &unwatch},
    MethodRow{"subscriptions/listen", In::modern, false, &listen},
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

/// True for a request that acts: in the legacy era it comes behind the handshake (MCP 2025-11-25, basic,
/// lifecycle). What only lists and reads is answered to clients that left the handshake out as well.
bool needs_handshake(MethodRow const& method) { return method.answer == &call_tool; }

bool has_begun(Exchange& exchange) {
  auto const* session = exchange.session();
  return session && session->has_begun();
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
  if (!result.contains("resultType")) result["resultType"] = "complete";
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

json::object end_of_subscription(json::value const& id) {
  auto out = with_subscription({}, id);
  out["resultType"] = "complete";
  return out;
}

void Protocol::step(bool has_news) {
  timers_.step(clock_.uptime());
  subscriptions_.step(has_news);
}

void Protocol::answer(Message const& message, Era era, std::shared_ptr<Features> const& features,
                      std::shared_ptr<Exchange> const& exchange, Respond respond) {
  if (era == Era::modern)
    if (auto fault = fault_of_meta(message)) return respond(std::unexpected(*std::move(fault)));
  auto const* method = method_of(message, era);
  if (!method)
    return refuse(std::move(respond), Fault::method_not_found,
                  "there is no method \"" + message.method + "\"");
  if (era == Era::legacy && needs_handshake(*method) && !has_begun(*exchange))
    return refuse(std::move(respond), Fault::invalid_request,
                  "\"" + message.method + "\" comes before the handshake; send \"initialize\" first");
  Work work{message, era, features, exchange, name_, seal_, subscriptions_, timers_, clock_};
  if (era == Era::legacy) return method->answer(work, std::move(respond));
  method->answer(
      work, [respond = std::move(respond), method, server = name_](Outcome<json::object> outcome) mutable {
        if (outcome) outcome = as_modern(*std::move(outcome), method->is_cacheable, server);
        respond(std::move(outcome));
      });
}

}  // namespace andon::mcp
