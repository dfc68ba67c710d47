#include "core/tasks/verbs.hpp"

#include <algorithm>
#include <array>

#include "core/tasks/plan_rule.hpp"

namespace andon::core {
namespace {

using enum Stage;

constexpr std::array kEdges{
    Edge{backlog, Verb::approve, ready},    Edge{backlog, Verb::block, blocked},
    Edge{backlog, Verb::archive, archived},

    Edge{ready, Verb::shelve, backlog},     Edge{ready, Verb::claim, claimed},
    Edge{ready, Verb::block, blocked},      Edge{ready, Verb::archive, archived},

    Edge{claimed, Verb::kill, backlog},     Edge{claimed, Verb::release, ready},
    Edge{claimed, Verb::recover, ready},    Edge{claimed, Verb::start, active},
    Edge{claimed, Verb::block, blocked},    Edge{claimed, Verb::fail, failed},

    Edge{active, Verb::kill, backlog},      Edge{active, Verb::release, ready},
    Edge{active, Verb::fail_retry, ready},  Edge{active, Verb::recover, ready},
    Edge{active, Verb::submit, review},     Edge{active, Verb::block, blocked},
    Edge{active, Verb::fail, failed},       Edge{active, Verb::complete, done},

    Edge{review, Verb::reject, ready},      Edge{review, Verb::reject_resume, active},
    Edge{review, Verb::block, blocked},     Edge{review, Verb::accept, done},

    Edge{blocked, Verb::shelve, backlog},   Edge{blocked, Verb::unblock, ready},
    Edge{blocked, Verb::unblock, active},   Edge{blocked, Verb::unblock, review},
    Edge{blocked, Verb::archive, archived},

    Edge{failed, Verb::shelve, backlog},    Edge{failed, Verb::retry, ready},
    Edge{failed, Verb::archive, archived},

    Edge{done, Verb::reopen, ready},        Edge{done, Verb::archive, archived},

    Edge{archived, Verb::restore, backlog},
};

constexpr std::array kRows{
    // clang-format off
    VerbRow{.verb = Verb::approve, .from = From::steps, .also = Also::unread,
            .guards = {Guard::person, Guard::no_verdict_awaits, Guard::stage}, .effects = {Effect::approve},
            .to = Target::ready_unless_waiting, .event = EventKind::task_approved,
            .idle = "is approved already", .is_offered = true},
    VerbRow{.verb = Verb::claim, .effects = {Effect::begin_claim}, .to = Target::claimed_from_ready,
            .event = EventKind::task_claimed, .heeds_claims = true, .is_offered = true},
    VerbRow{.verb = Verb::release, .effects = {Effect::end_claim}, .to = Target::ready_when_released,
            .entry = Entry::queued, .event = EventKind::task_released, .tells = Tells::holder,
            .agent = Agent::stops_first, .stop_reason = "released", .idle = "is held by nobody",
            .is_offered = true},
    VerbRow{.verb = Verb::start, .from = From::steps, .also = Also::ready,
            .guards = {Guard::held, Guard::stage, Guard::no_dependency}, .to = Target::active,
            .event = EventKind::task_started, .heeds_claims = true, .idle = "is in work already",
            .is_offered = true},
    VerbRow{.verb = Verb::submit, .from = From::work,
            .guards = {Guard::stage, Guard::approved, Guard::review_column},
            .effects = {Effect::keep_result, Effect::end_claim}, .to = Target::review,
            .event = EventKind::task_submitted, .otherwise = EventKind::task_completed,
            .tells = Tells::result, .agent = Agent::stops_first, .heeds_claims = true,
            .report = AgentReport::done, .is_offered = true},
    VerbRow{.verb = Verb::complete, .from = From::work,
            .guards = {Guard::stage, Guard::approved, Guard::run_waits_for_none},
            .effects = {Effect::keep_new_result, Effect::end_claim, Effect::clear_failure,
                        Effect::clear_not_before},
            .to = Target::end_of_work, .event = EventKind::task_completed,
            .otherwise = EventKind::task_submitted, .tells = Tells::result, .agent = Agent::stops_first,
            .heeds_claims = true, .report = AgentReport::done, .idle = "is finished already",
            .is_offered = true},
    VerbRow{.verb = Verb::fail, .from = From::work, .guards = {Guard::stage, Guard::approved},
            .effects = {Effect::end_claim}, .to = Target::retry_or_failed, .entry = Entry::queued,
            .event = EventKind::task_failed, .otherwise = EventKind::task_retried, .tells = Tells::reason,
            .agent = Agent::stops_first, .heeds_claims = true, .report = AgentReport::fail,
            .is_offered = true},
    VerbRow{.verb = Verb::handoff, .from = From::work, .steps_of = Verb::submit,
            .guards = {Guard::stage, Guard::approved}, .to = Target::given, .entry = Entry::queued,
            .event = EventKind::task_submitted, .agent = Agent::stops_first, .stop_reason = "handed off",
            .heeds_claims = true, .report = AgentReport::handoff, .is_offered = true},
    VerbRow{.verb = Verb::block, .from = From::work, .also = Also::blocked, .guards = {Guard::stage},
            .effects = {Effect::end_claim, Effect::block}, .to = Target::blocked, .entry = Entry::queued,
            .event = EventKind::task_blocked, .tells = Tells::reason, .agent = Agent::stops_first,
            .heeds_claims = true, .report = AgentReport::block, .is_offered = true},
    VerbRow{.verb = Verb::unblock, .effects = {Effect::clear_block, Effect::clear_failure},
            .to = Target::before_block, .event = EventKind::task_unblocked, .tells = Tells::title,
            .not_by_run = "unblock a task", .idle = "is not blocked", .is_offered = true},
    VerbRow{.verb = Verb::answer, .guards = {Guard::asks_something, Guard::same_question},
            .effects = {Effect::take_answer}, .to = Target::before_block, .event = EventKind::task_answered,
            .tells = Tells::answer, .not_by_run = "answer a question", .is_offered = true},
    VerbRow{.verb = Verb::accept, .from = From::steps, .guards = {Guard::stage},
            .effects = {Effect::end_claim, Effect::clear_remark}, .to = Target::done,
            .event = EventKind::task_accepted, .is_offered = true, .on_plan = Verb::accept_plan},
    VerbRow{.verb = Verb::reject, .from = From::steps, .guards = {Guard::stage},
            .effects = {Effect::end_claim, Effect::keep_failure, Effect::clear_remark}, .to = Target::ready,
            .event = EventKind::task_rejected, .tells = Tells::reason, .is_offered = true,
            .on_plan = Verb::return_plan},
    VerbRow{.verb = Verb::retry, .from = From::steps, .also = Also::waiting_or_parked,
            .guards = {Guard::stage},
            .effects = {Effect::clear_not_before, Effect::clear_failure, Effect::clear_block,
                        Effect::clear_attempts, Effect::approve},
            .to = Target::ready, .event = EventKind::task_retried, .not_by_run = "retry a task",
            .is_offered = true},
    VerbRow{.verb = Verb::kill, .guards = {Guard::something_to_end},
            .effects = {Effect::end_claim, Effect::unapprove}, .to = Target::backlog_or_block,
            .entry = Entry::queued, .event = EventKind::task_killed, .agent = Agent::stops_first,
            .stop_reason = "killed", .is_offered = true},
    VerbRow{.verb = Verb::archive, .guards = {Guard::may_be_put_away}, .effects = {Effect::end_claim},
            .to = Target::archived, .entry = Entry::queued, .event = EventKind::task_archived,
            .tells = Tells::title, .agent = Agent::stops_first, .stop_reason = "archived",
            .heeds_claims = true, .not_by_run = "archive tasks", .idle = "is archived already",
            .is_offered = true},
    VerbRow{.verb = Verb::move, .effects = {Effect::end_agents_claim}, .to = Target::by_hand, .entry = Entry::queued,
            .event = EventKind::task_moved, .agent = Agent::stops_first, .heeds_claims = true,
            .is_offered = true},
    VerbRow{.verb = Verb::note, .event = EventKind::task_noted, .is_offered = true},
    VerbRow{.verb = Verb::remove, .guards = {Guard::may_be_put_away}, .effects = {Effect::end_claim},
            .to = Target::archived, .entry = Entry::queued, .event = EventKind::task_deleted,
            .tells = Tells::title, .agent = Agent::stops_first, .stop_reason = "deleted",
            .heeds_claims = true, .not_by_run = "delete tasks", .idle = "is archived already"},
    VerbRow{.verb = Verb::exhaust, .effects = {Effect::end_claim, Effect::block}, .to = Target::blocked,
            .entry = Entry::queued, .event = EventKind::task_blocked, .tells = Tells::reason,
            .agent = Agent::stops_first},
    VerbRow{.verb = Verb::recover, .effects = {Effect::end_claim}, .to = Target::ready_from_work,
            .entry = Entry::queued, .event = EventKind::task_released},
    VerbRow{.verb = Verb::accept_plan, .guards = {Guard::plan_judge, Guard::no_live_run},
            .effects = {Effect::end_claim, Effect::accept_plan, Effect::clear_remark, Effect::clear_plan_block},
            .to = Target::ready_from_plan, .event = EventKind::task_accepted},
    VerbRow{.verb = Verb::return_plan, .guards = {Guard::plan_judge, Guard::no_live_run},
            .effects = {Effect::end_claim, Effect::return_plan, Effect::clear_remark, Effect::clear_plan_block},
            .to = Target::ready_from_plan, .event = EventKind::task_rejected, .tells = Tells::reason},
    VerbRow{.verb = Verb::shelve, .to = Target::given, .event = EventKind::task_moved},
    VerbRow{.verb = Verb::reject_resume, .to = Target::given, .event = EventKind::task_moved},
    VerbRow{.verb = Verb::fail_retry, .to = Target::retry_or_failed, .event = EventKind::task_retried},
    VerbRow{.verb = Verb::reopen, .to = Target::given, .event = EventKind::task_moved},
    VerbRow{.verb = Verb::restore, .to = Target::given, .event = EventKind::task_moved},
    // clang-format on
};

consteval bool every_stage_is_reachable() {
  for (std::size_t s = 0; s < kStages; ++s)
    if (std::ranges::none_of(kEdges, [&](Edge const& e) { return e.to == static_cast<Stage>(s); }))
      return false;
  return true;
}
consteval bool no_stage_is_a_dead_end() {
  for (std::size_t s = 0; s < kStages; ++s)
    if (std::ranges::none_of(kEdges, [&](Edge const& e) { return e.from == static_cast<Stage>(s); }))
      return false;
  return true;
}
consteval bool killed_work_never_returns_to_dispatch() {
  return std::ranges::all_of(kEdges, [](Edge const& e) { return e.verb != Verb::kill || e.to == backlog; });
}
consteval bool no_edge_is_written_twice() {
  for (std::size_t i = 0; i < kEdges.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (kEdges[i].from == kEdges[j].from && kEdges[i].to == kEdges[j].to &&
          kEdges[i].verb == kEdges[j].verb)
        return false;
  return true;
}
constexpr bool is_verdict(Verb verb) {
  return verb == Verb::accept || verb == Verb::reject || verb == Verb::accept_plan ||
         verb == Verb::return_plan;
}
consteval bool every_verb_has_its_row() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<std::size_t>(kRows[i].verb) != i) return false;
  return kRows.size() == kVerbNames.size();
}
/// A verb that ends the claim of an agent stops the agent first; the engine's own verbs find none.
consteval bool no_claim_is_taken_from_a_living_agent() {
  return std::ranges::all_of(kRows, [](VerbRow const& row) {
    bool const is_free = row.agent == Agent::stops_first || row.verb == Verb::recover || is_verdict(row.verb);
    return is_free || !row.effects.contains(Effect::end_claim);
  });
}
/// The report of a run is about work that can be stopped otherwise.
consteval bool reports_are_of_work() {
  return std::ranges::all_of(kRows, [](VerbRow const& row) { return !row.report || row.from == From::work; });
}
static_assert(every_stage_is_reachable() && no_stage_is_a_dead_end());
static_assert(killed_work_never_returns_to_dispatch() && no_edge_is_written_twice());
static_assert(every_verb_has_its_row() && no_claim_is_taken_from_a_living_agent() && reports_are_of_work());

template <class Names>
std::string joined(Names const& names) {
  std::string out;
  for (auto const& name : names) out += (out.empty() ? "" : ", ") + std::string{name};
  return out;
}

}  // namespace

std::span<VerbRow const> verb_rows() { return kRows; }
VerbRow const& row(Verb verb) { return kRows[static_cast<std::size_t>(verb)]; }

Verb meant_by(Verb verb, Task const& task) {
  return has_open_plan(task) ? row(verb).on_plan.value_or(verb) : verb;
}

std::optional<Stage> parse_stage(std::string_view text) {
  for (std::size_t i = 0; i < kStages; ++i)
    if (kStageNames[i] == text) return static_cast<Stage>(i);
  return std::nullopt;
}

std::span<Edge const> edges() { return kEdges; }

bool is_legal(Stage from, Stage to) {
  return std::ranges::any_of(kEdges, [&](Edge const& e) { return e.from == from && e.to == to; });
}

std::vector<Stage> targets(Stage from) {
  std::vector<Stage> out;
  for (std::size_t s = 0; s < kStages; ++s)
    if (is_legal(from, static_cast<Stage>(s))) out.push_back(static_cast<Stage>(s));
  return out;
}

Result<void> check_transition(Stage from, Stage to) {
  if (is_legal(from, to)) return {};
  std::vector<std::string> names;
  for (auto stage : targets(from)) names.emplace_back(to_text(stage));
  auto const text = "cannot go from " + std::string{to_text(from)} + " to " + std::string{to_text(to)} +
                    "; from here a task can go to: " + joined(names);
  return refuse(Error{Code::kIllegalTransition, text, "status", {}, {}}.with("allowed", std::move(names)));
}

namespace {

Result<void> verdict_on(Stage from, Verb verb) {
  if (std::ranges::any_of(kEdges, [&](auto const& edge) { return edge.from == from && edge.verb == verb; }))
    return {};
  std::vector<std::string> verbs;
  for (auto const& edge : kEdges)
    if (edge.from == from) verbs.emplace_back(to_text(edge.verb));
  auto const text = "cannot " + std::string{to_text(verb)} + " a task that is " + std::string{to_text(from)} +
                    "; possible now: " + joined(verbs);
  return refuse(Error{Code::kIllegalTransition, text, {}, {}, {}}.with("allowed", std::move(verbs)));
}

}  // namespace

/// Most answers name every verb that is refused, so the refusals are made once.
Result<void> check_verb(Stage from, Verb verb) {
  static auto const verdicts = [] {
    std::array<std::vector<Result<void>>, kStages> out;
    for (std::size_t stage = 0; stage < kStages; ++stage)
      for (auto const& each : verb_rows())
        out[stage].push_back(verdict_on(static_cast<Stage>(stage), each.verb));
    return out;
  }();
  return verdicts[static_cast<std::size_t>(from)][static_cast<std::size_t>(verb)];
}

}  // namespace andon::core
