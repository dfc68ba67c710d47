#pragma once

#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.hpp"
#include "os/data/data_directory.hpp"
#include "runner/output/redact.hpp"

namespace andon::runner {

/// Removes secrets from what runs hand in, by value: the administrator's token, the secrets in the
/// environment of the server and of the run's program, the run's token, and the values in the files that its
/// board copies. A run on another host is known to its runner only. Thread-safe.
class RunRedactors {
 public:
  explicit RunRedactors(os::DataDirectory data);

  std::string operator()(core::RunId run, std::string_view text);

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
};

}  // namespace andon::runner
