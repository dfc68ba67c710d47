#include "runner/output/pointer.hpp"

#include <charconv>

namespace andon::runner {
namespace {

namespace json = boost::json;

json::value const* child(json::value const& value, std::string const& token) {
  if (auto const* object = value.if_object()) return object->if_contains(token);
  auto const* list = value.if_array();
  std::size_t index = 0;
  auto const* const end = token.data() + token.size();
  auto const parsed = std::from_chars(token.data(), end, index);
  if (!list || parsed.ec != std::errc{} || parsed.ptr != end) return nullptr;
  return list->if_contains(index);
}

std::string unescaped(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1'))
      out += token[++i] == '0' ? '~' : '/';
    else
      out += token[i];
  }
  return out;
}

}  // namespace

core::Result<Pointer> Pointer::compile(std::string_view text) {
  Pointer pointer;
  if (text == "@key") {
    pointer.is_key_ = true;
    return pointer;
  }
  if (text.starts_with('@')) {
    pointer.in_element_ = true;
    text.remove_prefix(1);
  }
  if (!text.empty() && !text.starts_with('/'))
    return core::refuse(core::Code::kInvalidInput, "must be a JSON pointer such as /a/b or @/a");
  while (!text.empty()) {
    text.remove_prefix(1);
    auto const end = text.find('/');
    pointer.tokens_.push_back(unescaped(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end);
  }
  return pointer;
}

json::value const* Pointer::find(Place const& place) const {
  json::value const* at = in_element_ ? place.element : &place.line;
  for (auto const& token : tokens_) {
    if (!at) return nullptr;
    at = child(*at, token);
  }
  return at;
}

}  // namespace andon::runner
