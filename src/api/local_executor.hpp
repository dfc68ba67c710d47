#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "api/call.hpp"
#include "os/clock.hpp"
#include "store/store.hpp"

namespace andon::api {

/// Runs operations on a store in this process. Writes run on the store's writer and are answered when
/// durable; reads run on a few threads of its own. Thread-safe.
class LocalExecutor : public Executor {
 public:
  /// Neither is owned; both outlive it. `readers` threads serve `start`; none are needed for `run`.
  /// `build` names the page this process serves.
  LocalExecutor(store::Store& store, os::Clock const& clock, std::size_t readers = 0, std::string build = {});
  ~LocalExecutor() override;

  Answer run(Call call) override;
  /// Starts the call; `reply` is called on another thread, once.
  void start(Call call, Reply reply);

  /// Who answers questions about repositories; refused as long as there is nobody. Not owned.
  void set_workshop(Workshop& workshop) { workshop_ = &workshop; }

  /// Runs a reading function that is no operation of the table.
  void read(std::function<void(service::Unit&)> const& work, service::Caller const& caller = {});
  /// The same for a writing one; waits until it is durable. Its changes are kept when it returns true.
  void write(std::function<bool(service::Unit&)> const& work, service::Caller const& caller = {});

  /// Runs a job on one of the reading threads.
  void on_reader(std::move_only_function<void()> job);
  /// Called on a thread of the store after commits, see `Store::on_commit`.
  void on_commit(std::function<void(std::int64_t last_seq)> listener);

  /// Read from the store when it is first asked for: few commands need it.
  service::Origin const& origin() const;
  os::Clock const& clock() const { return clock_; }
  /// Rises before the answer to a call that changed a credential: what was looked up earlier counts no more.
  std::uint64_t credentials() const { return credentials_.load(std::memory_order_acquire); }

 private:
  Answer run_read(Call& call);
  /// Lets the workshop fill in what the request needs; nothing without one.
  core::Result<void> prepare(Call& call);
  void start_write(Call call, Reply reply);
  void serve();

  store::Store& store_;
  os::Clock const& clock_;
  mutable std::mutex origin_mutex_;
  mutable bool origin_is_read_ = false;
  mutable service::Origin origin_;
  std::atomic<std::uint64_t> credentials_{1};
  std::atomic<Workshop*> workshop_ = nullptr;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::move_only_function<void()>> queue_;
  std::vector<std::jthread> readers_;
  bool closing_ = false;
};

}  // namespace andon::api
