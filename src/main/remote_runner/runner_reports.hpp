#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "main/remote_runner/host_examiner.hpp"
#include "main/remote_runner/runner_link.hpp"

namespace andon::main {

/// The word of the server to a runner.
enum class RunnerOrder {
  work,
  drain,  ///< end after the last run
  end,    ///< end at once with all agents: the token is worth nothing, or another start of it is at work
};

/// Reports how the runner is, in a thread of its own. The answers are orders.
class RunnerReports {
 public:
  /// `trouble` returns why no run can be prepared here now; empty when one can. `announce` is called after an
  /// order has changed.
  RunnerReports(RunnerLink const& link, os::DataDirectory const& data, std::function<std::string()> trouble,
                std::function<void()> announce);
  ~RunnerReports();

  RunnerOrder order() const;
  /// Why the runner must end, as a sentence.
  std::string reason() const;
  /// Reports at once, because something has changed here.
  void report_now();

 private:
  /// The findings that the server knows.
  struct Known {
    std::uint64_t found = 0;  ///< the count of the examination
    std::string trouble;
  };

  void run(std::stop_token const& stop);
  void report();
  void take(RunnerOrder order, std::string reason);

  LinkedExecutor executor_;
  std::filesystem::path const directory_;
  std::function<std::string()> const trouble_;
  std::function<void()> const announce_;
  Known known_;  ///< for the thread that reports
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool is_due_ = false;  ///< guarded by mutex_, as all below
  RunnerOrder order_ = RunnerOrder::work;
  std::string reason_;
  HostExaminer examiner_;
  std::jthread thread_;  // last: it uses all members above
};

}  // namespace andon::main
