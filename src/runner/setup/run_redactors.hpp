#pragma once

#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.hpp"
#include "os/data/data_directory.hpp"
#include "runner/output/redact.hpp"

namespace andon::runner {

/// Removes secrets from what runs hand in, by value: the administrator's token, the secrets in the
/// environment of the server and of the run's program, the run's token, and the values in the files that its
/// board copies. A run on another host is known to its runner only, which is asked by the run's token.
/// Thread-safe.
class RunRedactors {
 public:
  explicit RunRedactors(os::DataDirectory data);

  std::string operator()(core::RunId run, std::string_view text);
  /// The run here that has the token; 0 for none. Of that one only the secrets of this process are known.
  core::RunId run_with(std::string const& token);

 private:
  struct OfRun {
    core::RunId run = 0;
    Redactor redactor;
  };

  Redactor redactor_of(core::RunId run) const;

  os::DataDirectory const data_;
  std::vector<std::string> const environment_;
  std::string const token_;
  std::mutex mutex_;
  std::list<OfRun> latest_;  ///< the ones used last, the newest first
  std::map<std::string, core::RunId> runs_by_token_;
  std::set<core::RunId> looked_at_;  ///< runs whose specs have been read for their tokens
};

}  // namespace andon::runner
