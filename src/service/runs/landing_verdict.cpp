#include "service/runs/landing_verdict.hpp"

#include "core/runs/landing_gate.hpp"
#include "core/text/names.hpp"
#include "service/check_text.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::LandingState;
using core::Result;

constexpr std::size_t kMostQuestion = 8'192;
constexpr std::size_t kMostReason = 4'096;

std::string number_of(core::Task const& task) { return "#" + std::to_string(task.id); }

/// The last run of the task, which has a landing.
Result<core::Run> landing_of(OperationContext& ctx, core::Task const& task) {
  auto run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  if (run && run->landing) return *std::move(run);
  return core::refuse(Code::kConflict,
                      "the work of task " + number_of(task) +
                          " is not in the landing queue; see: andon show " + std::to_string(task.id),
                      "id");
}

/// True when this verdict was given before and has its effect.
bool is_given(core::Landing const& landing, JudgeLandingRequest const& r) {
  if (r.squash && !landing.squash) return false;
  bool const is_allowed = !landing.allowed_by.empty();
  bool const was_asked = !landing.findings.empty();
  if (r.verdict == LandingVerdict::reject)
    return was_asked && !is_allowed && landing.state == LandingState::returned;
  return is_allowed && (landing.state == LandingState::waiting || landing.state == LandingState::landed);
}

std::unexpected<core::Error> refuse_unasked(core::Task const& task, core::Landing const& landing) {
  auto const state = core::kLandingStateNames[static_cast<std::size_t>(landing.state)];
  return core::refuse(Code::kConflict,
                      "nobody asks whether the work of task " + number_of(task) + " lands: it is " +
                          std::string{state} + "; see: andon work list",
                      "id");
}

/// A history that once stays out does so however often this work is asked about. It stays out for the secrets
/// that it holds, so the first such answer allows none: those that the files still have are asked about
/// again.
void let_land(OperationContext& ctx, core::Run& run, bool squash) {
  run.landing->allowed_by = core::to_text(ctx.caller.actor);
  if (squash && !run.landing->squash)
    std::erase_if(run.landing->findings,
                  [](core::LandFinding const& finding) { return core::is_about_secrets(finding); });
  run.landing->squash = run.landing->squash || squash;
  mark_landing(ctx, run, LandingState::waiting, {});
  Facts facts{{"landing", "allowed"}, {"by", run.landing->allowed_by}};
  if (run.landing->squash) facts.emplace_back("as", "one commit");
  tell_of_landing(ctx, run, facts);
}

Result<void> check_verdict(JudgeLandingRequest const& r) {
  if (r.verdict == LandingVerdict::land) return {};
  if (r.squash)
    return core::refuse(Code::kInvalidInput, "only work that lands can be one commit; leave \"squash\" out",
                        "squash");
  if (!r.reason.empty()) return check_text(r.reason, "reason", kMostReason);
  return core::refuse(Code::kInvalidInput,
                      "work goes back with a reason, which its next attempt is told; give one as \"reason\"",
                      "reason");
}

}  // namespace

Result<core::Run> ask_landing(OperationContext& ctx, AskLandingRequest const& r) {
  ANDON_TRY(auto run, run_to_land(ctx, r.id));
  run.landing->findings = r.findings;
  run.landing->allowed_by.clear();
  auto const reason = std::string{core::beginning(core::in_words(r.findings), kMostQuestion)};
  mark_landing(ctx, run, LandingState::asked, reason);
  tell_of_landing(ctx, run, {{"landing", "asked"}, {"reason", reason}});
  return run;
}

Result<core::Run> judge_landing(OperationContext& ctx, JudgeLandingRequest const& r) {
  if (is_run(ctx))
    return core::refuse(Code::kForbidden, "a run may not say whether work lands; a person does", "id");
  ANDON_CHECK(check_verdict(r));
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  ANDON_TRY(auto run, landing_of(ctx, task));
  if (is_given(*run.landing, r)) return run;
  if (!is_asked(run)) return refuse_unasked(task, *run.landing);
  if (r.verdict == LandingVerdict::land)
    let_land(ctx, run, r.squash);
  else
    return_work(ctx, run, core::to_text(ctx.caller.actor) + " did not let it land: " + r.reason);
  return run;
}

}  // namespace andon::service
