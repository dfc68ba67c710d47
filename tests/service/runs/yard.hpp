#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/runs/dispatch.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/test_app.hpp"

namespace andon::test {

inline service::FinishRunRequest const kWork{.result = "made it",
                                             .exit = {.code = 0},
                                             .branch = "andon/1-cart",
                                             .commits = {"c1"},
                                             .base = "b0",
                                             .head = "c1"};

inline service::FinishRunRequest work_with(std::vector<core::CheckResult> checks) {
  auto work = kWork;
  work.checks = std::move(checks);
  return work;
}

/// A board with a repository and work trees, and a worker who does task 1.
struct Yard : TestApp {
  explicit Yard(std::string_view template_ = "classic",
                service::BoardPolicies policies = {.land = core::LandingPolicy::automatic})
      : TestApp(template_) {
    policies.repo = "/srv/shop";
    policies.worktree = true;
    call<&service::edit_board>({policies, board});
    add_worker("dev", {.role = "coder"});
    ready = template_ == "queue" ? "ready" : "todo";
    create("Cart", {.status = ready, .role = "coder"});
    run = start("dev");
  }
  std::optional<core::Landing> landing(core::RunId id = 1) {
    return TestApp::call<&service::get_run>({.id = id}).landing;
  }
  std::vector<core::RunId> queue() {
    std::vector<core::RunId> out;
    executor.read([&](service::OperationContext& u) {
      auto const queue = service::landing_queue(u, {});
      for (auto const& place : queue->items) out.push_back(place.run.id);
    });
    return out;
  }
  core::Run run;
  std::string ready;  ///< the column of tasks that may be picked
};

}  // namespace andon::test
