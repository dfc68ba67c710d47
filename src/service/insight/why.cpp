#include "service/insight/why.hpp"

#include <algorithm>

#include "core/tasks/pick.hpp"
#include "core/tasks/plan_rule.hpp"
#include "service/insight/next_step.hpp"
#include "service/limits/accounts.hpp"
#include "service/limits/budgets.hpp"
#include "service/limits/faults.hpp"
#include "service/limits/freeze.hpp"
#include "service/limits/machine.hpp"
#include "service/limits/quiet.hpp"
#include "service/remote_runners.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "service/tasks/pick.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Skip;
using core::Stage;

constexpr std::size_t kNamed = 5;
constexpr std::size_t kMostAsked = 50;
constexpr std::size_t kMostAhead = 1'000;

std::string number(core::TaskId id) { return "#" + std::to_string(id); }

/// Why the work of a run is not landed, as the end of a sentence.
std::string turn_or(std::string const& reason) { return reason.empty() ? ", in its turn" : ": " + reason; }
std::string why_waits(core::Run const& run) {
  if (is_asked(run)) return ", a person must say whether it lands: " + run.landing->reason;
  return turn_or(run.landing->reason);
}

struct StageRow {
  Stage stage;
  std::string_view says;
  std::string_view remedy{};
};
constexpr std::array kStages{
    StageRow{Stage::backlog, "it is in the backlog; approve it to let it be picked", "approve"},
    StageRow{Stage::claimed, "it is claimed and waits for its holder to start"},
    StageRow{Stage::active, "it is in work without an agent of this board"},
    StageRow{Stage::review, "its work is finished and waits for a verdict; accept or reject it", "verdict"},
    StageRow{Stage::blocked, "it is in the blocked column; unblock it", "answer"},
    StageRow{Stage::failed, "its attempts are used up; retry it", "retry"},
    StageRow{Stage::done, "it is done"},
    StageRow{Stage::archived, "it is archived"},
};

constexpr std::string_view kOrphan =
    "its run has ended, and nobody makes its next step, which is a defect of Andon; move it to another "
    "column";
constexpr std::string_view kPlan = "its plan waits for a verdict; accept it, or send it back with a reason";

struct SkipRow {
  Skip skip;
  std::string_view says;
  std::string_view remedy{};
};
constexpr std::array kSkips{
    SkipRow{Skip::wip, "a column on its way is full"},
    SkipRow{Skip::class_wip, "its class of service has reached its limit on the board"},
    SkipRow{Skip::touches, "a task in work touches the same files"},
    SkipRow{Skip::claimed, "its last agent has not ended yet"},
    SkipRow{Skip::dependency, "the work it builds on is accepted but not landed yet", "land"},
    SkipRow{Skip::approval, "a person must approve it first", "approve"},
};

core::ServiceClass const* class_of(core::Board const& board, core::Task const& task) {
  auto const index = core::class_index(board, task.class_);
  return index ? &board.classes[*index] : nullptr;
}

class Diagnosis {
 public:
  Diagnosis(OperationContext& ctx, core::Task const& task, core::Board const& board)
      : ctx_(ctx), task_(task), board_(board), class_(class_of(board, task)) {}

  std::vector<DispatchBlocker> all() {
    of_task();
    bool const waits_alone = out_.empty();
    of_board();
    of_workers(waits_alone);
    return std::move(out_);
  }
  std::string const& next_worker() const { return next_; }

 private:
  void add(std::string_view code, std::string text, std::string_view remedy = {}) {
    out_.push_back({std::string{code}, std::move(text), std::string{remedy}, {}, {}});
  }

  void of_task() {
    if (next_step_of(ctx_, task_) == core::NextStepOwner::nobody) add("orphan", std::string{kOrphan});
    if (auto const run = waiting_run(ctx_, task_))
      add("landing",
          is_asked(*run)
              ? "its work exceeds limits of the board; say whether it lands: " + run->landing->reason
              : "its work waits to be landed" + why_waits(*run),
          is_asked(*run) ? "judge_landing" : "land");
    if (auto const run = run_being_reverted(ctx_, task_.id))
      add("revert", "its landed work waits to be taken back" + turn_or(run->revert->reason));
    if (core::waits_with_plan(task_)) return add("plan", std::string{kPlan}, "verdict");
    auto const row = std::ranges::find(kStages, task_.stage, &StageRow::stage);
    if (row != kStages.end()) add("stage", std::string{row->says}, row->remedy);
    if (task_.blocked) add("blocked", "it is blocked: " + task_.block_reason, "answer");
    if (core::is_claimed(task_, ctx_.now)) add("claimed", "it is claimed by \"" + task_.claimed_by + "\"");
    open_dependencies();
    if (task_.not_before && *task_.not_before > ctx_.now)
      add("not_before",
          "it waits until " + core::to_text(*task_.not_before) +
              (task_.attempt > 0 ? " after a failed attempt; retry it to go on at once" : ""),
          "retry");
  }

  /// The work that the task builds on and that is not landed, each with its reason.
  std::string unlanded() const {
    std::string out;
    for (auto const& run : unlanded_work(ctx_, task_))
      out += (out.empty() ? ": " : ", ") + number(run.task) + why_waits(run);
    return out;
  }

  void open_dependencies() {
    std::string names;
    auto const open = open_dependency_ids(ctx_, task_);
    for (auto const id : open) names += (names.empty() ? "" : ", ") + number(id);
    if (open.empty()) return;
    add("dependency", "it waits for " + names);
    out_.back().task = open.front();
  }

  void of_board() {
    if (board_.archived) add("paused", "its board is archived");
    if (is_frozen(frozen_, board_.name, {})) add("frozen", "the agents of its board are frozen", "thaw");
    if (is_dispatch_paused(ctx_, board_)) {
      add("paused", "dispatch is paused", "resume_dispatch");
      if (!board_.auto_dispatch) out_.back().about = board_.name;
    }
    auto const faults = held_faults(ctx_);
    if (auto const* fault = fault_among(faults, core::FaultScope::board, board_.name)) {
      add("fault", fault_in_words(*fault), "retry_fault");
      out_.back().about = "board " + board_.name;
    }
    if (auto const* fault = fault_among(faults, core::FaultScope::machine, ctx_.answered_by)) {
      add("fault", fault_in_words(*fault), "retry_fault");
      out_.back().about = "machine " + fault->name;
    }
    if (auto const slots = check_slots(ctx_, board_); !slots)
      add("slots", slots.error().message, slots.error().details.empty() ? "raise_limit" : "raise_slots");
    if (auto const day = check_day(ctx_, board_); !day) add("budget", day.error().message);
    if (class_ && is_quiet(ctx_, *class_))
      add("quiet", "its class \"" + class_->name + "\" has quiet hours until " +
                       core::to_text(*core::end_of(*class_->quiet, ctx_.zones, ctx_.now)));
    if (!has_runner(ctx_)) add("runner", no_runner(), "start_server");
  }

  /// The first line says what failed, and the next one how; the rest is in the list of what waits for a
  /// person.
  static std::string fault_in_words(core::HeldFault const& fault) {
    auto text = fault.text;
    if (auto const end = text.find('\n'); end != std::string::npos) text[end] = ' ';
    return "nothing starts on " + std::string{core::to_text(fault.scope)} + " \"" + fault.name + "\"" +
           (fault.until ? " until " + core::to_text(*fault.until) : std::string{}) + ": " +
           text.substr(0, text.find('\n'));
  }

  std::string no_runner() const {
    auto const names = names_of_runners(ctx_);
    if (names.empty()) return "no server with a runner is at work here";
    return "no server with a runner is at work here, and no runner on another host was heard of in the last "
           "30 "
           "seconds; see: andon runners";
  }

  /// True when the runner of a server may start an agent of the worker.
  bool starts_on_server(core::Worker const& worker) const {
    return std::ranges::any_of(servers_with_runner(ctx_), [&](auto const& server) {
      return std::ranges::any_of(core::agents_of(worker),
                                 [&](auto const& agent) { return may_have_agent(ctx_, server, agent); });
    });
  }

  /// True when the runner, which is away, has an agent of the worker.
  bool is_waited_for(core::Runner const& runner, core::Worker const& worker) const {
    return runner.state == core::RunnerState::active &&
           std::ranges::any_of(core::agents_of(worker), [&](auto const& agent) {
             return std::ranges::find(runner.agents, agent, &core::RunnerAgent::id) != runner.agents.end();
           });
  }

  /// Why no runner on another host takes work of the worker; nothing where one does, or where a server's
  /// runner may.
  std::optional<std::string> why_no_runner(core::Worker const& worker) const {
    if (starts_on_server(worker)) return std::nullopt;
    std::vector<std::string> reasons;
    for (auto const& name : names_of_runners(ctx_)) {
      auto const runner = runner_named(ctx_, name);
      if (!runner) continue;
      if (!is_alive(ctx_, *runner)) {
        if (is_waited_for(*runner, worker))
          reasons.push_back("worker \"" + worker.name + "\" waits for runner \"" + name +
                            "\", which has its agent and was not heard of in the last 30 seconds");
        continue;
      }
      auto why = why_not_on(ctx_, *runner, worker);
      if (!why) why = why_not_on(*runner, board_);
      if (!why) return std::nullopt;
      reasons.push_back(*std::move(why));
    }
    if (reasons.empty()) return std::nullopt;
    std::string out;
    for (auto const& reason : std::span{reasons}.first(std::min(reasons.size(), kNamed)))
      out += (out.empty() ? "" : "; ") + reason;
    return reasons.size() > kNamed ? out + "; …" : out;
  }

  /// Says what keeps each fitting worker, but only when none of them is free.
  void of_workers(bool waits_alone) {
    std::vector<DispatchBlocker> kept;
    bool fits_somebody = false;
    for (auto const& worker : ctx_.tx.workers()) {
      if (!core::serves(worker, board_.name) || !core::fits(picker_of_worker(worker), task_)) continue;
      fits_somebody = true;
      if (auto blocker = of_worker(worker, waits_alone)) {
        kept.push_back(*std::move(blocker));
      } else {
        next_ = worker.name;
        return;
      }
    }
    if (!fits_somebody) return add("worker", nobody(), "assign");
    for (auto& blocker : kept)
      if (!is_said(blocker)) out_.push_back(std::move(blocker));
  }

  /// Runners give many workers one reason.
  bool is_said(DispatchBlocker const& blocker) const {
    return blocker.code == "runner" &&
           std::ranges::find(out_, blocker.text, &DispatchBlocker::text) != out_.end();
  }

  std::string nobody() const {
    if (!task_.assignee.empty())
      return "it is assigned to \"" + task_.assignee + "\", who is no worker of this board";
    if (!task_.role.empty()) return "no worker of this board has the role \"" + task_.role + "\"";
    return "nobody is assigned, and no worker of this board takes unassigned tasks";
  }

  std::optional<DispatchBlocker> of_worker(core::Worker const& worker, bool waits_alone) {
    auto const name = "worker \"" + worker.name + "\" ";
    if (worker.paused)
      return DispatchBlocker{
          "worker",
          name + "is paused" + (worker.paused_because.empty() ? "" : ": " + worker.paused_because),
          "resume_worker",
          worker.name,
          {}};
    if (is_frozen(frozen_, {}, worker.name))
      return DispatchBlocker{"frozen", name + "is frozen", "thaw", worker.name, {}};
    if (worker.agent.empty())
      return DispatchBlocker{"worker", name + "has no agent to run", {}, worker.name, {}};
    if (auto const busy = check_capacity(ctx_, worker, 0); !busy)
      return DispatchBlocker{"worker", busy.error().message, {}, worker.name, task_in(busy.error())};
    if (auto const day = check_day(ctx_, worker); !day)
      return DispatchBlocker{"budget", day.error().message, "raise_limit", worker.name, {}};
    if (auto const agent = usable_agent(ctx_, worker); !agent)
      return DispatchBlocker{"account", agent.error().message, "resume_account", worker.agent, {}};
    if (auto const quiet = check_quiet(ctx_, worker); !quiet)
      return DispatchBlocker{"quiet", quiet.error().message, {}, worker.name, {}};
    if (auto const room = class_ && is_expedite(*class_) ? std::nullopt : why_no_room(ctx_, board_, worker))
      return DispatchBlocker{"machine", *room, {}, worker.name, {}};
    if (auto const why = why_no_runner(worker)) return DispatchBlocker{"runner", *why, {}, {}, {}};
    if (!waits_alone) return std::nullopt;
    auto const skip = passed_over_by(ctx_, board_, worker, task_);
    auto const row = std::ranges::find(kSkips, skip, &SkipRow::skip);
    if (row != kSkips.end())
      return DispatchBlocker{std::string{core::kSkipNames[static_cast<std::size_t>(skip)]},
                             std::string{row->says} + (skip == Skip::dependency ? unlanded() : ""),
                             std::string{row->remedy},
                             {},
                             {}};
    return turn(worker);
  }

  std::optional<DispatchBlocker> turn(core::Worker const& worker) {
    std::vector<core::TaskId> ahead;
    ctx_.tx.candidates({board_.id, {task_.status}, core::queue_keys(board_, picker_of_worker(worker)), {}},
                       ctx_.now, [&](core::Task const& other) {
                         if (other.id == task_.id) return true;
                         ahead.push_back(other.id);
                         return ahead.size() >= kMostAhead;
                       });
    if (ahead.empty()) return std::nullopt;
    std::string names;
    for (auto const id : std::span{ahead}.first(std::min(ahead.size(), kNamed)))
      names += (names.empty() ? "" : ", ") + number(id);
    if (ahead.size() > kNamed) names += " …";
    return DispatchBlocker{"turn",
                           std::to_string(ahead.size()) +
                               (ahead.size() == 1 ? " task comes" : " tasks come") + " first for worker \"" +
                               worker.name + "\": " + names,
                           {},
                           worker.name,
                           ahead.front(),
                           std::ssize(ahead)};
  }

  static std::optional<core::TaskId> task_in(core::Error const& error) {
    for (auto const& [name, value] : error.details)
      if (auto const* id = std::get_if<std::int64_t>(&value); id && name == "task" && *id > 0)
        return core::TaskId{*id};
    return std::nullopt;
  }

  static core::Picker picker_of_worker(core::Worker const& worker) {
    return {worker.name, worker.role, true, worker.takes_unassigned};
  }

  OperationContext& ctx_;
  core::Task const& task_;
  core::Board const& board_;
  core::ServiceClass const* const class_;  ///< null for a class that the board does not have
  Frozen const frozen_ = frozen_now(ctx_);
  std::vector<DispatchBlocker> out_;
  std::string next_;
};

core::Result<DispatchBlockers> blockers_of(OperationContext& ctx, core::Task const& task) {
  ANDON_TRY(auto const* board, board_of(ctx, task));
  DispatchBlockers out{task.id, task.key, task.title, task.status, task.stage, false, next_step_of(ctx, task),
                       {},      {}};
  if (has_live_run(ctx, task)) {
    out.running = true;
    auto const run = *ctx.tx.run(*task.run);
    out.worker = run.worker;
    if (auto const since = stands_still_since(ctx, run))
      out.hindrances.push_back({"frozen",
                                "its agent stands still since " + core::to_text(*since) +
                                    ", because other programs use the memory of the machine; it goes on when "
                                    "more is free",
                                {},
                                out.worker,
                                {}});
    if (core::is_asked_by_live_run(task))
      out.hindrances.push_back(
          {"question", "its agent waits for your answer: " + task.question->text, "answer", out.worker, {}});
    return out;
  }
  Diagnosis diagnosis{ctx, task, *board};
  out.hindrances = diagnosis.all();
  out.worker = diagnosis.next_worker();
  return out;
}

}  // namespace

core::Result<DispatchBlockers> why_not_running(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  return blockers_of(ctx, task);
}

core::Result<DispatchBlockersOfTasks> why_tasks(OperationContext& ctx, WhyTasksRequest const& r) {
  if (r.tasks.empty() || r.tasks.size() > kMostAsked)
    return core::refuse(core::Code::kInvalidInput, "\"tasks\" must name from 1 to 50 tasks", "tasks");
  DispatchBlockersOfTasks out;
  for (auto const& ref : r.tasks) {
    auto const task = find_task(ctx, ref, "tasks");
    if (!task && task.error().code == core::Code::kTaskNotFound) continue;
    if (!task) return core::refuse(task.error());
    ANDON_TRY(auto one, blockers_of(ctx, *task));
    out.items.push_back(std::move(one));
  }
  return out;
}

}  // namespace andon::service
