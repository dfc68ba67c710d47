#pragma once

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
  LocalExecutor(store::Store& store, os::Clock const& clock, std::size_t readers = 0);
  ~LocalExecutor() override;

  Answer run(Call call) override;
  /// Starts the call; `reply` is called on another thread, once.
  void start(Call call, Reply reply);

  /// Runs a reading function that is no operation of the table.
  void read(std::function<void(service::Unit&)> const& work, service::Caller const& caller = {});
  /// The same for a writing one; waits until it is durable. Its changes are kept when it returns true.
  void write(std::function<bool(service::Unit&)> const& work, service::Caller const& caller = {});

 private:
  Answer run_read(Call& call);
  void start_write(Call call, Reply reply);
  void serve();

  store::Store& store_;
  os::Clock const& clock_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::move_only_function<void()>> queue_;
  std::vector<std::jthread> readers_;
  bool closing_ = false;
};

}  // namespace andon::api
