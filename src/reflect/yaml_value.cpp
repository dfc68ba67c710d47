#include <charconv>
#include <cmath>

#include "reflect/yaml.hpp"

namespace andon::reflect {
namespace {

namespace json = boost::json;

constexpr Type kAny{Kind::json, "any"};

bool is_null(YamlNode const& node) {
  return node.kind == YamlNode::Kind::scalar && node.plain &&
         (node.text.empty() || node.text == "~" || node.text == "null");
}

template <class T>
std::optional<T> number_in(std::string const& text) {
  T out{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(out)) return std::nullopt;
  return out;
}

json::value scalar_of(YamlNode const& node, Kind kind) {
  bool const any = kind == Kind::json;
  if (is_null(node)) return nullptr;
  if (!node.plain) return json::value(node.text);
  if (any || kind == Kind::boolean)
    if (node.text == "true" || node.text == "false") return node.text == "true";
  if (any || kind == Kind::integer || kind == Kind::number)
    if (auto const n = number_in<std::int64_t>(node.text)) return *n;
  if (any || kind == Kind::number)
    if (auto const n = number_in<double>(node.text)) return *n;
  return json::value(node.text);
}

Type const& member_type(Type const& type, std::string_view key) {
  if (type.kind == Kind::map) return *type.element;
  if (type.kind == Kind::object)
    for (auto const& member : type.members())
      if (member.name == key) return *member.type;
  return kAny;
}

/// Steps from a value to the one a part of a field's path names.
struct Step {
  YamlNode const* node;
  YamlPlace place;
};
std::optional<Step> step(YamlNode const& node, std::string const& part) {
  for (auto const& entry : node.entries)
    if (entry.key == part) return Step{&entry.value, entry.place};
  auto const index = number_in<std::size_t>(part);
  if (!index || *index >= node.items.size()) return std::nullopt;
  return Step{&node.items[*index], node.items[*index].place};
}

}  // namespace

json::value json_of(YamlNode const& node, Type const& type) {
  auto const* wanted = &type;
  while (wanted->kind == Kind::optional) wanted = wanted->element;
  if (node.kind == YamlNode::Kind::scalar) return scalar_of(node, wanted->kind);
  if (node.kind == YamlNode::Kind::list) {
    json::array out;
    for (auto const& item : node.items)
      out.push_back(json_of(item, wanted->kind == Kind::list ? *wanted->element : kAny));
    return out;
  }
  json::object out;
  for (auto const& entry : node.entries)
    out.emplace(entry.key, json_of(entry.value, member_type(*wanted, entry.key)));
  return out;
}

YamlPlace place_of(YamlNode const& root, std::string_view field) {
  auto const* node = &root;
  auto place = root.place;
  while (!field.empty()) {
    auto const part = field.substr(0, field.find('/'));
    field.remove_prefix(std::min(field.size(), part.size() + 1));
    auto const next = step(*node, std::string{part});
    if (!next) break;
    node = next->node;
    place = next->place;
  }
  return place;
}

}  // namespace andon::reflect
