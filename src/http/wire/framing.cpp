#include "http/wire/framing.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/text/ascii.hpp"
#include "core/text/percent.hpp"
#include "http/wire/address.hpp"

namespace andon::http {
namespace {

using core::Code;
using core::Error;

constexpr std::array<std::string_view, 13> kOnce{
    "host",   "content-length", "transfer-encoding", "content-type",    "content-encoding", "authorization",
    "origin", "if-match",       "if-none-match",     "idempotency-key", "last-event-id",    "andon-actor",
    "expect"};

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    bool const letter = core::is_ascii_alphanumeric(c);
    return letter || kMarks.find(c) != std::string_view::npos;
  });
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    auto const u = static_cast<unsigned char>(c);
    return (u < 0x20 && c != '\t') || u == 0x7F;
  });
}

std::optional<Error> fault_of_target(std::string_view line, Limits const& limits) {
  auto const first = line.find(' ');
  auto const last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return malformed("the request line is not complete");
  auto const target = line.substr(first + 1, last - first - 1);
  if (target.size() > limits.target) return Error{Code::kUriTooLong, "the address is too long", {}, {}, {}};
  bool const plain = std::ranges::all_of(target, [](char c) { return c > 0x20 && c < 0x7F; });
  if (!plain || target.find('#') != std::string_view::npos)
    return malformed("the address holds characters it may not");
  if (!target.starts_with('/') && target != "*") return malformed("the address must begin with a slash");
  if (!core::percent_decoded(target.substr(0, target.find('?'))))
    return malformed("the address is not encoded properly");
  return std::nullopt;
}

}  // namespace

core::Error malformed(std::string message) { return {Code::kMalformed, std::move(message), {}, {}, {}}; }

std::optional<Error> fault_of_head(std::string_view head, Limits const& limits) {
  std::array<int, kOnce.size()> seen{};
  std::size_t fields = 0;
  for (bool is_first = true; !head.empty(); is_first = false) {
    auto const end = head.find("\r\n");
    if (end == std::string_view::npos) return malformed("a line of the head does not end in CR LF");
    auto const line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (line.empty()) break;
    if (has_control(line)) return malformed("the head holds control characters");
    if (is_first) {
      if (auto fault = fault_of_target(line, limits)) return fault;
      continue;
    }
    if (line.front() == ' ' || line.front() == '\t') return malformed("a header line is folded");
    auto const colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
      return malformed("a header line has no valid name");
    if (++fields > limits.fields)
      return Error{Code::kHeadTooLarge, "the request has too many header fields", {}, {}, {}};
    auto const once = std::ranges::find(kOnce, core::ascii_lower(line.substr(0, colon)));
    if (once != kOnce.end() && ++seen[static_cast<std::size_t>(once - kOnce.begin())] > 1)
      return malformed("the header " + std::string{*once} + " stands twice");
    if (once == kOnce.begin() + 1 && line.find(',', colon) != std::string_view::npos)
      return malformed("the request gives its length in two ways");
  }
  if (seen[0] == 0) return malformed("the header host is missing");
  if (seen[1] != 0 && seen[2] != 0) return malformed("the request gives its length in two ways");
  return std::nullopt;
}

Error fault_of_long_head(std::string_view begin, Limits const& limits) {
  if (begin.substr(0, begin.find("\r\n")).size() > limits.target)
    return {Code::kUriTooLong, "the address is too long", {}, {}, {}};
  return {Code::kHeadTooLarge, "the head of the request is too large", {}, {}, {}};
}

}  // namespace andon::http
