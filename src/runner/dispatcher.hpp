#pragma once

#include <cstdint>
#include <functional>

#include "core/run.hpp"
#include "core/time.hpp"
#include "core/worker.hpp"
#include "runner/desk.hpp"
#include "runner/profile_book.hpp"

namespace andon::runner {

/// Gives idle workers their next tasks. Pure loop body: it acts when the board has changed or a second has
/// passed, since a task may become pickable by time alone. A worker whose agent profile does not exist is
/// paused at once, so that its light says why, and picks again by itself when the profile comes.
class Dispatcher {
 public:
  /// `profiles`: the administrator's directory.
  Dispatcher(Desk& desk, std::filesystem::path profiles) : desk_(desk), book_(std::move(profiles)) {}

  /// One pass over all workers; `seq` is the last event of the store. Every run is handed to `start` as soon
  /// as it is opened, before the next worker picks. Returns how many there were.
  std::size_t step(core::Instant now, std::int64_t seq, std::function<void(core::Run const&)> const& start);

 private:
  bool has_agent(core::Worker const& worker);

  Desk& desk_;
  ProfileBook book_;
  std::int64_t seen_ = -1;
  core::Instant last_{};
};

}  // namespace andon::runner
