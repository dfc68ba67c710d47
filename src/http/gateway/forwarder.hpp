#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "api/transport.hpp"

namespace andon::http {

/// Threads that send requests to the server, each over a connection of its own. Thread-safe.
class Forwarder {
 public:
  using Connect = std::function<std::unique_ptr<api::Transport>()>;
  using Job = std::move_only_function<void(api::Transport&)>;

  Forwarder(Connect const& connect, std::size_t threads);
  Forwarder(Forwarder const&) = delete;
  Forwarder& operator=(Forwarder const&) = delete;
  /// Ends requests that are under way, and drops those that wait.
  ~Forwarder();

  /// False when too many requests wait.
  bool start(Job job);

 private:
  void serve(api::Transport& transport);

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Job> jobs_;
  bool is_closing_ = false;
  std::vector<std::unique_ptr<api::Transport>> transports_;
  std::vector<std::jthread> threads_;  // last: they use all members above
};

}  // namespace andon::http
