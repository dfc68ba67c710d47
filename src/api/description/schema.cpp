#include "api/description/schema.hpp"

#include <algorithm>

#include <boost/json/array.hpp>

namespace andon::api {
namespace {

namespace json = boost::json;
using reflect::Kind;

using Path = std::vector<reflect::Type const*>;

json::object schema(reflect::Type const& type, SchemaFor use, std::vector<std::string_view> const& but,
                    Path& path);

json::object text_schema(reflect::Type const& type) {
  json::object out{{"type", "string"}};
  if (type.accepts_integer) out["type"] = json::array{"string", "integer"};
  if (!type.choices.empty()) {
    json::array choices;
    for (auto const choice : type.choices) choices.push_back(json_text(choice));
    out["enum"] = std::move(choices);
  }
  if (type.name == "date" || type.name == "date-time") out["format"] = json_text(type.name);
  return out;
}

/// True for a value of which no form counts as empty, so that `reflect::write_json` never leaves it out.
bool is_never_empty(reflect::Type const& type) {
  bool const is_one_of_many = type.kind == Kind::text && !type.size;  // a word of a list, a time
  return type.kind == Kind::boolean || type.kind == Kind::integer || type.kind == Kind::number ||
         type.kind == Kind::object || is_one_of_many;
}

bool is_required(reflect::Member const& member, SchemaFor use) {
  if (member.presence == core::required) return true;
  if (use == SchemaFor::request) return false;
  switch (member.presence) {
    case core::Presence::or_null: return true;
    case core::Presence::always: return member.type->kind != Kind::optional;
    case core::Presence::set_only: return false;
    default: return is_never_empty(*member.type);
  }
}

json::object object_schema(reflect::Type const& type, SchemaFor use, std::vector<std::string_view> const& but,
                           Path& path) {
  json::object out{{"type", "object"}};
  if (std::ranges::find(path, &type) != path.end()) return out;
  path.push_back(&type);
  json::object members;
  json::array required;
  for (auto const& member : type.members()) {
    if (std::ranges::find(but, member.name) != but.end()) continue;
    auto one = schema(*member.type, use, {}, path);
    if (member.presence == core::or_null) one["type"] = json::array{one.at("type"), "null"};
    if (!member.help.empty()) one["description"] = json_text(member.help);
    members[json_text(member.name)] = std::move(one);
    if (is_required(member, use)) required.push_back(json_text(member.name));
  }
  path.pop_back();
  out["properties"] = std::move(members);
  if (!required.empty()) out["required"] = std::move(required);
  if (use == SchemaFor::request) out["additionalProperties"] = false;
  return out;
}

/// A value that may be left out. In a request, one that may be nothing besides is cleared by null.
json::object optional_schema(reflect::Type const& type, SchemaFor use, Path& path) {
  auto out = schema(type, use, {}, path);
  if (use == SchemaFor::response || type.kind != Kind::optional) return out;
  if (auto* const types = out["type"].if_array())
    types->push_back("null");
  else
    out["type"] = json::array{out["type"], "null"};
  return out;
}

json::object schema(reflect::Type const& type, SchemaFor use, std::vector<std::string_view> const& but,
                    Path& path) {
  switch (type.kind) {
    case Kind::boolean: return {{"type", "boolean"}};
    case Kind::integer: return {{"type", "integer"}};
    case Kind::number: return {{"type", "number"}};
    case Kind::text: return text_schema(type);
    case Kind::object: return object_schema(type, use, but, path);
    case Kind::list: return {{"type", "array"}, {"items", schema(*type.element, use, {}, path)}};
    case Kind::map:
      return {{"type", "object"}, {"additionalProperties", schema(*type.element, use, {}, path)}};
    case Kind::optional: return optional_schema(*type.element, use, path);
    case Kind::json: break;
  }
  return {};
}

}  // namespace

json::string json_text(std::string_view words) { return json::string{words.data(), words.size()}; }

json::object schema_of(reflect::Type const& type, SchemaFor use, std::vector<std::string_view> const& but) {
  Path path;
  return schema(type, use, but, path);
}

}  // namespace andon::api
