#include "main/loops/merge_loop.hpp"

#include <algorithm>

#include "os/processes/process.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kBetweenMerges = std::chrono::milliseconds{50};

}  // namespace

MergeLoop::MergeLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data,
                     std::filesystem::path const& program)
    : client_(executor, "landing"),
      merge_queue_(
          client_, data, os::own_environment(), program,
          [token = stopping_.get_token()] { return token.stop_requested(); }, stop_.handle()),
      worktree_gc_(client_, data, stop_.handle()),
      loop_(executor, clock, "landing", kBetweenMerges,
            [this](core::Instant now) { return std::min(merge_queue_.step(now), worktree_gc_.step(now)); }) {}

MergeLoop::~MergeLoop() {
  stopping_.request_stop();
  stop_.set();
}

}  // namespace andon::main
