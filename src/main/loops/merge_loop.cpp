#include "main/loops/merge_loop.hpp"

#include <algorithm>

#include "os/processes/process.hpp"

namespace andon::main {
namespace {

/// How soon a server that became the leader lands work.
constexpr core::Duration kBetweenLooksAtLead = std::chrono::milliseconds{500};
constexpr core::Duration kBetweenMerges = std::chrono::milliseconds{50};

}  // namespace

MergeLoop::MergeLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data,
                     std::filesystem::path const& program)
    : client_(executor, "landing"),
      merge_queue_(
          client_, data, os::own_environment(), program,
          [token = stopping_.get_token()] { return token.stop_requested(); }, stop_.handle()),
      worktree_gc_(
          client_, {data, os::own_environment(), program},
          [token = stopping_.get_token()] { return token.stop_requested(); }, stop_.handle()),
      loop_(executor, clock, "landing", kBetweenMerges, [this, &executor](core::Instant now) {
        auto const next = executor.leads() ? merge_queue_.step(now) : now + kBetweenLooksAtLead;
        return std::min(next, worktree_gc_.step(now));
      }) {}

MergeLoop::~MergeLoop() {
  stopping_.request_stop();
  stop_.set();
}

}  // namespace andon::main
