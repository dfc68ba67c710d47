#include "service/insight/attention.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "core/tasks/claim.hpp"
#include "core/tasks/pick.hpp"
#include "core/tasks/plan_rule.hpp"
#include "core/text/names.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/next_step.hpp"
#include "service/limits/accounts.hpp"
#include "service/limits/budgets.hpp"
#include "service/limits/faults.hpp"
#include "service/limits/machine.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "service/tasks/kernel/verdict.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::AttentionFacts;
using core::AttentionKind;
using core::Result;
using core::Stage;

constexpr int kUsualEntries = 100;
constexpr int kMostEntries = 500;
/// The most tasks of one column or of one list that are looked at.
constexpr std::size_t kMostWaiting = 1'000;
/// Tasks that wait for approval are looked for among the newest of a board.
constexpr std::size_t kMostUnapproved = 300;
/// The most tasks that one answer looks at.
constexpr std::size_t kMostLookedAt = 20'000;
constexpr std::size_t kFaultBytes = 2'048;  ///< of a fault, which ends with the next step
constexpr std::size_t kShownBytes = 300;
constexpr char kPlanToJudge[] = "a plan waits for your verdict";

/// The acts that a person has for each kind.
std::array<std::vector<std::string>, core::kAttentionKinds> const& acts_of_kinds() {
  static std::array<std::vector<std::string>, core::kAttentionKinds> const all{{
      {"answer"},
      {"answer"},
      {"landing"},
      {"retry_fault"},
      {"accept", "reject"},
      {"accept", "reject"},
      {"retry"},
      {"retry"},
      {"kill"},
      {"approve"},
      {},
      {},
  }};
  return all;
}

/// A task that no person made: an agent, an automation or a chat did.
bool is_made_by_machine(core::Task const& task) {
  auto const actor = core::parse_actor(task.created_by);
  if (!actor) return false;
  return actor->kind == core::ActorKind::worker || actor->kind == core::ActorKind::automation ||
         actor->kind == core::ActorKind::telegram;
}

bool is_tried_again_later(core::Task const& task) {
  return task.stage == Stage::ready && !task.blocked && !task.state.last_failure.empty() && task.not_before;
}

bool is_unapproved(OperationContext const& ctx, core::Board const& board, core::Task const& task) {
  bool const waits = (core::is_backlog(task.stage) && is_made_by_machine(task)) ||
                     (core::is_ready(task.stage) && core::is_unread(board, task));
  bool const is_free = !task.blocked && task.state.open_deps == 0 && !core::is_claimed(task, ctx.now) &&
                       (!task.not_before || *task.not_before <= ctx.now);
  return waits && !task.approved && is_free;
}

AttentionFacts facts_of(OperationContext& ctx, core::Board const& board, core::Task const& task,
                        core::Run const* run) {
  AttentionFacts out;
  out.stage = task.stage;
  out.blocked = task.blocked;
  out.runs = run && run->state != core::RunState::ended;
  out.asks_in_work =
      run && run->state == core::RunState::running && task.question && task.question->run == run->id;
  out.asks = task.question && !task.question->run;
  out.landing_asked = run && is_asked(*run);
  out.returned = run && run->landing && run->landing->state == core::LandingState::returned;
  out.no_evidence = task.state.remark == core::WorkRemark::no_evidence;
  out.was_tried = task.attempt > 0;
  out.plan_waits = core::waits_with_plan(task);
  out.has_reviewer = has_reviewer(ctx, board, task);
  out.tries_again = is_tried_again_later(task);
  out.unapproved = is_unapproved(ctx, board, task);
  return out;
}

/// The reason of an entry, in the words of whoever gave it.
std::string reason_of(AttentionKind kind, core::Task const& task, core::Run const* run) {
  switch (kind) {
    case AttentionKind::waiting:
    case AttentionKind::question: return task.question->text;
    case AttentionKind::landing:
    case AttentionKind::returned: return std::string{core::beginning(run->landing->reason, kShownBytes)};
    case AttentionKind::review:
      if (core::waits_with_plan(task)) return kPlanToJudge;
      return std::string{core::beginning(task.result, kShownBytes)};
    case AttentionKind::no_evidence: return task.flag;
    case AttentionKind::failed:
      return std::string{
          core::beginning(task.blocked ? task.block_reason : task.state.last_failure, kShownBytes)};
    default: return task.created_by.empty() ? std::string{} : "made by " + task.created_by;
  }
}

/// Collects the entries of one answer. A task is listed once.
class AttentionSearch {
 public:
  AttentionSearch(OperationContext& ctx, core::Board const* only) : ctx_(ctx), only_(only) {}

  Result<void> tasks() {
    live_runs();
    for (auto const id : asked_runs(ctx_)) add_task_of(id);
    for (auto const id : returned_runs(ctx_)) add_task_of(id);
    store::TaskFilter blocked;
    blocked.blocked = true;
    blocked.stages = {Stage::backlog, Stage::ready,   Stage::claimed, Stage::active,
                      Stage::review,  Stage::blocked, Stage::failed};
    if (only_) blocked.board = only_->id;
    ANDON_CHECK(add_listed(blocked));
    auto const all = boards();
    for (auto const* board : all) ANDON_CHECK(add_waiting(*board));
    for (auto const* board : all) ANDON_CHECK(add_unapproved(*board));
    return {};
  }

  /// Agents that live and get nothing done, after all tasks: one of these may be listed already.
  void silent_agents() {
    auto const frozen = frozen_now(ctx_);
    for (auto const& run : ctx_.tx.live_runs()) {
      auto const about = is_frozen(frozen, run.board, run.worker) ? std::nullopt : silence_of(run);
      auto const task = about ? ctx_.tx.task(run.task) : std::nullopt;
      if (!task || !shows(task->board)) continue;
      auto entry = entry_about(AttentionKind::silent, *task, about->since);
      entry.text = about->text;
      entry.worker = run.worker;
      if (seen_.insert(task->id).second) add(std::move(entry));
    }
  }

  void faults() {
    for (auto const& fault : held_faults(ctx_)) {
      bool const is_board = fault.scope == core::FaultScope::board;
      if (only_ && (!is_board || fault.name != only_->name)) continue;
      AttentionEntry entry;
      entry.kind = AttentionKind::fault;
      (is_board ? entry.board : entry.machine) = fault.name;
      entry.since = fault.since;
      entry.until = fault.until;
      entry.text = std::string{core::beginning(fault.text, kFaultBytes)};
      add(std::move(entry));
    }
  }

  void budgets() {
    for (auto const& day : days_of(ctx_)) {
      if (day.reached.empty() || (only_ && day.board != only_->name)) continue;
      AttentionEntry entry;
      entry.kind = AttentionKind::budget;
      entry.board = day.board;
      entry.worker = day.worker;
      entry.text = "the budget of the day is spent: " + day.reached;
      add(std::move(entry));
    }
  }

  /// Whether a worker of the account can start nothing. While another account is free, nobody is needed.
  bool holds_a_worker(core::Account const& account) {
    return std::ranges::any_of(ctx_.tx.workers(), [&](core::Worker const& worker) {
      auto const agents = core::agents_of(worker);
      return std::ranges::find(agents, account.name) != agents.end() && !usable_agent(ctx_, worker);
    });
  }

  void limits() {
    if (only_) return;
    if (auto const accounts = list_accounts(ctx_, {}))
      for (auto const& account : accounts->items)
        if (account.paused || (core::is_limited(account, ctx_.now) && holds_a_worker(account)))
          add(resting(account));
    for (auto const& worker : ctx_.tx.workers())
      if (worker.paused && !worker.paused_because.empty()) add(paused(worker));
  }

  AttentionList answer(std::size_t limit) && {
    std::ranges::sort(out_.items, {}, [](AttentionEntry const& entry) {
      return std::tuple{entry.kind, entry.since.value_or(core::Instant{}),
                        entry.id.value_or(core::TaskId{0})};
    });
    if (out_.items.size() > limit) {
      out_.items.resize(limit);
      out_.more = true;
    }
    return std::move(out_);
  }

 private:
  struct Silence {
    core::Instant since;
    std::string text;
  };
  std::optional<Silence> silence_of(core::Run const& run) {
    if (auto const since = stands_still_since(ctx_, run)) {
      if (ctx_.now - *since < kLongestStandstill) return std::nullopt;
      return Silence{*since,
                     "the agent stands still, because other programs use the memory of its machine; free "
                     "memory there, or end the run"};
    }
    auto const light = light_of_run(ctx_, run);
    bool const is_quiet = light == core::WorkerStatus::silent || light == core::WorkerStatus::stale;
    if (!is_quiet) return std::nullopt;
    return Silence{run.progress.value_or(run.started), "the agent reports no progress"};
  }

  bool shows(std::string const& board) const {
    auto const* found = ctx_.tx.board(board);
    return found && !found->archived && (!only_ || only_->id == found->id);
  }

  std::vector<core::Board const*> boards() const {
    if (only_) return {only_};
    auto out = ctx_.tx.boards();
    std::erase_if(out, [](auto const* board) { return board->archived; });
    return out;
  }

  void live_runs() {
    for (auto const& run : ctx_.tx.live_runs())
      if (auto const task = ctx_.tx.task(run.task); task && task->question) consider(*task);
  }

  void add_task_of(core::RunId id) {
    auto const run = ctx_.tx.run(id);
    auto const task = run ? ctx_.tx.task(run->task) : std::nullopt;
    if (task && is_work_of(ctx_, *task, *run)) consider(*task);
  }

  Result<void> add_waiting(core::Board const& board) {
    store::TaskFilter waiting;
    waiting.board = board.id;
    waiting.stages = {Stage::review, Stage::blocked, Stage::failed};
    return add_listed(waiting);
  }

  Result<void> add_unapproved(core::Board const& board) {
    store::TaskFilter newest;
    newest.board = board.id;
    newest.stages = {Stage::backlog};
    if (core::needs_reader(board)) newest.stages.push_back(Stage::ready);
    ANDON_TRY(auto const found, list(newest, {kMostUnapproved, {}, store::TaskOrder::id, true}));
    for (auto const& task : found.tasks) consider(task);
    return {};
  }

  Result<void> add_listed(store::TaskFilter const& filter) {
    ANDON_TRY(auto const found, list(filter, {kMostWaiting, {}}));
    for (auto const& task : found.tasks) consider(task);
    if (!found.next.empty()) out_.more = true;
    return {};
  }

  /// A page of tasks; empty when the answer has looked at as many as it may.
  Result<store::TaskPage> list(store::TaskFilter const& filter, store::Page page) {
    page.limit = std::min(page.limit, kMostLookedAt - looked_at_);
    if (page.limit == 0) {
      out_.more = true;
      return store::TaskPage{};
    }
    ANDON_TRY(auto found, ctx_.tx.list(filter, page));
    looked_at_ += found.tasks.size();
    return found;
  }

  void consider(core::Task const& task) {
    auto const* board = shows(task.board) ? ctx_.tx.board(task.board) : nullptr;
    if (!board || seen_.contains(task.id)) return;
    auto const run = task.run ? ctx_.tx.run(*task.run) : std::nullopt;
    auto const* last = run ? &*run : nullptr;
    auto const kind = core::attention_of(facts_of(ctx_, *board, task, last));
    if (!kind) return;
    seen_.insert(task.id);
    auto entry = entry_about(*kind, task, task.question ? task.question->asked_at : task.state.entered);
    entry.text = reason_of(*kind, task, last);
    if (task.question) entry.choices = task.question->choices;
    if (last) entry.worker = last->worker;
    add(std::move(entry));
  }

  static AttentionEntry entry_about(AttentionKind kind, core::Task const& task, core::Instant since) {
    AttentionEntry out;
    out.kind = kind;
    out.board = task.board;
    out.id = task.id;
    out.key = task.key;
    out.title = task.title;
    out.status = task.status;
    out.since = since;
    return out;
  }

  static AttentionEntry resting(core::Account const& account) {
    AttentionEntry out;
    out.kind = AttentionKind::limit;
    out.account = account.name;
    out.until = account.limited_until;
    out.text = (account.paused ? "the account is paused" : std::string{}) +
               (account.paused && !account.reason.empty() ? ": " : "") +
               std::string{core::beginning(account.reason, kShownBytes)};
    out.can = {"resume_account"};
    return out;
  }

  static AttentionEntry paused(core::Worker const& worker) {
    AttentionEntry out;
    out.kind = AttentionKind::limit;
    out.worker = worker.name;
    out.text = "paused: " + std::string{core::beginning(worker.paused_because, kShownBytes)};
    out.can = {"resume_worker"};
    return out;
  }

  void add(AttentionEntry entry) {
    if (entry.can.empty()) entry.can = acts_of_kinds()[static_cast<std::size_t>(entry.kind)];
    ++out_.counts[std::string{core::to_text(entry.kind)}];
    out_.items.push_back(std::move(entry));
  }

  OperationContext& ctx_;
  core::Board const* only_;  ///< all boards when null
  std::set<core::TaskId> seen_;
  std::size_t looked_at_ = 0;
  AttentionList out_;
};

}  // namespace

Result<AttentionList> list_attention(OperationContext& ctx, AttentionRequest const& r) {
  auto const limit = r.limit.value_or(kUsualEntries);
  if (limit < 1 || limit > kMostEntries)
    return core::refuse(core::Code::kInvalidInput, "\"limit\" must be from 1 to 500", "limit");
  core::Board const* only = nullptr;
  if (!r.board.empty()) ANDON_SET(only, find_board(ctx, r.board));
  AttentionSearch search{ctx, only};
  ANDON_CHECK(search.tasks());
  search.silent_agents();
  search.faults();
  search.budgets();
  search.limits();
  auto out = std::move(search).answer(static_cast<std::size_t>(limit));
  for (auto const id : orphans(ctx))
    if (!only || ctx.tx.task(id)->board == only->name) out.orphans.push_back(id);
  return out;
}

std::optional<AttentionKind> attention_of(OperationContext& ctx, core::Board const& board,
                                          core::Task const& task, core::Run const* last) {
  return core::attention_of(facts_of(ctx, board, task, last));
}

std::optional<AttentionKind> attention_of(Card const& card) {
  AttentionFacts facts;
  facts.stage = card.stage;
  facts.blocked = card.blocked.value_or(false);
  facts.runs = card.run && card.run->state != core::RunState::ended;
  facts.asks_in_work = card.run && card.run->state == core::RunState::running && card.question &&
                       card.question->run == card.run->id;
  facts.asks = card.question && !card.question->run;
  facts.landing_asked = card.landing_asked.value_or(false);
  facts.returned = card.returned.value_or(false);
  facts.no_evidence = card.remark == core::WorkRemark::no_evidence;
  facts.was_tried = card.attempt > 0;
  facts.plan_waits = card.plan_state == core::PlanState::proposed;
  facts.has_reviewer = card.has_reviewer.value_or(false);
  facts.tries_again =
      card.stage == Stage::ready && !facts.blocked && !card.failure.empty() && card.not_before;
  return core::attention_of(facts);
}

}  // namespace andon::service
