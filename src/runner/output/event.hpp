#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "runner/output/output_rules.hpp"

namespace andon::runner {

/// One thing a program told us, in our words. Fields that were absent or null are not there.
struct Event {
  EventKind kind = EventKind::notice;
  std::map<std::string, boost::json::value, std::less<>> fields;
  std::optional<UsageScope> scope;

  boost::json::value const* field(std::string_view name) const;
  /// A text as it is, lists of text blocks joined, other values as JSON, nothing as empty.
  std::string text(std::string_view name) const;
  /// Numbers, and texts such as `412`, `2.3k` and `1M`.
  std::optional<double> number(std::string_view name) const;
  /// True for `true`, nothing where it does not say.
  std::optional<bool> flag(std::string_view name) const;
};

}  // namespace andon::runner
