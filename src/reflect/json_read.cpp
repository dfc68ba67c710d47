#include <string>

#include "reflect/json.hpp"

namespace andon::reflect {
namespace {

namespace json = boost::json;
using core::Code;
using core::Error;
using core::Result;

/// The codec's position in the text; its parts are joined only for a refusal.
struct Path {
  Path const* up = nullptr;
  std::string_view name{};
  std::size_t index = 0;

  std::string text() const {
    if (!up) return {};
    auto const above = up->text();
    auto const here = name.data() ? std::string{name} : std::to_string(index);
    return above.empty() ? here : above + "/" + here;
  }
};

std::string_view kind_name(json::value const& value) {
  switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a boolean";
    case json::kind::string: return "a text";
    case json::kind::array: return "a list";
    case json::kind::object: return "an object";
    default: return "a number";
  }
}

std::unexpected<Error> wrong(Path const& path, std::string_view wanted, json::value const& value) {
  auto const field = path.text();
  return core::refuse(Code::kInvalidInput,
                      (field.empty() ? "the value" : "\"" + field + "\"") + " must be " +
                          std::string{wanted} + ", not " + std::string{kind_name(value)},
                      field);
}

Result<void> read(Type const& type, void* object, json::value const& value, Path const& path,
                  Unknown unknown);

std::string form_of(Type const& type) {
  if (type.choices.empty()) return std::string{type.form};
  std::string out = "one of";
  for (auto const word : type.choices) out.append(" ").append(word);
  return out;
}

Result<void> read_text(Type const& type, void* object, json::value const& value, Path const& path) {
  if (auto const* n = value.if_int64(); n && type.accepts_integer) {
    if (type.set_text(object, std::to_string(*n))) return {};
  }
  auto const* text = value.if_string();
  if (!text) return wrong(path, form_of(type), value);
  if (type.set_text(object, {text->data(), text->size()})) return {};
  auto const field = path.text();
  auto message = "\"" + field + "\" must be " + form_of(type);
  std::vector<std::string> allowed(type.choices.begin(), type.choices.end());
  // A date that is none has a code of its own, whichever interface it came through.
  bool const is_date = type.name == "date";
  Error error{is_date ? Code::kInvalidDate : Code::kInvalidInput, std::move(message), field, {}, {}};
  if (is_date)
    return core::refuse(
        std::move(error).with("field", field).with("input", std::string{text->data(), text->size()}));
  if (!allowed.empty()) return core::refuse(std::move(error).with("allowed", std::move(allowed)));
  return core::refuse(std::move(error));
}

Result<void> read_integer(Type const& type, void* object, json::value const& value, Path const& path) {
  auto const* n = value.if_int64();
  if (value.is_double())
    return core::refuse(Code::kInvalidInput, "\"" + path.text() + "\" must be a whole number", path.text());
  if (!value.is_number()) return wrong(path, "a whole number", value);
  if (!n || !type.set_integer(object, *n))
    return core::refuse(Code::kInvalidInput, "\"" + path.text() + "\" is out of range", path.text());
  return {};
}

Result<void> read_number(void* object, json::value const& value, Path const& path) {
  if (!value.is_number()) return wrong(path, "a number", value);
  *static_cast<double*>(object) = value.to_number<double>();
  return {};
}

Result<void> read_object(Type const& type, void* object, json::value const& value, Path const& path,
                         Unknown unknown) {
  auto const* members = value.if_object();
  if (!members) return wrong(path, "an object", value);
  std::size_t known = 0;
  for (auto const& member : type.members()) {
    auto const* found = members->if_contains({member.name.data(), member.name.size()});
    Path const here{&path, member.name};
    if (!found) {
      if (member.presence == core::required)
        return core::refuse(Code::kInvalidInput, "\"" + here.text() + "\" is missing", here.text());
      continue;
    }
    ++known;
    ANDON_CHECK(read(*member.type, member.at(object), *found, here, unknown));
  }
  if (unknown == Unknown::ignore || known == members->size()) return {};
  for (auto const& [key, ignored] : *members) {
    bool is_known = false;
    for (auto const& member : type.members())
      is_known = is_known || std::string_view{key.data(), key.size()} == member.name;
    Path const here{&path, {key.data(), key.size()}};
    if (!is_known)
      return core::refuse(Code::kUnknownField, "there is no field \"" + here.text() + "\"", here.text());
  }
  return {};
}

Result<void> read_list(Type const& type, void* object, json::value const& value, Path const& path,
                       Unknown unknown) {
  auto const* items = value.if_array();
  if (!items) return wrong(path, "a list", value);
  type.clear(object);
  std::size_t index = 0;
  for (auto const& item : *items) {
    Path const here{&path, {}, index++};
    ANDON_CHECK(read(*type.element, type.append(object), item, here, unknown));
  }
  return {};
}

Result<void> read_map(Type const& type, void* object, json::value const& value, Path const& path,
                      Unknown unknown) {
  auto const* members = value.if_object();
  if (!members) return wrong(path, "an object", value);
  type.clear(object);
  for (auto const& [key, item] : *members) {
    std::string_view const name{key.data(), key.size()};
    ANDON_CHECK(read(*type.element, type.insert(object, name), item, Path{&path, name}, unknown));
  }
  return {};
}

Result<void> read(Type const& type, void* object, json::value const& value, Path const& path,
                  Unknown unknown) {
  switch (type.kind) {
    case Kind::boolean:
      if (!value.is_bool()) return wrong(path, "true or false", value);
      *static_cast<bool*>(object) = value.get_bool();
      return {};
    case Kind::integer: return read_integer(type, object, value, path);
    case Kind::number: return read_number(object, value, path);
    case Kind::text: return read_text(type, object, value, path);
    case Kind::json: *static_cast<json::value*>(object) = value; return {};
    case Kind::object: return read_object(type, object, value, path, unknown);
    case Kind::list: return read_list(type, object, value, path, unknown);
    case Kind::map: return read_map(type, object, value, path, unknown);
    case Kind::optional:
      if (value.is_null() && type.element->kind != Kind::optional) {
        type.clear(object);
        return {};
      }
      return read(*type.element, type.emplace(object), value, path, unknown);
  }
  return {};
}

Result<void> check(Type const& type, json::value const& value, Path const& path);

bool is_always_there(Member const& member) {
  return member.presence == core::always || member.presence == core::required;
}

Result<void> check_object(Type const& type, json::value const& value, Path const& path) {
  auto const* members = value.if_object();
  if (!members) return wrong(path, "an object", value);
  bool is_named = false;
  for (auto const& member : type.members()) {
    auto const* found = members->if_contains({member.name.data(), member.name.size()});
    Path const here{&path, member.name};
    if (!found && !is_named && is_always_there(member))
      return core::refuse(Code::kInvalidInput, "\"" + here.text() + "\" is missing", here.text());
    is_named = is_named || is_always_there(member);
    if (found) ANDON_CHECK(check(*member.type, *found, here));
  }
  return {};
}

Result<void> check_list(Type const& type, json::value const& value, Path const& path) {
  auto const* items = value.if_array();
  if (!items) return wrong(path, "a list", value);
  std::size_t index = 0;
  for (auto const& item : *items) ANDON_CHECK(check(*type.element, item, Path{&path, {}, index++}));
  return {};
}

Result<void> check_map(Type const& type, json::value const& value, Path const& path) {
  auto const* members = value.if_object();
  if (!members) return wrong(path, "an object", value);
  for (auto const& [key, item] : *members)
    ANDON_CHECK(check(*type.element, item, Path{&path, {key.data(), key.size()}}));
  return {};
}

Result<void> check(Type const& type, json::value const& value, Path const& path) {
  switch (type.kind) {
    case Kind::boolean: return value.is_bool() ? Result<void>{} : wrong(path, "true or false", value);
    case Kind::integer: return value.is_int64() ? Result<void>{} : wrong(path, "a whole number", value);
    case Kind::number: return value.is_number() ? Result<void>{} : wrong(path, "a number", value);
    case Kind::text:
      if (value.is_string() || (value.is_int64() && type.accepts_integer)) return {};
      return wrong(path, "a text", value);
    case Kind::json: return {};
    case Kind::object: return check_object(type, value, path);
    case Kind::list: return check_list(type, value, path);
    case Kind::map: return check_map(type, value, path);
    case Kind::optional: return value.is_null() ? Result<void>{} : check(*type.element, value, path);
  }
  return {};
}

}  // namespace

Result<void> check_form(Type const& type, json::value const& value) { return check(type, value, Path{}); }

Result<void> from_json(Type const& type, void* object, json::value const& value, Unknown unknown) {
  return read(type, object, value, Path{}, unknown);
}

}  // namespace andon::reflect
