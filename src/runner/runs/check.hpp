#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "core/model/run.hpp"
#include "runner/output/redact.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// What a check shares with its run: `should_stop` is asked whenever one of the handles is readable, and
/// every second.
struct CheckStop {
  std::vector<int> handles{};
  std::function<bool()> should_stop = [] { return false; };
  std::function<bool()> is_frozen = [] { return false; };  ///< meanwhile its time limit stands
  int cgroup = -1;                                         ///< for `os::Command::cgroup`
  int confinement = -1;                                    ///< for `os::Command::confinement`
  int directory = -1;  ///< the directory, held open, so that it cannot be exchanged
};

/// Runs one check in a directory, to its end, its time limit or its stop, and kills its process group. What
/// it printed is redacted; the end of it is kept.
core::CheckResult run_check(CheckSpec const& check, std::filesystem::path const& directory,
                            std::vector<std::string> const& environment, core::Duration limit,
                            Redactor const& redactor, CheckStop const& stop = {});

}  // namespace andon::runner
