#pragma once

#include <algorithm>

#include <doctest/doctest.h>

#include "service/access/access.hpp"
#include "service/event_log.hpp"
#include "service/insight/why.hpp"
#include "service/runners/runners.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/runs.hpp"
#include "service/tasks/attachments.hpp"
#include "service/test_app.hpp"

namespace andon::test {

inline std::string hash_of(std::string_view name) {
  std::string out{name};
  std::ranges::replace_if(out, [](char c) { return c < 'a' || c > 'f'; }, 'c');
  return std::string(64 - out.size(), 'b') + out;
}

/// A caller with the token of a runner, at the start of that number.
inline service::Caller as_runner(std::string name, std::int64_t incarnation = 1) {
  service::Caller out;
  out.actor = {core::ActorKind::runner, std::move(name)};
  out.role = service::Role::runner;
  out.source = core::Source::runner;
  out.incarnation = incarnation;
  return out;
}

inline service::RegisterRunnerRequest registration(std::string name) {
  service::RegisterRunnerRequest out;
  out.name = std::move(name);
  out.protocol = service::kRunnerProtocol;
  out.version = "1.0";
  out.host = "host-of-" + out.name;
  out.place = "place of " + out.name;
  out.slots = 2;
  return out;
}

inline service::ReportRunnerRequest report(std::string name) {
  service::ReportRunnerRequest out;
  out.name = std::move(name);
  out.load = 0.5;
  out.memory_free = 1'000;
  out.agents = std::vector{core::RunnerAgent{"shell", "5.2", {}}};
  return out;
}

/// A board with a worker and the runner `build`, which is ready for work.
class RunnerYard {
 public:
  RunnerYard() {
    app.add_worker("dev", {.capacity = 5, .takes_unassigned = true});
    add("build");
    begin("build");
  }

  void add(std::string const& name) { app.call<&service::add_runner>({.name = name, .hash = hash_of(name)}); }
  /// Starts the program of a runner.
  core::Runner begin(std::string const& name, service::RegisterRunnerRequest request = {}) {
    if (request.name.empty()) request = registration(name);
    auto const out = app.call<&service::register_runner>(request, as_runner(name, 0));
    app.call<&service::report_runner>(report(name), as_runner(name, out.incarnation));
    return out;
  }
  core::Task ready(std::string_view title) { return app.create(title, {.status = "todo"}); }
  core::Result<core::Run> next(std::string name = "build", std::int64_t incarnation = 1) {
    return app.ask<&service::dispatch_next>({.worker = "dev"}, as_runner(std::move(name), incarnation));
  }
  /// Lets the runner take a task and start its agent.
  core::Run start(std::string const& name = "build") {
    auto const run = next(name).value();
    auto hash = std::to_string(run.id);
    hash.insert(0, 64 - hash.size(), 'a');
    app.call<&service::begin_run>({.id = run.id, .token_hash = hash}, as_runner(name));
    return app.call<&service::adopt_run>(
        {.id = run.id, .pid = 7, .process = "boot 7", .guard = core::RunGuard{}}, as_runner(name));
  }
  std::string why_none(std::string name = "build") {
    auto const run = next(std::move(name));
    REQUIRE_FALSE(run);
    return run.error().message;
  }
  service::RunnerView look(std::string_view name) {
    auto const all = app.call<&service::list_runners>().items;
    auto const found = std::ranges::find(all, name, &service::RunnerView::name);
    REQUIRE(found != all.end());
    return *found;
  }
  void wait(core::Duration time) { app.clock.advance(time); }
  std::vector<core::Run> of_gone_runners() {
    std::vector<core::Run> out;
    app.executor.read([&](service::OperationContext& u) { out = service::runs_of_gone_runners(u); });
    return out;
  }
  /// The runner facts of the events since.
  std::string told(core::EventSeq since) {
    std::string out;
    for (auto const& event : app.events(since))
      if (auto const state = service::fact_of(event, "runner_state"); !state.empty())
        out += (out.empty() ? "" : " ") + state;
    return out;
  }

  TestApp app;
};

}  // namespace andon::test
