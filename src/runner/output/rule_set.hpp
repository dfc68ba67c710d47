#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "core/error.hpp"
#include "runner/output/event.hpp"
#include "runner/output/output_rules.hpp"

namespace andon::runner {

/// The compiled rules of a profile, which turn one line into events. Reading never fails, whatever the line
/// contains.
class RuleSet {
 public:
  /// Refuses invalid rules; the field of the refusal is their path in the profile.
  static core::Result<RuleSet> compile(Output const& output);

  std::vector<Event> read(boost::json::value const& line) const;
  std::vector<Event> read(std::string_view line) const;
  /// Whether a line without a rule may be omitted.
  bool drops(boost::json::value const& line) const;
  /// Whether a text line is noise to omit, such as a constant warning or a line of a stack trace.
  bool is_noise(std::string_view line) const;

 private:
  struct Compiled;
  std::shared_ptr<Compiled const> compiled_;
};

/// The events of a usage report, by `each_key` and `set` of the rule.
core::Result<std::vector<Event>> read_usage_file_events(UsageFile const& rule,
                                                        boost::json::value const& content);

}  // namespace andon::runner
