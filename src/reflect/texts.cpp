#include "reflect/texts.hpp"

#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace andon::reflect {
namespace {

namespace json = boost::json;

core::Result<void> replace_in(Type const& type, void* object, ReplaceText const& replace,
                              std::string_view field);

core::Result<void> replace_text(Type const& type, void* object, ReplaceText const& replace,
                                std::string_view field) {
  auto const text = type.get_text(object);
  if (text.empty()) return {};
  auto const replaced = replace(text);
  if (replaced == text || type.set_text(object, replaced)) return {};
  return core::refuse(core::Code::kInvalidInput, "\"" + std::string{field} + "\" holds a secret",
                      std::string{field});
}

core::Result<void> replace_in_map(Type const& type, void* object, ReplaceText const& replace,
                                  std::string_view field) {
  std::vector<std::string> keys;
  type.each(object, &keys, [](void* context, std::string_view key, void const*) {
    static_cast<std::vector<std::string>*>(context)->emplace_back(key);
  });
  for (auto const& key : keys) {
    if (replace(key) != key)
      return core::refuse(core::Code::kInvalidInput,
                          "a name in \"" + std::string{field} + "\" holds a secret", std::string{field});
    ANDON_CHECK(replace_in(*type.element, type.insert(object, key), replace, field));
  }
  return {};
}

core::Result<void> replace_in(Type const& type, void* object, ReplaceText const& replace,
                              std::string_view field) {
  switch (type.kind) {
    case Kind::text: return replace_text(type, object, replace, field);
    case Kind::map: return replace_in_map(type, object, replace, field);
    case Kind::object:
      for (auto const& member : type.members())
        ANDON_CHECK(replace_in(*member.type, member.at(object), replace, member.name));
      return {};
    case Kind::list:
      for (std::size_t i = 0; i < type.size(object); ++i)
        ANDON_CHECK(replace_in(*type.element, type.element_at(object, i), replace, field));
      return {};
    case Kind::optional:
      // The value is a part of the object, which may be changed.
      if (auto* value =
              const_cast<void*>(type.value(object)))  // NOLINT(cppcoreguidelines-pro-type-const-cast)
        return replace_in(*type.element, value, replace, field);
      return {};
    case Kind::json: {
      auto& value = *static_cast<json::value*>(object);
      value = with_texts_replaced(std::move(value), replace);
      return {};
    }
    case Kind::boolean:
    case Kind::integer:
    case Kind::number: return {};
  }
  return {};
}

}  // namespace

json::value with_texts_replaced(json::value value, ReplaceText const& replace) {
  if (auto const* text = value.if_string()) return json::value(replace({text->data(), text->size()}));
  if (auto* list = value.if_array())
    for (auto& item : *list) item = with_texts_replaced(std::move(item), replace);
  if (auto* object = value.if_object()) {
    json::object out;
    for (auto& [name, member] : *object) {
      auto const key = replace({name.data(), name.size()});
      out.insert_or_assign(key, with_texts_replaced(std::move(member), replace));
    }
    return out;
  }
  return value;
}

core::Result<void> replace_texts(Type const& type, void* object, ReplaceText const& replace) {
  return replace_in(type, object, replace, type.name);
}

}  // namespace andon::reflect
