#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/remote_executor.hpp"
#include "http/client/failover_client.hpp"

namespace andon::main {

/// How a runner reaches its servers, and who it is for them. Thread-safe.
class RunnerLink {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  RunnerLink(std::string token, std::vector<std::string> urls, std::string certificates)
      : token_(std::move(token)), urls_(std::move(urls)), certificates_(std::move(certificates)) {}

  /// Known once the runner has registered; set before other threads use the link.
  std::string const& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  /// The headers of a request of the runner itself.
  Headers headers() const;
  void set_incarnation(std::int64_t incarnation) { incarnation_ = incarnation; }
  std::int64_t incarnation() const { return incarnation_; }
  std::string const& token() const { return token_; }

  /// A connection of its own for each thread. `answer` is the longest wait for an answer, `absence` that for
  /// a server that cannot be reached.
  std::unique_ptr<api::Transport> connect(std::chrono::milliseconds answer,
                                          std::chrono::milliseconds absence = {}) const;

 private:
  std::string name_;
  std::string const token_;
  std::vector<std::string> const urls_;
  std::string const certificates_;
  std::atomic<std::int64_t> incarnation_ = 0;
  mutable http::ServerChoice choice_ = 0;
};

/// Calls operations as the runner, over one connection. One thread uses it.
class LinkedExecutor final : public api::Executor {
 public:
  LinkedExecutor(RunnerLink const& link, std::chrono::milliseconds answer)
      : link_(link), transport_(link.connect(answer)), server_(*transport_, link.token()) {}

  core::Result<api::Answer> run(api::Call call) override;
  /// Sends lines of the output of a run. Returns up to where the server has them.
  core::Result<api::OutputTaken> send_output(core::RunId run, api::OutputReport const& report);
  /// Ends a call that is under way, from another thread.
  void interrupt() { transport_->interrupt(); }

 private:
  RunnerLink const& link_;
  std::unique_ptr<api::Transport> transport_;
  api::RemoteExecutor server_;
};

}  // namespace andon::main
