#pragma once

#include <map>
#include <string>

#include "core/model/run.hpp"
#include "runner/output/event.hpp"

namespace andon::runner {

/// Turns a program's own token numbers into ours: `input` with cache, `output` with reasoning, of this run
/// alone.
class UsageMeter {
 public:
  /// `before`: what earlier runs of the same session had been told in session scope.
  UsageMeter(UsageRule rule, core::Usage before) : rule_(std::move(rule)), before_(before) {}

  void add(Event const& event);
  bool has_any() const { return has_any_; }
  core::Usage run() const;
  /// What the program has told in session scope so far: the next run's `before`.
  core::Usage session() const;

 private:
  core::Usage normalised(Event const& event) const;

  UsageRule rule_;
  core::Usage before_;
  core::Usage steps_;
  core::Usage seen_;                               ///< call by call, since the last sum
  std::map<std::string, core::Usage> of_run_;      ///< by model, the last told
  std::map<std::string, core::Usage> of_session_;  ///< by model, the last told
  bool has_any_ = false;
};

}  // namespace andon::runner
