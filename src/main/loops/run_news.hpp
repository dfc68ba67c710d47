#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::main {

/// The news of a run keeper for other threads: which runs have processes here, and why none can be prepared.
/// Thread-safe.
class RunNews {
 public:
  /// Notes a step of the keeper. True when a trouble is over, so that it is tried again.
  bool note(std::vector<core::RunId> const& watched, std::string const& trouble, core::Duration uptime);

  /// The runs that had a supervising process here at some time since the last call.
  std::set<core::RunId> take_watched();
  /// Why no run can be prepared on this machine now; empty when one can.
  std::string trouble() const;
  /// Calls that when the trouble has changed; set it once.
  void on_trouble(std::function<void()> changed);

 private:
  mutable std::mutex mutex_;
  std::set<core::RunId> live_;           ///< guarded by mutex_, as all below
  std::set<core::RunId> watched_since_;  ///< the last call of `take_watched`
  std::string trouble_;
  core::Duration troubled_at_{};
  std::function<void()> changed_;
};

}  // namespace andon::main
