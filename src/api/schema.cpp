#include "api/schema.hpp"

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

bool is_required(reflect::Member const& member, SchemaFor use) {
  return member.presence == core::required ||
         (use == SchemaFor::response &&
          (member.presence == core::or_null ||
           (member.presence == core::always && member.type->kind != Kind::optional)));
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
    case Kind::optional: return schema(*type.element, use, {}, path);
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
