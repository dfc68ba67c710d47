#include "service/tasks/pick.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/boards/wip.hpp"
#include "core/runs/retry.hpp"
#include "core/tasks/pick.hpp"
#include "core/text/names.hpp"
#include "service/about_field.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Skip;
using core::Stage;
using store::PickAnswer;

constexpr int kMostPicked = 100;
constexpr std::int64_t kMostCounted = 1'000;
/// A worker may have another task at the moment, or its account rests: then anybody goes on.
constexpr core::Duration kTimeToGoOn = std::chrono::seconds{60};

/// The request of a pick for one board, with checked names.
struct Search {
  core::Picker picker;
  core::Column const* target = nullptr;  ///< column the task moves to, if any
  bool starts = false;                   ///< work begins at once, so the active column must have room too
  std::vector<std::string> columns;
  std::vector<std::string> tags;
  std::string class_first;
  std::optional<std::vector<std::string>> classes{};  ///< only of these classes; of all by default
};

using Skipped = std::map<std::string, std::int64_t, std::less<>>;

/// The tasks that a pick passed over when it found nothing.
struct PassedOver {
  Skipped skipped{};           ///< numbers of tasks by reason
  bool is_unfinished = false;  ///< there are more tasks to look at
};

/// The assignees of tasks of a board of files that are no workers. As in kanban-md, a pick passes over no
/// task because of such an assignee.
std::vector<std::string> persons(OperationContext& ctx) {
  if (!ctx.tx.is_directory()) return {};
  auto out = ctx.tx.assignees();
  std::erase_if(out, [&](auto const& name) { return ctx.tx.worker(name) != nullptr; });
  return out;
}

core::Picker named_picker(OperationContext& ctx, std::string const& name, std::string const& role) {
  if (auto const* worker = ctx.tx.worker(name))
    return {worker->name, role.empty() ? worker->role : role, true, worker->takes_unassigned};
  return {name, role, false, true, !is_run(ctx)};
}

core::Picker picker_of(OperationContext& ctx, std::string const& name, std::string const& role) {
  auto out = named_picker(ctx, name, role);
  if (out.takes_unassigned) out.persons = persons(ctx);
  return out;
}

bool is_searched(core::Board const& board, core::Picker const& picker, core::Column const& column) {
  if (core::is_ready(column.stage)) return true;
  if (picker.registered || board.workflow == core::Workflow::strict) return false;
  return !core::is_terminal(column.stage) && column.stage != Stage::blocked && column.stage != Stage::failed;
}

Result<Search> search_for(OperationContext const& ctx, core::Board const& board, PickRequest const& r,
                          core::Picker picker) {
  Search search{std::move(picker), nullptr, false, {}, r.tags, {}};
  for (auto const& status : r.status) {
    ANDON_TRY(auto const* column, known_column(board, status));
    search.columns.push_back(column->name);
  }
  if (r.status.empty())
    for (auto const& column : board.columns)
      if (r.stage ? column.stage == *r.stage : is_searched(board, search.picker, column))
        search.columns.push_back(column.name);
  if (!r.move.empty()) {
    ANDON_SET(search.target, about_field("move", known_column(board, r.move)));
    // Picking is claiming and starting in one: it leads into work, wherever the strict machine holds.
    bool const leads_into_work =
        core::is_ready(search.target->stage) || core::is_in_work(search.target->stage);
    if ((board.workflow == core::Workflow::strict || is_run(ctx)) && !leads_into_work)
      ANDON_CHECK(core::check_transition(Stage::ready, search.target->stage));
  }
  if (!r.class_.empty()) ANDON_SET(search.class_first, known_class(board, r.class_));
  return search;
}

/// The column of a picked task: the asked one, the claimed column, for a worker the active column, else
/// nowhere.
core::Column const* target_of(core::Board const& board, Search const& search, core::Task const& task) {
  if (search.target) return search.target;
  if (!core::is_ready(task.stage)) return nullptr;
  if (auto const* column = core::claimed_column(board)) return column;
  return search.picker.registered ? core::active_column(board) : nullptr;
}

bool is_held_back(core::Board const& board, core::Load const& load, std::string const& status) {
  return std::ranges::any_of(board.columns, [&](core::Column const& column) {
    return !column.holds_back.empty() && core::same_name(column.holds_back, status) &&
           core::is_full(column, load);
  });
}

Skip check_target(core::Board const& board, core::Load const& load, core::Column const& target,
                  core::Task const& task) {
  auto moved = task;
  moved.status = target.name;
  moved.stage = target.stage;
  auto const fits = core::check_wip(board, load, target, moved, &task);
  if (fits) return Skip::none;
  return fits.error().code == Code::kClassWipExceeded ? Skip::class_wip : Skip::wip;
}

Skip check_targets(core::Board const& board, core::Load const& load, Search const& search,
                   core::Task const& task) {
  auto const* target = target_of(board, search, task);
  if (!target) return Skip::none;
  auto const skip = check_target(board, load, *target, task);
  auto const* active = search.starts ? core::active_column(board) : nullptr;
  if (skip != Skip::none || !active || active == target) return skip;
  return check_target(board, load, *active, task);
}

/// True when another worker has its time to go on with the task in the session of its last run.
bool is_kept_for_another(OperationContext& ctx, core::Picker const& picker, core::Task const& task) {
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  if (!picker.registered || !run || !core::goes_on(*run) || run->worker == picker.name) return false;
  auto const* worker = ctx.tx.worker(run->worker);
  return worker && !worker->paused && run->ended && ctx.now - *run->ended < kTimeToGoOn;
}

Skip check_candidate(OperationContext& ctx, core::Board const& board, core::Load const& load,
                     Search const& search, std::optional<std::vector<core::Task>>& busy,
                     core::Task const& task) {
  if (!search.picker.takes_unread && core::is_unread(board, task)) return Skip::approval;
  if (!core::fits(search.picker, task) || task.state.not_for == search.picker.name) return Skip::role;
  if (has_live_run(ctx, task)) return Skip::claimed;
  if (is_kept_for_another(ctx, search.picker, task)) return Skip::role;
  if (search.picker.registered && lands(board) && !unlanded_work(ctx, task).empty()) return Skip::dependency;
  auto const* target = target_of(board, search, task);
  bool const gated = !acting_worker(ctx).empty() || (board.workflow == core::Workflow::strict && target);
  if (gated && core::is_backlog(task.stage)) return Skip::approval;
  if (auto const skip = check_targets(board, load, search, task); skip != Skip::none) return skip;
  if (task.touches.empty()) return Skip::none;
  if (!busy) busy = ctx.tx.touching(board.id);
  bool const overlaps = std::ranges::any_of(*busy, [&](core::Task const& other) {
    bool const in_hands = core::is_in_work(other.stage) || core::is_claimed(other, ctx.now);
    return other.id != task.id && in_hands && core::any_overlap(task.touches, other.touches);
  });
  return overlaps ? Skip::touches : Skip::none;
}

/// The columns from which a full one further on lets nothing be picked.
std::vector<std::string> held_columns(core::Board const& board, core::Load const& load,
                                      Search const& search) {
  std::vector<std::string> out;
  for (auto const& column : search.columns)
    if (is_held_back(board, load, column)) out.push_back(column);
  return out;
}

/// Whether every later candidate will fail the same limit: it would go to the same column, and no later class
/// may enter a full one.
bool is_hopeless(core::Board const& board, Search const& search, core::Task const& task) {
  bool const one_target = search.target || std::ranges::all_of(search.columns, [&](auto const& name) {
                            return core::stage_of(board, name) == Stage::ready;
                          });
  if (!one_target || !search.class_first.empty()) return false;
  auto const rank = core::class_index(board, task.class_).value_or(0);
  return std::none_of(board.classes.begin() + static_cast<std::ptrdiff_t>(rank), board.classes.end(),
                      [](auto const& service_class) { return service_class.bypass_column_wip; });
}

store::PickScope scope_of(core::Board const& board, Search const& search) {
  return {board.id,           search.columns, core::queue_keys(board, search.picker),
          search.class_first, search.tags,    search.classes};
}

std::optional<core::Task> best(OperationContext& ctx, core::Board const& board, Search const& search,
                               PassedOver& passed) {
  auto scope = scope_of(board, search);
  auto const load = ctx.tx.load(board.id);
  auto const held = held_columns(board, load, search);
  std::erase_if(scope.columns, [&](auto const& name) { return std::ranges::find(held, name) != held.end(); });
  std::optional<std::vector<core::Task>> busy;
  std::optional<core::Task> found;
  bool const is_whole = ctx.tx.offer(scope, ctx.now, [&](core::Task const& task) {
    auto const skip = check_candidate(ctx, board, load, search, busy, task);
    if (skip == Skip::none) {
      found = task;
      return PickAnswer::take;
    }
    auto& count = passed.skipped[std::string{core::kSkipNames[static_cast<std::size_t>(skip)]}];
    ++count;
    if (skip == Skip::touches) return PickAnswer::held;
    bool const is_over = count >= kMostCounted && skip == Skip::wip && is_hopeless(board, search, task);
    return is_over ? PickAnswer::take : PickAnswer::pass;
  });
  if (!is_whole) passed.is_unfinished = true;
  return found;
}

/// Counts the tasks that never became candidates.
void count_rest(OperationContext& ctx, core::Board const& board, Search const& search, Skipped& skipped) {
  auto const scope = scope_of(board, search);
  for (auto const& [reason, n] : ctx.tx.held_back(scope, ctx.now, kMostCounted)) {
    bool const is_counted = reason == core::kSkipNames[static_cast<std::size_t>(Skip::touches)];
    skipped[reason] = is_counted ? std::max(skipped[reason], n) : skipped[reason] + n;
  }
  auto const held = held_columns(board, ctx.tx.load(board.id), search);
  if (held.empty()) return;
  std::int64_t waiting = 0;
  ctx.tx.candidates({board.id, held, scope.queue_keys, {}, scope.tags}, ctx.now,
                    [&](core::Task const&) { return ++waiting >= kMostCounted; });
  skipped["wip"] += waiting;
}

void place_picked(Change& change, Search const& search, core::Instant now) {
  if (auto const* column = target_of(change.board, search, change.before)) place(change, *column, now);
}

/// One board to pick from, with the conditions for it.
struct QueuePlace {
  core::Board const& board;
  Search search;
};

/// The best task over several boards: the order of one board holds between them too.
std::optional<Change> best_of(OperationContext& ctx, std::vector<QueuePlace> const& places,
                              PassedOver& passed) {
  std::optional<core::PreferredPickKey> first;
  std::optional<Change> change;
  for (auto const& [board, search] : places) {
    auto task = best(ctx, board, search, passed);
    if (!task) continue;
    auto key = core::pick_key(board, *task, search.class_first);
    if (first && *first < key) continue;
    first = std::move(key);
    change.emplace(*std::move(task), board);
    place_picked(*change, search, ctx.now);
  }
  return change;
}

Result<std::vector<core::Board const*>> boards_for(OperationContext& ctx, PickRequest const& r,
                                                   std::string const& name) {
  std::vector<core::Board const*> out;
  for (auto const& name_or_id : r.boards) {
    ANDON_TRY(auto const* board, about_field("boards", find_board(ctx, name_or_id)));
    if (board->archived)
      return core::refuse(Code::kStatusConflict, "board \"" + board->name + "\" is archived", "boards");
    out.push_back(board);
  }
  if (!r.boards.empty()) return out;
  auto const* worker = ctx.tx.worker(name);
  for (auto const* board : ctx.tx.boards()) {
    bool const hidden = is_run(ctx) && board->name != ctx.caller.run->board;
    if (!board->archived && board->trouble.empty() && !hidden &&
        (!worker || core::serves(*worker, board->name)))
      out.push_back(board);
  }
  return out;
}

/// The boards to pick from, with the conditions for each. A column or class that only some boards have limits
/// the pick to those.
Result<std::vector<QueuePlace>> places_for(OperationContext& ctx, PickRequest const& r,
                                           std::string const& name) {
  ANDON_TRY(auto const boards, boards_for(ctx, r, name));
  std::vector<QueuePlace> out;
  std::optional<core::Error> refused;
  for (auto const* board : boards) {
    auto search = search_for(ctx, *board, r, picker_of(ctx, name, r.role));
    if (search)
      out.push_back({*board, *std::move(search)});
    else if (!refused)
      refused = std::move(search).error();
  }
  if (out.empty() && refused) return core::refuse(*std::move(refused));
  return out;
}

/// The refusal that names the first full column among those that were asked for.
std::optional<core::Error> full_target(OperationContext& ctx, std::vector<QueuePlace> const& places) {
  for (auto const& [board, search] : places) {
    auto const load = ctx.tx.load(board.id);
    if (!search.target || !core::is_full(*search.target, load)) continue;
    auto const count = load.columns.find(search.target->name)->second;
    auto const& name = search.target->name;
    return core::Error{Code::kWipLimitExceeded,
                       name + " is full (" + std::to_string(count) + "/" +
                           std::to_string(search.target->wip_limit) + "); finish or move something first",
                       "status",
                       {},
                       {}}
        .with("status", name)
        .with("limit", std::int64_t{search.target->wip_limit})
        .with("current", count);
  }
  return std::nullopt;
}

/// Whether nothing but a limit stopped every candidate. Tasks that are claimed or were not asked for do not
/// count.
bool is_limit_alone(Skipped const& skipped) {
  static constexpr std::array<std::string_view, 2> kLimits{"wip", "class_wip"};
  static constexpr std::array<std::string_view, 3> kNoCandidates{"claimed", "role", "tag"};
  bool limited = false;
  for (auto const& [reason, n] : skipped) {
    if (n == 0 || std::ranges::find(kNoCandidates, reason) != kNoCandidates.end()) continue;
    if (std::ranges::find(kLimits, reason) == kLimits.end()) return false;
    limited = true;
  }
  return limited;
}

/// The refusal of a pick that has not looked at every task. The next pick goes on behind those it looked at.
core::Error unfinished(Skipped const& skipped) {
  std::int64_t looked_at = 0;
  for (auto const& [reason, n] : skipped) looked_at += n;
  return core::Error{Code::kPickUnfinished,
                     "passed over " + std::to_string(looked_at) +
                         " tasks or more and has not looked at all; pick again to go on behind them",
                     {},
                     {},
                     {}}
      .with("passed_over", looked_at);
}

core::Error nothing(OperationContext& ctx, std::vector<QueuePlace> const& places, Skipped const& skipped,
                    bool has_target) {
  bool const only_wip = has_target && is_limit_alone(skipped);
  if (only_wip)
    if (auto full = full_target(ctx, places)) return *std::move(full);
  std::string reasons;
  for (auto const& [reason, n] : skipped)
    if (n != 0) reasons += (reasons.empty() ? "" : ", ") + std::to_string(n) + " " + reason;
  core::Error error{
      only_wip ? Code::kWipLimitExceeded : Code::kNothingToPick,
      "no unblocked, unclaimed task to pick" + (reasons.empty() ? "" : "; passed over: " + reasons),
      {},
      {},
      {}};
  for (auto const& [reason, n] : skipped)
    if (n != 0) error.details.emplace_back(reason, n);
  return error;
}

Result<core::Task> pick_once(OperationContext& ctx, PickRequest const& r) {
  if (!r.worker.empty() && !ctx.tx.worker(r.worker)) ANDON_CHECK(find_worker(ctx, r.worker, "worker"));
  auto const name = is_run(ctx)         ? holder(ctx)
                    : !r.worker.empty() ? r.worker
                    : !r.by.empty()     ? r.by
                                        : holder(ctx);
  if (auto const* worker = ctx.tx.worker(name)) ANDON_CHECK(check_capacity(ctx, *worker, 0));
  ANDON_TRY(auto const places, places_for(ctx, r, name));
  PassedOver passed;
  auto change = best_of(ctx, places, passed);
  if (!change) {
    if (!ctx.tx.may_wait())  // nobody is told why as long as it waits
      for (auto const& [board, search] : places) count_rest(ctx, board, search, passed.skipped);
    if (passed.is_unfinished) return core::refuse(unfinished(passed.skipped));
    return core::refuse(nothing(ctx, places, passed.skipped, !r.move.empty()));
  }
  ANDON_CHECK(take_claim(ctx, *change, name));
  return save(ctx, *change, core::EventKind::task_claimed, {{"by", name}});
}

void add_body(OperationContext& ctx, core::Task& task) { task.body = ctx.tx.body(task.id).value_or(""); }

}  // namespace

core::Skip passed_over_by(OperationContext& ctx, core::Board const& board, core::Worker const& worker,
                          core::Task const& task) {
  auto search = search_for(ctx, board, {}, {worker.name, worker.role, true, worker.takes_unassigned});
  if (!search) return Skip::none;
  search->starts = true;
  auto const load = ctx.tx.load(board.id);
  if (is_held_back(board, load, task.status)) return Skip::wip;
  std::optional<std::vector<core::Task>> busy;
  return check_candidate(ctx, board, load, *search, busy, task);
}

/// The classes that the gate lets through; nothing when it lets all through, so that one walk finds the task.
std::optional<std::vector<std::string>> classes_through(core::Board const& board, ClassGate const& gate) {
  std::vector<std::string> out;
  for (auto const& service_class : board.classes)
    if (gate(board, service_class) == Skip::none) out.push_back(service_class.name);
  return out.size() == board.classes.size() ? std::nullopt : std::optional{std::move(out)};
}

Result<Change> next_for(OperationContext& ctx, std::vector<core::Board const*> const& boards,
                        core::Worker const& worker, ClassGate const& gate) {
  std::vector<QueuePlace> places;
  for (auto const* board : boards) {
    auto search = search_for(ctx, *board, {}, {worker.name, worker.role, true, worker.takes_unassigned});
    if (!search) continue;
    search->starts = true;
    search->classes = classes_through(*board, gate);
    places.push_back({*board, *std::move(search)});
  }
  PassedOver passed;
  if (auto change = best_of(ctx, places, passed)) return *std::move(change);
  if (passed.is_unfinished) return core::refuse(unfinished(passed.skipped));
  return core::refuse(Code::kNothingToPick, "nothing waits for worker \"" + worker.name + "\"");
}

Result<core::Task> pick_task(OperationContext& ctx, PickRequest const& r) {
  auto task = pick_once(ctx, r);
  if (task) add_body(ctx, *task);
  return task;
}

Result<PickedTasks> pick_tasks(OperationContext& ctx, PickRequest const& r) {
  auto const most = r.limit.value_or(1);
  if (most < 1 || most > kMostPicked)
    return core::refuse(Code::kInvalidInput, "\"limit\" must be from 1 to 100", "limit");
  PickedTasks out;
  while (std::cmp_less(out.items.size(), most)) {
    auto task = pick_once(ctx, r);
    if (!task && out.items.empty()) return core::refuse(std::move(task).error());
    if (!task) break;
    add_body(ctx, *task);
    out.items.push_back(*std::move(task));
  }
  return out;
}

}  // namespace andon::service
