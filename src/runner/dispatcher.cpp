#include "runner/dispatcher.hpp"

#include "service/dispatch.hpp"
#include "service/workers.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kLongestRest = std::chrono::seconds{1};

/// Whether the worker may have room for one more; the operation decides in its own transaction.
bool may_pick(core::Worker const& worker) {
  return !worker.paused && !worker.agent.empty() &&
         (worker.capacity > 1 || worker.state == core::Light::idle);
}

}  // namespace

int Dispatcher::step(core::Instant now, std::int64_t seq) {
  if (seq == seen_ && now - last_ < kLongestRest && now >= last_) return 0;
  seen_ = seq;
  last_ = now;
  auto const workers = desk_.ask<service::Workers>("list_workers", service::NoRequest{});
  if (!workers) return 0;
  int opened = 0;
  for (auto const& worker : workers->items) {
    if (!may_pick(worker)) continue;
    for (int room = worker.capacity; room > 0; --room) {
      if (!desk_.ask<core::Run>("dispatch_next", service::DispatchRequest{worker.name, "local"})) break;
      ++opened;
    }
  }
  return opened;
}

}  // namespace andon::runner
