#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "core/model/run.hpp"
#include "core/model/worker.hpp"
#include "core/time/time.hpp"
#include "runner/operation_client.hpp"
#include "runner/profiles/profile_book.hpp"

namespace andon::runner {

/// Waits with the store until something may have come for a worker, and calls back once, on any thread; it
/// may have opened a run for the worker by then.
using WaitForWork = std::function<void(std::string const& worker, std::function<void()> woken)>;

/// Gives idle workers their next tasks. Pure loop body: it acts when the board has changed or a second has
/// passed. A worker for whom there was nothing waits with the store and is asked no more until it is woken,
/// so that idle workers cost nothing. A worker whose agent profile does not exist is paused at once, so that
/// its light says why, and picks again by itself when the profile comes.
class Dispatcher {
 public:
  /// `profiles`: the administrator's directory. Without `wait` all idle workers are asked each time.
  Dispatcher(OperationClient& client, std::filesystem::path profiles, WaitForWork wait = {})
      : client_(client), book_(std::move(profiles)), wait_(std::move(wait)) {}

  /// One pass over all workers; `seq` is the last event of the store. Every run is handed to `start` as soon
  /// as it is opened, before the next worker picks. Returns how many there were.
  std::size_t step(core::Instant now, std::int64_t seq, std::function<void(core::Run const&)> const& start);

 private:
  /// The workers that wait; shared with their callbacks, which may outlive the dispatcher.
  struct Waiting {
    std::mutex mutex;
    std::set<std::string, std::less<>> names;  ///< guarded by mutex
  };

  bool has_agent(core::Worker const& worker);
  bool is_waiting(std::string const& worker) const;
  /// Whether all workers of the last look wait: then no event concerns the dispatcher before one is woken.
  bool all_wait() const;
  void let_wait(std::string const& worker);

  OperationClient& client_;
  ProfileBook book_;
  WaitForWork wait_;
  std::shared_ptr<Waiting> waiting_ = std::make_shared<Waiting>();
  std::size_t workers_ = 0;  ///< at the last look
  std::int64_t seen_ = -1;
  core::Instant last_{};
};

}  // namespace andon::runner
