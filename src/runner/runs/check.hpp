#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "core/model/run.hpp"
#include "runner/output/redact.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// The state that a check shares with its run. `should_stop` is called every second and whenever one of the
/// handles is readable.
struct CheckStop {
  std::vector<int> handles{};
  std::function<bool()> should_stop = [] { return false; };
  std::function<bool()> is_frozen = [] { return false; };  ///< while true, the time limit does not advance
  int cgroup = -1;                                         ///< for `os::Command::cgroup`
  os::ConfinementHandle confinement{};                     ///< for `os::Command::confinement`
  int directory = -1;  ///< an open descriptor of the directory, so that it cannot be replaced
};

/// Runs one check in a directory until its end, its time limit or its stop, then kills its process group.
/// Keeps the end of its output, redacted.
core::CheckResult run_check(CheckSpec const& check, std::filesystem::path const& directory,
                            std::vector<std::string> const& environment, core::Duration limit,
                            Redactor const& redactor, CheckStop const& stop = {});

/// The result of a check that may be run a second time. One that failed by itself is run once more in the
/// same place; when it passes there, it is flaky, which is no fault of the work.
core::CheckResult run_twice_at_most(std::function<core::CheckResult()> const& run);

}  // namespace andon::runner
