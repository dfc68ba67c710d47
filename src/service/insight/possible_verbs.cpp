#include "service/insight/possible_verbs.hpp"

#include <array>
#include <utility>

#include "service/tasks/claim.hpp"
#include "service/tasks/stop.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

std::unexpected<core::Error> nothing_to_do(Change const& change, std::string const& because) {
  return core::refuse(Code::kStatusConflict, "task #" + std::to_string(change.before.id) + " " + because);
}

Result<void> approve(OperationContext& ctx, Change& change) {
  if (is_approved_already(ctx, change)) return nothing_to_do(change, "is approved already");
  return prepare_approve(ctx, change);
}

Result<void> complete(OperationContext& ctx, Change& change) {
  if (is_complete_already(change)) return nothing_to_do(change, "is finished already");
  return check_complete(ctx, change);
}

Result<void> may_unblock(OperationContext& ctx, Change& change) {
  return is_blocked(change) ? prepare_unblock(ctx, change) : nothing_to_do(change, "is not blocked");
}

Result<void> archive(OperationContext&, Change& change) {
  if (change.before.stage == core::Stage::archived) return nothing_to_do(change, "is archived already");
  return check_archive(change);
}

Result<void> may_release(OperationContext&, Change& change) {
  return change.before.claimed_by.empty() ? nothing_to_do(change, "is held by nobody") : Result<void>{};
}

Result<void> start(OperationContext& ctx, Change& change) {
  if (change.before.stage == core::Stage::active) return nothing_to_do(change, "is in work already");
  return prepare_start(ctx, change, {});
}

template <auto Check>
Result<void> as_checked(OperationContext& ctx, Change& change) {
  return Check(ctx, change);
}

/// One verb over HTTP: whether it minds a claim of somebody else, whether it first stops an agent, and what
/// else it refuses.
struct VerbRow {
  std::string_view verb;
  bool minds_claims = false;
  bool stops_agent = false;
  Result<void> (*check)(OperationContext& ctx, Change& change);
};
constexpr std::array kVerbs{
    VerbRow{"approve", false, false, &approve},
    VerbRow{"claim", true, false,
            [](OperationContext& ctx, Change& change) { return prepare_claim(ctx, change, holder(ctx)); }},
    VerbRow{"release", false, true, &may_release},
    VerbRow{"start", true, false, &start},
    VerbRow{"submit", true, true, &as_checked<&check_submit>},
    VerbRow{"complete", true, true, &complete},
    VerbRow{"fail", true, true, &as_checked<&check_fail>},
    VerbRow{"handoff", true, true, &as_checked<&check_handoff>},
    VerbRow{"block", true, true, [](OperationContext&, Change& change) { return check_block(change); }},
    VerbRow{"unblock", false, false, &may_unblock},
    VerbRow{"answer", false, false, &as_checked<&prepare_answer>},
    VerbRow{"accept", false, false, &as_checked<&check_accept>},
    VerbRow{"reject", false, false, &as_checked<&check_reject>},
    VerbRow{"retry", false, false, &as_checked<&prepare_retry>},
    VerbRow{"kill", false, true, &as_checked<&check_kill>},
    VerbRow{"archive", true, true, &archive},
    VerbRow{"move", true, true, [](OperationContext&, Change&) { return Result<void>{}; }},
    VerbRow{"note", false, false, [](OperationContext&, Change&) { return Result<void>{}; }},
};

/// Names the agent where the claim is that of its run: such a claim has no end that a person could wait for.
core::Error in_words(Change const& change, core::Error error) {
  if (error.code != Code::kTaskClaimed || !change.before.state.supervised) return error;
  error.message = "\"" + change.before.claimed_by + "\" works on it; stop the run first";
  return error;
}

Result<void> check(OperationContext& ctx, Change change, VerbRow const& row) {
  if (row.minds_claims) ANDON_CHECK(check_proof(ctx, change, {}));
  ANDON_CHECK(row.check(ctx, change));
  return row.stops_agent ? check_stop(ctx, change, row.verb) : Result<void>{};
}

}  // namespace

bool wants_verbs(Caller const& caller) {
  return caller.role != Role::run &&
         (caller.source == "web" || caller.source == "api" || caller.source == "tui");
}

void tell_verbs(OperationContext& ctx, core::Task& task) {
  auto const revision = std::exchange(ctx.expected_rev, std::nullopt);
  auto const change = open_foreign(ctx, {std::to_string(task.id)});
  ctx.expected_rev = revision;
  if (!change) return;
  for (auto const& row : kVerbs) {
    if (auto const allowed = check(ctx, *change, row); allowed)
      task.can.emplace_back(row.verb);
    else
      task.cannot.emplace(row.verb, in_words(*change, allowed.error()).message);
  }
}

}  // namespace andon::service
