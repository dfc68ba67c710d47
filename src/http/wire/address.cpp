#include "http/wire/address.hpp"

#include <algorithm>

#include "core/text/percent.hpp"

namespace andon::http {
namespace {

std::optional<std::string> form_decoded(std::string_view text) {
  std::string spaced{text};
  std::ranges::replace(spaced, '+', ' ');
  return core::percent_decoded(spaced);
}

}  // namespace

std::optional<api::TextPairs> parse_query(std::string_view query) {
  api::TextPairs out;
  while (!query.empty()) {
    auto const end = std::min(query.find('&'), query.size());
    auto const pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    auto const equals = pair.find('=');
    auto name = form_decoded(pair.substr(0, equals));
    auto value =
        form_decoded(equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1));
    if (!name || !value) return std::nullopt;
    out.emplace_back(*std::move(name), *std::move(value));
  }
  return out;
}

std::string const* find(api::TextPairs const& pairs, std::string_view name) {
  auto const found = std::ranges::find(pairs, name, &api::TextPairs::value_type::first);
  return found == pairs.end() ? nullptr : &found->second;
}

}  // namespace andon::http
