#include "api/call.hpp"

#include <stdexcept>

#include "api/operation.hpp"
#include "reflect/texts.hpp"

namespace andon::api {
namespace {

/// A longer file is kept as it is.
constexpr std::size_t kLongestTextFile = 2U << 20U;

}  // namespace

std::string Answer::text() const {
  if (!value) return json;
  std::string out;
  reflect::write_json(*operation->response, value.get(), out);
  return out;
}

core::Result<void> Answer::read() {
  if (value) return {};
  ANDON_TRY(auto const parsed, reflect::parse_json(json, kAnswerLimits));
  auto response = operation->make_response();
  ANDON_CHECK(reflect::from_json(*operation->response, response.get(), parsed, reflect::Unknown::ignore));
  value = std::move(response);
  return {};
}

void Answer::expect(reflect::Type const& type) const {
  if (operation->response != &type)
    throw std::logic_error{"the answer of " + std::string{operation->name} + " has another type"};
}

std::optional<std::int64_t> Answer::number(std::string_view name) const {
  auto const* member = reflect::find_member(*operation->response, name);
  if (!member || !member->type->get_integer) return std::nullopt;
  if (value) return member->type->get_integer(member->at(value.get()));
  auto const read = reflect::parse_json(json, kAnswerLimits);
  auto const* object = read ? read->if_object() : nullptr;
  auto const* number = object ? object->if_contains(name) : nullptr;
  return number && number->is_int64() ? std::optional{number->get_int64()} : std::nullopt;
}

std::int64_t size_of(Call const& call) {
  std::string fields;
  reflect::write_json(*call.operation->request, call.request.get(), fields);
  auto const taken = call.operation->file.taken;
  return std::ssize(fields) + (taken ? std::ssize(taken(call.request.get())) : 0);
}

core::Result<void> redact(Call& call, Redact const& redact) {
  auto const& operation = *call.operation;
  if (!redact || !call.caller.run || operation.effect == Effect::read) return {};
  auto const clean = [&](std::string_view text) { return redact(call.caller.run->run, text); };
  call.idempotency_key = clean(call.idempotency_key);
  ANDON_CHECK(reflect::replace_texts(*operation.request, call.request.get(), clean));
  if (!operation.file.taken) return {};
  auto& file = operation.file.taken(call.request.get());
  if (file.size() <= kLongestTextFile && file.find('\0') == std::string::npos) file = clean(file);
  return {};
}

core::Result<Object> decode(Operation const& operation, boost::json::value const& json) {
  auto request = operation.make();
  ANDON_CHECK(reflect::from_json(*operation.request, request.get(), json));
  return request;
}

}  // namespace andon::api
