#include "http/gateway/redaction.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"
#include "core/text/percent.hpp"
#include "reflect/json.hpp"

namespace andon::http {
namespace {

/// As in `http/options.hpp`.
constexpr std::size_t kLongestText = 2U << 20U;
constexpr reflect::JsonLimits kLimits{64, 4'000'000};

/// The text with each part between the separators cleaned; a part without a secret stays as it was sent.
std::string cleaned_parts(std::string_view text, std::string_view separators,
                          reflect::ReplaceText const& clean) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    auto const end = std::min(text.find_first_of(separators, begin), text.size());
    auto const part = std::string{text.substr(begin, end - begin)};
    auto const decoded = core::percent_decoded(part).value_or(part);
    auto const cleaned = clean(decoded);
    out += cleaned == decoded ? part : core::percent_encoded(cleaned);
    out += text.substr(end, 1);
    begin = end + 1;
  }
  return out;
}

std::string cleaned_target(std::string_view target, reflect::ReplaceText const& clean) {
  auto const query = std::min(target.find('?'), target.size());
  return cleaned_parts(target.substr(0, query), "/", clean) +
         cleaned_parts(target.substr(query), "?&=", clean);
}

std::string cleaned_body(std::string const& body, reflect::ReplaceText const& clean) {
  if (body.size() > kLongestText || body.find('\0') != std::string::npos) return body;
  auto const json = reflect::parse_json(body, kLimits);
  if (!json) return clean(body);
  auto const cleaned = reflect::with_texts_replaced(*json, clean);
  return cleaned == *json ? body : boost::json::serialize(cleaned);
}

}  // namespace

void redact(api::HttpCall& call, reflect::ReplaceText const& clean) {
  if (call.method == "GET" || call.method == "HEAD") return;
  call.target = cleaned_target(call.target, clean);
  call.body = cleaned_body(call.body, clean);
  for (auto& [name, value] : call.headers)
    if (core::ascii_lower(name) == "idempotency-key") value = clean(value);
}

}  // namespace andon::http
