#include "runner/dispatch/dispatcher.hpp"

#include <algorithm>

#include "service/runners/runners.hpp"
#include "service/runs/dispatch.hpp"
#include "service/workers/workers.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kLongestRest = std::chrono::seconds{1};

/// Whether the worker may have room for one more task. The operation decides in its own transaction.
bool may_pick(core::Worker const& worker) {
  return !worker.paused && (worker.capacity > 1 || worker.state == core::WorkerStatus::idle);
}

}  // namespace

bool Dispatcher::has_agent(core::Worker const& worker) {
  auto const agents = core::agents_of(worker);
  if (agents.empty()) return false;
  if (without_agent_ == WithoutAgent::pass_over)
    return std::ranges::any_of(agents, [&](auto const& agent) { return book_.find(agent) != nullptr; });
  auto const missing =
      std::ranges::find(agents, nullptr, [&](auto const& agent) { return book_.find(agent); });
  bool const exists = missing == agents.end();
  auto const may_work = exists ? std::optional{true} : is_on_runner(*missing);
  if (may_work == false && !worker.paused)
    static_cast<void>(client_.call<&service::pause_worker>({worker.name, book_.why_missing(*missing)}));
  if (may_work == true && worker.paused && worker.paused_because.starts_with(kNoProfile))
    static_cast<void>(client_.call<&service::resume_worker>({worker.name}));
  return exists;
}

void Dispatcher::report_agents() {
  if (without_agent_ == WithoutAgent::pass_over) return;  // the report of a runner names them
  service::ServerAgents here;
  for (auto const* profile : book_.profiles()) here.agents.push_back(profile->id);
  if (here.agents == reported_) return;
  if (client_.call<&service::report_agents>(here)) reported_ = std::move(here.agents);
}

std::optional<bool> Dispatcher::is_on_runner(std::string const& agent) {
  auto const runners = client_.call<&service::list_runners>();
  if (!runners) return std::nullopt;
  return std::ranges::any_of(runners->items, [&](auto const& runner) {
    return runner.state != core::RunnerState::revoked &&
           std::ranges::find(runner.agents, agent, &core::RunnerAgent::id) != runner.agents.end();
  });
}

bool Dispatcher::is_waiting(std::string const& worker) const {
  std::scoped_lock const lock(waiting_->mutex);
  return waiting_->names.contains(worker);
}

bool Dispatcher::all_wait() const {
  std::scoped_lock const lock(waiting_->mutex);
  return workers_ > 0 && waiting_->names.size() >= workers_;
}

void Dispatcher::let_wait(std::string const& worker) {
  if (!wait_) return;
  {
    std::scoped_lock const lock(waiting_->mutex);
    waiting_->names.insert(worker);
  }
  wait_(worker, [waiting = waiting_, worker] {
    std::scoped_lock const lock(waiting->mutex);
    waiting->names.erase(worker);
  });
}

std::size_t Dispatcher::step(core::Instant now, core::EventSeq seq,
                             std::function<void(core::Run const&)> const& start) {
  if ((seq == seen_ || all_wait()) && now - last_ < kLongestRest && now >= last_) return 0;
  seen_ = seq;
  last_ = now;
  auto const workers = client_.call<&service::list_workers>();
  if (!workers) return 0;
  workers_ = workers->items.size();
  book_.reload();
  report_agents();
  std::size_t opened = 0;
  for (auto const& worker : workers->items) {
    if (!has_agent(worker) || !may_pick(worker) || is_waiting(worker.name)) continue;
    for (int room = worker.capacity; room > 0; --room) {
      auto const run = client_.call<&service::dispatch_next>({worker.name});
      if (!run && run.error().code == core::Code::kNothingToPick) let_wait(worker.name);
      if (!run && run.error().code == core::Code::kPickUnfinished) seen_ = kNotSeen;  // the next step goes on
      if (!run) break;
      ++opened;
      start(*run);
    }
  }
  return opened;
}

}  // namespace andon::runner
