#include "service/limits/faults.hpp"

#include <algorithm>

#include "core/runs/fault_scope.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "reflect/json.hpp"
#include "service/event_log.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::FaultScope;
using core::HeldFault;

constexpr std::string_view kKey = "faults";
constexpr std::size_t kMostFaults = 200;
constexpr std::size_t kFaultBytes = 4'096;

std::vector<HeldFault> kept_faults(OperationContext& ctx) {
  auto const text = ctx.tx.setting(std::string{kKey});
  auto const json = reflect::parse_json(text.value_or("{}"));
  auto read = json ? reflect::from_json<Faults>(*json) : core::Result<Faults>{Faults{}};
  return read ? std::move(read->items) : std::vector<HeldFault>{};
}

void keep(OperationContext& ctx, std::vector<HeldFault> faults) {
  ctx.tx.set_setting(std::string{kKey}, reflect::to_json(Faults{std::move(faults)}));
}

bool is_of(HeldFault const& fault, FaultScope scope, std::string_view name) {
  return fault.scope == scope && fault.name == name;
}

bool holds(HeldFault const& fault, core::Instant now) { return !fault.until || *fault.until > now; }

/// A board that was put away starts nothing, and one that was made since has only the name of the faulty one.
bool is_of_gone_board(OperationContext& ctx, HeldFault const& fault) {
  if (fault.scope != FaultScope::board) return false;
  auto const* board = ctx.tx.board(fault.name);
  return !board || board->archived || board->created > fault.since;
}

void tell(OperationContext& ctx, core::EventKind kind, HeldFault const& fault) {
  core::Event event;
  event.kind = kind;
  if (fault.scope == FaultScope::board) event.board = fault.name;
  Facts facts{
      {std::string{core::to_text(fault.scope)}, fault.name}, {"cause", fault.cause}, {"reason", fault.text}};
  if (fault.until) facts.emplace_back("until", core::to_text(*fault.until));
  append_event(ctx, std::move(event), facts);
}

/// A run that began before the fault was last met says nothing new about it.
void note_again(OperationContext& ctx, HeldFault& known, core::Run const& run, core::Fault const& met) {
  bool const is_new = known.times == 0 || run.started > known.since;
  known.text = core::beginning(met.text, kFaultBytes);
  if (!is_new) return;
  known.times = known.cause == met.cause ? known.times + 1 : 1;
  known.cause = met.cause;
  known.since = ctx.now;
  auto const hold = core::hold_of_fault(known.cause, known.times);
  known.until = hold ? std::optional{ctx.now + *hold} : std::nullopt;
}

void note(OperationContext& ctx, core::Run const& run, core::Fault const& met) {
  auto all = kept_faults(ctx);
  std::erase_if(all, [&](HeldFault const& each) { return is_of_gone_board(ctx, each); });
  auto const& name = met.scope == FaultScope::board ? run.board : run.runner;
  auto found = std::ranges::find_if(all, [&](HeldFault const& each) { return is_of(each, met.scope, name); });
  if (found == all.end()) {
    if (all.size() >= kMostFaults) all.erase(all.begin());
    all.push_back({.scope = met.scope, .name = name, .cause = {}, .text = {}, .times = 0, .task = run.task});
    found = all.end() - 1;
  }
  note_again(ctx, *found, run, met);
  auto const held = *found;
  keep(ctx, std::move(all));
  auto engine = as_system(ctx);
  tell(engine, core::EventKind::limit_reached, held);
}

/// True when the run came past the step at which the fault is met.
bool went_past(HeldFault const& fault, core::Run const& run) {
  bool const has_agent = run.exit && run.exit->code.has_value();
  // A planning run has no set-up and no checks.
  if (run.started < fault.since || !has_agent || run.plans) return false;
  return fault.cause != "check" ||
         (!run.checks.empty() && std::ranges::all_of(run.checks, &core::CheckResult::passed));
}

/// Forgets the faults for which `is_over` holds.
void forget(OperationContext& ctx, auto const& is_over) {
  std::vector<HeldFault> stay;
  std::vector<HeldFault> ended;
  for (auto& each : kept_faults(ctx)) (is_over(each) ? ended : stay).push_back(std::move(each));
  if (ended.empty()) return;
  keep(ctx, std::move(stay));
  for (auto const& fault : ended) tell(ctx, core::EventKind::limit_lifted, fault);
}

}  // namespace

core::Result<Faults> list_faults(OperationContext& ctx, NoRequest const&) { return Faults{held_faults(ctx)}; }

core::Result<HeldFault> retry_fault(OperationContext& ctx, FaultRequest const& r) {
  auto const faults = held_faults(ctx);
  auto const* found = fault_among(faults, r.scope, r.name);
  if (!found)
    return core::refuse(core::Code::kNotFound,
                        std::string{core::to_text(r.scope)} + " \"" + r.name +
                            "\" has no fault that keeps work from starting",
                        "name");
  forget(ctx, [&](HeldFault const& each) { return is_of(each, r.scope, r.name); });
  return *found;
}

void learn_of_fault(OperationContext& ctx, core::Run const& run, std::optional<core::Fault> const& met) {
  bool const is_held = met && (met->scope == FaultScope::board || met->scope == FaultScope::machine);
  if (is_held) return note(ctx, run, *met);
  auto engine = as_system(ctx);
  forget(engine, [&](HeldFault const& each) {
    bool const is_its =
        is_of(each, FaultScope::board, run.board) || is_of(each, FaultScope::machine, run.runner);
    return is_its && went_past(each, run);
  });
}

void forget_fault_of_board(OperationContext& ctx, std::string const& board) {
  forget(ctx, [&](HeldFault const& each) { return is_of(each, FaultScope::board, board); });
}

std::vector<HeldFault> held_faults(OperationContext& ctx) {
  auto out = kept_faults(ctx);
  std::erase_if(out,
                [&](HeldFault const& each) { return !holds(each, ctx.now) || is_of_gone_board(ctx, each); });
  return out;
}

HeldFault const* fault_among(std::vector<HeldFault> const& faults, FaultScope scope, std::string_view name) {
  auto const found =
      std::ranges::find_if(faults, [&](HeldFault const& each) { return is_of(each, scope, name); });
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace andon::service
