#include "mcp/protocol/message.hpp"

#include <algorithm>

#include <boost/json/serialize.hpp>

#include "reflect/json.hpp"

namespace andon::mcp {
namespace {

constexpr reflect::JsonLimits kLimits{.depth = 32, .nodes = 20'000};

constexpr reflect::JsonLimits kOwnLimits{.depth = 256, .nodes = 4'000'000};

constexpr std::array kFaults{
    FaultRow{Fault::parse_error, -32700, 400},        FaultRow{Fault::invalid_request, -32600, 400},
    FaultRow{Fault::method_not_found, -32601, 404},   FaultRow{Fault::invalid_params, -32602, 400},
    FaultRow{Fault::internal_error, -32603, 500},     FaultRow{Fault::header_mismatch, -32020, 400},
    FaultRow{Fault::missing_capability, -32021, 400}, FaultRow{Fault::unsupported_version, -32022, 400},
    FaultRow{Fault::resource_not_found, -32002, 400}, FaultRow{Fault::busy, -32000, 429},
};

bool is_id(json::value const& value) { return value.is_string() || value.is_int64() || value.is_uint64(); }

/// The answer that a message without a method holds; nothing when it holds none.
std::optional<Outcome<json::object>> answer_in(json::object const& message) {
  if (auto const* error = message.if_contains("error")) {
    auto const says = error->is_object() ? text_in(error->get_object(), "message") : std::string_view{};
    return fault(Fault::internal_error, std::string{says});
  }
  auto const* result = message.if_contains("result");
  if (!result) return std::nullopt;
  if (!result->is_object()) return fault(Fault::invalid_request, "\"result\" must be an object");
  return result->get_object();
}

}  // namespace

ProtocolError protocol_error(core::Error const& error) {
  auto const status = core::row(error.code).http;
  if (status == 404) return {Fault::resource_not_found, error.message};
  if (status == 429 || status == 503) return {Fault::busy, error.message};
  return {status < 500 ? Fault::invalid_params : Fault::internal_error, error.message};
}

FaultRow const& row(Fault fault) { return *std::ranges::find(kFaults, fault, &FaultRow::fault); }

std::string_view text_in(json::object const& object, std::string_view name) {
  auto const* value = object.if_contains(name);
  auto const* text = value ? value->if_string() : nullptr;
  return text ? std::string_view{text->data(), text->size()} : std::string_view{};
}

json::object const& object_in(json::object const& object, std::string_view name) {
  static json::object const none;
  auto const* value = object.if_contains(name);
  auto const* inner = value ? value->if_object() : nullptr;
  return inner ? *inner : none;
}

std::expected<Message, BadMessage> read_message(std::string_view text) {
  auto parsed = reflect::parse_json(text, kLimits);
  if (!parsed) return std::unexpected(BadMessage{{}, {Fault::parse_error, parsed.error().message}});
  auto* object = parsed->if_object();
  auto const bad = [&](std::string why) {
    auto const* id = object ? object->if_contains("id") : nullptr;
    return std::unexpected(
        BadMessage{id && is_id(*id) ? *id : json::value{}, {Fault::invalid_request, std::move(why)}});
  };
  if (!object) return bad("a message is one JSON object; lists of messages are not taken");
  if (text_in(*object, "jsonrpc") != "2.0") return bad("\"jsonrpc\" must be \"2.0\"");
  Message out;
  if (auto* id = object->if_contains("id")) {
    if (!is_id(*id)) return bad("\"id\" must be a text or an integer");
    out.id = *id;
  }
  auto const* method = object->if_contains("method");
  if (auto answer = method ? std::nullopt : answer_in(*object)) {
    out.answer = std::move(answer);
    return out;
  }
  if (!method || !method->is_string()) return bad("\"method\" must be a text");
  out.method = text_in(*object, "method");
  if (auto* params = object->if_contains("params")) {
    if (!params->is_object()) return bad("\"params\" must be an object");
    out.params = std::move(params->as_object());
  }
  return out;
}

Outcome<json::value> read_own(std::string_view text) {
  auto value = reflect::parse_json(text, kOwnLimits);
  if (!value) return fault(Fault::internal_error, "the answer is too large for this protocol");
  return *std::move(value);
}

std::vector<json::object> items_in(std::string_view text) {
  std::vector<json::object> out;
  auto value = read_own(text);
  auto* object = value ? value->if_object() : nullptr;
  auto* items = object ? object->if_contains("items") : nullptr;
  if (!items || !items->is_array()) return out;
  for (auto& item : items->get_array())
    if (item.is_object()) out.push_back(std::move(item.get_object()));
  return out;
}

std::string answer_text(json::value const& id, Outcome<json::object> const& outcome) {
  json::object out{{"jsonrpc", "2.0"}, {"id", id}};
  if (outcome) {
    out["result"] = *outcome;
  } else {
    auto const& error = outcome.error();
    json::object told{{"code", row(error.fault).number}, {"message", error.message}};
    if (!error.data.empty()) told["data"] = error.data;
    out["error"] = std::move(told);
  }
  return json::serialize(out);
}

std::string message_text(std::string_view method, json::object params, json::value id) {
  json::object out{{"jsonrpc", "2.0"}};
  if (!id.is_null()) out["id"] = std::move(id);
  out["method"] = json::string{method.data(), method.size()};
  out["params"] = std::move(params);
  return json::serialize(out);
}

}  // namespace andon::mcp
