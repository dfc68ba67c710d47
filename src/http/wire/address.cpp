#include "http/wire/address.hpp"

#include <algorithm>

#include "core/text/names.hpp"

namespace andon::http {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> form_decoded(std::string_view text) {
  std::string spaced{text};
  std::ranges::replace(spaced, '+', ' ');
  return percent_decoded(spaced);
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    int const high = i + 2 < text.size() ? digit(text[i + 1]) : -1;
    int const low = i + 2 < text.size() ? digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    auto const byte = static_cast<unsigned char>(high * 16 + low);
    if (byte < 0x20 || byte == 0x7F) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return core::is_utf8(out) ? std::optional{std::move(out)} : std::nullopt;
}

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
