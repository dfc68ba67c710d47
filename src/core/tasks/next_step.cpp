#include "core/tasks/next_step.hpp"

namespace andon::core {
namespace {

using Facts = NextStepFacts;

struct NextStepRow {
  bool (*applies)(Facts const&);
  NextStepOwner owner;
};
/// The first row that applies decides.
constexpr std::array kNextStepRows{
    NextStepRow{[](Facts const& f) { return f.runs && f.asks; }, NextStepOwner::person},
    NextStepRow{[](Facts const& f) { return f.runs; }, NextStepOwner::run},
    // Only a live run, or the queue, ends these.
    NextStepRow{[](Facts const& f) { return f.queued && !f.asks; }, NextStepOwner::queue},
    NextStepRow{[](Facts const& f) { return f.asks; }, NextStepOwner::person},
    NextStepRow{[](Facts const& f) { return f.is_judged; }, NextStepOwner::task},
    NextStepRow{[](Facts const& f) { return f.reported || f.supervised || f.stopping; },
                NextStepOwner::nobody},
    NextStepRow{[](Facts const& f) { return f.claimed; }, NextStepOwner::holder},
    NextStepRow{[](Facts const& f) { return f.blocked; }, NextStepOwner::person},
    NextStepRow{[](Facts const& f) { return f.waits_for_task; }, NextStepOwner::task},
    NextStepRow{[](Facts const& f) { return f.waits_until; }, NextStepOwner::timer},
    NextStepRow{[](Facts const& f) { return is_ready(f.stage); }, NextStepOwner::admission},
    NextStepRow{[](Facts const& f) { return is_in_work(f.stage) && f.is_picked_anywhere; },
                NextStepOwner::admission},
    NextStepRow{[](Facts const& f) { return is_in_work(f.stage) && f.claim_over; }, NextStepOwner::timer},
    NextStepRow{[](Facts const& f) { return is_in_work(f.stage) && f.left_in_work; }, NextStepOwner::nobody},
};

}  // namespace

NextStepOwner next_step_of(NextStepFacts const& facts) {
  for (auto const& row : kNextStepRows)
    if (row.applies(facts)) return row.owner;
  return NextStepOwner::person;
}

}  // namespace andon::core
