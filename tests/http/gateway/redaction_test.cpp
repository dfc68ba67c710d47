#include "http/gateway/redaction.hpp"

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "api/remote_executor.hpp"
#include "core/text/percent.hpp"
#include "reflect/json.hpp"

using namespace andon;

namespace {

constexpr std::string_view kSecret = "sk/of \"somebody\" 1234";

std::string cleaned(std::string_view text) {
  std::string out{text};
  for (std::size_t at = 0; (at = out.find(kSecret, at)) != std::string::npos;)
    out.replace(at, kSecret.size(), "[redacted]");
  return out;
}

void fill(reflect::Type const& type, void* object, int depth = 0) {
  using reflect::Kind;
  if (depth > 4) return;
  if (type.kind == Kind::text) (void)type.set_text(object, kSecret);
  if (type.kind == Kind::object)
    for (auto const& member : type.members()) fill(*member.type, member.at(object), depth + 1);
  if (type.kind == Kind::list) fill(*type.element, type.append(object), depth + 1);
  if (type.kind == Kind::optional) fill(*type.element, type.emplace(object), depth + 1);
  if (type.kind == Kind::map) fill(*type.element, type.insert(object, kSecret), depth + 1);
}

api::HttpCall posted(std::string body) {
  api::HttpCall call;
  call.method = "POST";
  call.target = "/api/v1/tasks";
  call.body = std::move(body);
  return call;
}

std::string body_after(std::string body) {
  auto call = posted(std::move(body));
  http::redact(call, &cleaned);
  return call.body;
}

}  // namespace

TEST_CASE("Gateway.LetsNoSecretPassInAnyWriteOfARun") {
  int changed = 0;
  for (auto const& operation : api::operations()) {
    if (operation.effect == api::Effect::read || !api::may_call(service::Role::run, operation)) continue;
    CAPTURE(operation.name);
    api::Call call;
    call.operation = &operation;
    call.request = operation.make();
    fill(*operation.request, call.request.get());
    if (operation.file.taken) operation.file.taken(call.request.get()) = kSecret;
    auto request = api::http_call_of(call);
    request.headers.emplace_back("Idempotency-Key", kSecret);
    auto const before = request;
    http::redact(request, &cleaned);
    CHECK_FALSE(core::percent_decoded(request.target).value_or("").contains(kSecret));
    for (auto const& [name, value] : request.headers) CHECK_FALSE(value.contains(kSecret));
    CHECK_FALSE(request.body.contains(kSecret));
    if (auto const json = reflect::parse_json(request.body))
      CHECK(reflect::with_texts_replaced(*json, &cleaned) == *json);
    changed += request.body != before.body || request.target != before.target ? 1 : 0;
  }
  CHECK(changed > 15);
}

TEST_CASE("Gateway.CleansTextsHoweverTheyAreEscaped") {
  CHECK(body_after(R"({"text":"a sk\/of \"some\u0062ody\" 1234 b"})") == R"({"text":"a [redacted] b"})");
  CHECK(body_after("a " + std::string{kSecret} + " b") == "a [redacted] b");
  CHECK(body_after(R"([{"method":"tools/call","params":{"sk/of \"somebody\" 1234":[1,null]}}])") ==
        R"([{"method":"tools/call","params":{"[redacted]":[1,null]}}])");
}

TEST_CASE("Gateway.SendsOnWhatHoldsNoSecretAsItCame") {
  for (std::string const body : {R"({ "b" : 1.50, "a" : "\u0041\/" })", "no { json", "", "{\"a\":1}\n"})
    CHECK(body_after(body) == body);
  std::string const file = std::string(1, '\0') + std::string{kSecret};
  CHECK(body_after(file) == file);
  api::HttpCall call = posted("{}");
  call.target = "/api/v1/tasks/1/attachments/a%2Fb%20c?sha256=&x=a+b";
  auto const target = call.target;
  http::redact(call, &cleaned);
  CHECK(call.target == target);
  call.method = "GET";
  call.target = "/api/v1/search?q=sk/of%20%22somebody%22%201234";
  auto const search = call.target;
  http::redact(call, &cleaned);
  CHECK(call.target == search);
}
