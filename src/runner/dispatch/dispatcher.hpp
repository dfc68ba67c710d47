#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/worker.hpp"
#include "core/time/time.hpp"
#include "runner/operation_client.hpp"
#include "runner/profiles/profile_book.hpp"

namespace andon::runner {

/// Waits in the store until there may be a task for a worker, then calls `woken` once, on any thread. The
/// wait may already have opened a run for the worker.
using WaitForWork = std::function<void(std::string const& worker, std::function<void()> woken)>;

/// The treatment of a worker without a usable agent profile.
enum class WithoutAgent { pause, pass_over };

/// Gives idle workers their next tasks. It acts when the board has changed or a second has passed, and has no
/// thread of its own. A worker without a pickable task waits in the store and is not asked again before it is
/// woken, so idle workers cost nothing. A worker without a usable agent profile is paused at once, and its
/// light shows why, unless a runner on another host has it. It resumes by itself when the profile appears.
class Dispatcher {
 public:
  /// `profiles` is the administrator's directory. Without `wait`, each step asks all idle workers. On another
  /// host than the server's, workers without an agent there are passed over, since another runner may have
  /// it.
  Dispatcher(OperationClient& client, std::filesystem::path profiles, WaitForWork wait = {},
             WithoutAgent without_agent = WithoutAgent::pause)
      : client_(client), book_(std::move(profiles)), wait_(std::move(wait)), without_agent_(without_agent) {}

  /// One pass over all workers; `seq` is the last event of the store. Passes every run to `start` as soon as
  /// it is opened, before the next worker picks. Returns the number of runs.
  std::size_t step(core::Instant now, core::EventSeq seq, std::function<void(core::Run const&)> const& start);

 private:
  /// The workers that wait. Shared with the callbacks, which may outlive the dispatcher.
  struct Waiting {
    std::mutex mutex;
    std::set<std::string, std::less<>> names;  ///< guarded by mutex
  };

  bool has_agent(core::Worker const& worker);
  /// Reports which profiles this server has, after they have changed.
  void report_agents();
  /// True when a runner on another host has the profile; nothing when the board does not answer.
  std::optional<bool> is_on_runner(std::string const& agent);
  bool is_waiting(std::string const& worker) const;
  /// Whether all workers of the last step wait. Then no event matters until one of them is woken.
  bool all_wait() const;
  void let_wait(std::string const& worker);

  OperationClient& client_;
  ProfileBook book_;
  WaitForWork wait_;
  WithoutAgent const without_agent_;
  std::shared_ptr<Waiting> waiting_ = std::make_shared<Waiting>();
  std::size_t workers_ = 0;  ///< at the last step
  std::vector<std::string> reported_;
  static constexpr core::EventSeq kNotSeen = -1;
  core::EventSeq seen_ = kNotSeen;
  core::Instant last_{};
};

}  // namespace andon::runner
