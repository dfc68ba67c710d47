#pragma once

#include <map>
#include <string>

#include "core/model/run.hpp"
#include "runner/output/event.hpp"

namespace andon::runner {

/// Converts a program's token numbers into Andon's: `input` with cache, `output` with reasoning, for this run
/// only.
class UsageMeter {
 public:
  /// `before`: the session's numbers at the end of its earlier runs.
  UsageMeter(UsageRule rule, core::Usage before) : rule_(std::move(rule)), before_(before) {}

  void add(Event const& event);
  bool has_any() const { return has_any_; }
  core::Usage run() const;
  /// The session's numbers so far: `before` of the next run.
  core::Usage session() const;

 private:
  core::Usage normalised(Event const& event) const;

  UsageRule rule_;
  core::Usage before_;
  core::Usage steps_;
  core::Usage seen_;                               ///< of single calls, since the last sum
  std::map<std::string, core::Usage> of_run_;      ///< the last report of each model
  std::map<std::string, core::Usage> of_session_;  ///< the last report of each model
  bool has_any_ = false;
};

}  // namespace andon::runner
