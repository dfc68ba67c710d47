#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "core/error.hpp"
#include "runner/output/event.hpp"
#include "runner/output/output_rules.hpp"

namespace andon::runner {

/// The compiled rules of a profile: from one line to events. Reading never fails, whatever the line holds.
class RuleSet {
 public:
  /// Refuses rules that cannot work; the field is their path below the profile.
  static core::Result<RuleSet> compile(Output const& output);

  std::vector<Event> read(boost::json::value const& line) const;
  std::vector<Event> read(std::string_view line) const;
  /// Whether a line without a rule need not be kept.
  bool drops(boost::json::value const& line) const;
  /// Whether a line of text is to be left out: a standing warning, a line of a stack.
  bool is_noise(std::string_view line) const;

 private:
  struct Compiled;
  std::shared_ptr<Compiled const> compiled_;
};

/// The events of a report that `each_key` and `set` describe.
core::Result<std::vector<Event>> read_usage_file_events(UsageFile const& rule,
                                                        boost::json::value const& content);

}  // namespace andon::runner
