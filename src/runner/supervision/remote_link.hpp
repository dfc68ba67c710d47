#pragma once

#include <atomic>

#include "api/transport.hpp"
#include "os/processes/clock.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/supervision/server_link.hpp"

namespace andon::runner {

/// The connection of a supervising process to its server: HTTP over the Unix socket, with the run's own
/// token.
class RemoteLink : public ServerLink {
 public:
  /// Borrows all arguments; they must outlive the object.
  RemoteLink(RunSpec const& spec, api::Transport& transport, os::Clock const& clock);

  HeartbeatAnswer heartbeat() override;
  std::optional<core::Duration> renewed() const override;
  void progress(ProgressReport const& report) override;
  bool keep_place(core::WorkPlace const& place) override;
  FinishAnswer finish(EndRecord const& record) override;

 private:
  static constexpr core::Duration kNever{-1};

  HeartbeatAnswer ask();
  core::Result<api::HttpAnswer> post(std::string target, std::string body);

  RunSpec const& spec_;
  api::Transport& transport_;
  os::Clock const& clock_;
  std::optional<core::Instant> progress_;  ///< the progress in the last heartbeat's reply
  std::atomic<core::Duration> renewed_{kNever};
  std::optional<core::Duration> reported_at_;
  std::string reported_;
};

}  // namespace andon::runner
