#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "runner/output/output_rules.hpp"

namespace andon::runner {

/// One event from a program's output, in Andon's terms. A field that was absent or null is not in `fields`.
struct Event {
  EventKind kind = EventKind::notice;
  std::map<std::string, boost::json::value, std::less<>> fields;
  std::optional<UsageScope> scope;

  boost::json::value const* field(std::string_view name) const;
  /// A text unchanged, a list of text blocks joined, another value as JSON, and a missing field as empty.
  std::string text(std::string_view name) const;
  /// A number, or a text such as `412`, `2.3k` and `1M`.
  std::optional<double> number(std::string_view name) const;
  /// The boolean value of a field; nothing when it is missing.
  std::optional<bool> flag(std::string_view name) const;
};

}  // namespace andon::runner
