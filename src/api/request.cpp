#include "api/request.hpp"

#include <algorithm>
#include <charconv>

#include "api/operation.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::api {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;
using reflect::Kind;

constexpr core::Duration kLongestWait{60'000};
/// A thousand tasks have more values than any single request.
constexpr reflect::JsonLimits kArrayLimits{64, 200'000};

reflect::Type const& plain(reflect::Type const& type) {
  return type.kind == Kind::optional ? plain(*type.element) : type;
}

std::unexpected<core::Error> wrong(std::string const& name, std::string_view wanted) {
  return core::refuse(Code::kInvalidInput, "\"" + name + "\" must be " + std::string{wanted}, name);
}

Result<json::value> value_of(reflect::Type const& type, std::string const& name, std::string const& text) {
  switch (type.kind) {
    case Kind::boolean:
      if (text.empty() || text == "true" || text == "1") return json::value(true);
      if (text == "false" || text == "0") return json::value(false);
      return wrong(name, "true or false");
    case Kind::integer: {
      std::int64_t number = 0;
      auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc{} || end != text.data() + text.size()) return wrong(name, "a whole number");
      return json::value(number);
    }
    case Kind::text: return json::value(json::string(text));
    default: return wrong(name, "given in a body");
  }
}

Result<void> append_words(reflect::Type const& element, std::string const& name, std::string_view text,
                          json::array& out) {
  while (true) {
    auto const comma = text.find(',');
    if (auto const word = text.substr(0, comma); !word.empty()) {
      ANDON_TRY(auto value, value_of(element, name, std::string{word}));
      out.push_back(std::move(value));
    }
    if (comma == std::string_view::npos) return {};
    text.remove_prefix(comma + 1);
  }
}

/// Another form of an operation on the same route.
struct Form {
  Operation const& (*of)();
  Operation const& (*becomes)();
  bool (*asked)(json::object const& request, bool is_array);
};
constexpr std::array kForms{
    Form{&row_of<&service::create_task>, &row_of<&service::create_tasks>,
         [](json::object const&, bool is_array) { return is_array; }},
    Form{&row_of<&service::pick_task>, &row_of<&service::pick_tasks>,
         [](json::object const& r, bool) { return r.contains("limit"); }},
};

Operation const& form_of(Operation const& operation, json::object const& request, bool is_array) {
  for (auto const& form : kForms)
    if (&form.of() == &operation && form.asked(request, is_array)) return form.becomes();
  return operation;
}

/// A list that is named like one thing: a body may give one text for it.
struct Single {
  Operation const& (*of)();
  std::string_view member;
};
constexpr std::array kSingles{Single{&row_of<&service::pick_task>, "status"},
                              Single{&row_of<&service::pick_tasks>, "status"}};

void wrap_singles(Operation const& operation, json::object& request) {
  for (auto const& single : kSingles) {
    auto* value = &single.of() == &operation ? request.if_contains(single.member) : nullptr;
    if (!value || !value->is_string()) continue;
    json::array list;
    list.push_back(std::move(*value));
    *value = std::move(list);
  }
}

Result<json::object> object_of_body(std::string_view body, bool is_large, bool& is_array) {
  auto const start = body.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return json::object{};
  is_array = body[start] == '[';
  ANDON_TRY(auto value,
            reflect::parse_json(body, is_array || is_large ? kArrayLimits : reflect::JsonLimits{}));
  if (is_array) return json::object{{"items", std::move(value)}};
  if (!value.is_object()) return core::refuse(Code::kInvalidInput, "the body must be a JSON object");
  return std::move(value.as_object());
}

/// Adds the fields of the path. The body may repeat them but not contradict them.
Result<void> add_path(Operation const& operation, TextPairs const& path, json::object& request) {
  for (auto const& [name, text] : path) {
    auto const* member = reflect::find_member(*operation.request, name);
    if (!member) return core::refuse(Code::kInternalError, "the path names no field of the request");
    auto value = value_of(plain(*member->type), name, text);
    if (!value) return core::refuse(Code::kNotFound, "there is no " + name + " \"" + text + "\"", name);
    if (auto const* said = request.if_contains(name); said && *said != *value)
      return core::refuse(Code::kInvalidInput, "\"" + name + "\" in the body is not the one in the path",
                          name);
    request[name] = *std::move(value);
  }
  return {};
}

}  // namespace

Result<void> set_patience(Call& call) {
  std::optional<core::Duration> wait;
  if (call.operation->request == &reflect::type_of<service::PickRequest>())
    wait = static_cast<service::PickRequest const*>(call.request.get())->wait;
  if (call.operation->request == &reflect::type_of<service::DispatchRequest>())
    wait = static_cast<service::DispatchRequest const*>(call.request.get())->wait;
  if (!wait) return {};
  if (*wait < core::Duration::zero() || *wait > kLongestWait) return wrong("wait", "from 0 to 60 seconds");
  call.patience = *wait;
  return {};
}

Result<json::object> json_of_query(reflect::Type const& request, TextPairs const& query) {
  json::object out;
  for (auto const& [name, text] : query) {
    auto const* member = reflect::find_member(request, name);
    if (!member) return core::refuse(Code::kUnknownField, "there is no parameter \"" + name + "\"", name);
    auto const& type = plain(*member->type);
    if (type.kind == Kind::list) {
      auto& list = out[name];
      if (!list.is_array()) list = json::array{};
      ANDON_CHECK(append_words(*type.element, name, text, list.as_array()));
      continue;
    }
    if (out.contains(name)) return wrong(name, "given once");
    ANDON_TRY(auto value, value_of(type, name, text));
    out[name] = std::move(value);
  }
  return out;
}

namespace {

/// The call of an operation whose body is a file: all fields stand in the path and the query.
Result<Call> call_with_file(Operation const& operation, RequestParts const& parts) {
  ANDON_TRY(auto request, json_of_query(*operation.request, parts.query));
  ANDON_CHECK(add_path(operation, parts.path, request));
  Call call;
  call.operation = &operation;
  ANDON_SET(call.request, decode(operation, request));
  operation.file.taken(call.request.get()) = parts.body;
  return call;
}

}  // namespace

Result<Call> build_call(Operation const& operation, RequestParts const& parts) {
  if (operation.file.taken) return call_with_file(operation, parts);
  bool is_array = false;
  ANDON_TRY(auto request, object_of_body(parts.body, operation.is_large, is_array));
  auto const* chosen = &form_of(operation, request, is_array);
  auto query = parts.query;
  bool const says_it_in_the_body = operation.method != Method::get && operation.method != Method::del;
  if (says_it_in_the_body && !query.empty())
    return core::refuse(Code::kUnknownField, "there is no parameter \"" + query.front().first + "\"",
                        query.front().first);
  if (auto const view = std::ranges::find(query, "view", &TextPairs::value_type::first);
      &operation == &row_of<&service::list_tasks>() && view != query.end()) {
    if (view->second != "card") return wrong("view", "card");
    query.erase(view);
    chosen = &row_of<&service::list_cards>();
  }
  if (is_array && chosen == &operation)
    return core::refuse(Code::kInvalidInput, "the body must be a JSON object");
  ANDON_TRY(auto const asked, json_of_query(*chosen->request, query));
  for (auto const& [name, value] : asked) request.insert_or_assign(name, value);
  ANDON_CHECK(add_path(*chosen, parts.path, request));
  wrap_singles(*chosen, request);
  Call call;
  call.operation = chosen;
  ANDON_SET(call.request, decode(*chosen, request));
  ANDON_CHECK(set_patience(call));
  return call;
}

}  // namespace andon::api
