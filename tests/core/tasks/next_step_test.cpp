#include "core/tasks/next_step.hpp"

#include <functional>
#include <vector>

#include <doctest/doctest.h>

using namespace andon::core;

TEST_CASE("NextStepOwner.IsThatOfTheFirstFactThatDecides") {
  struct Row {
    std::function<void(NextStepFacts&)> fill_in;
    NextStepOwner owner;
  };
  std::vector<Row> const rows{
      {[](auto& f) { f.runs = f.reported = f.supervised = true; }, NextStepOwner::run},
      {[](auto& f) { f.runs = f.asks = true; }, NextStepOwner::person},
      {[](auto& f) { f.queued = f.reported = f.supervised = true; }, NextStepOwner::queue},
      {[](auto& f) { f.queued = f.asks = true; }, NextStepOwner::person},
      {[](auto& f) { f.is_judged = true; }, NextStepOwner::task},
      {[](auto& f) { f.is_judged = f.asks = true; }, NextStepOwner::person},
      {[](auto& f) { f.reported = true; }, NextStepOwner::nobody},
      {[](auto& f) { f.stopping = true; }, NextStepOwner::nobody},
      {[](auto& f) { f.supervised = f.claimed = true; }, NextStepOwner::nobody},
      {[](auto& f) { f.claimed = true; }, NextStepOwner::holder},
      {[](auto& f) { f.blocked = f.waits_for_task = true; }, NextStepOwner::person},
      {[](auto& f) { f.waits_for_task = f.waits_until = true; }, NextStepOwner::task},
      {[](auto& f) { f.waits_until = true; }, NextStepOwner::timer},
      {[](auto& f) { f.stage = Stage::ready; }, NextStepOwner::admission},
      {[](auto& f) { f.stage = Stage::active; }, NextStepOwner::person},
      {[](auto& f) { f.left_in_work = true, f.stage = Stage::active; }, NextStepOwner::nobody},
      {[](auto& f) { f.left_in_work = f.claim_over = true, f.stage = Stage::active; }, NextStepOwner::timer},
      {[](auto& f) { f.left_in_work = f.is_picked_anywhere = true, f.stage = Stage::active; },
       NextStepOwner::admission},
      {[](auto&) {}, NextStepOwner::person},
  };
  for (auto const& [fill_in, owner] : rows) {
    NextStepFacts facts;
    fill_in(facts);
    CHECK(next_step_of(facts) == owner);
  }
}
