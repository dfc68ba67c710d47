#include "service/runs/work.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "service/runs/run_guard.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::string_view kLimit = "work.limit";
constexpr std::int64_t kUsualLimit = std::int64_t{20} << 30;

struct UnitRow {
  std::string_view name;
  int shift;
};
constexpr std::array kUnits{UnitRow{"", 0},     UnitRow{"B", 0},    UnitRow{"KiB", 10}, UnitRow{"MiB", 20},
                            UnitRow{"GiB", 30}, UnitRow{"TiB", 40}, UnitRow{"K", 10},   UnitRow{"M", 20},
                            UnitRow{"G", 30},   UnitRow{"T", 40}};

/// A whole number of bytes with an optional binary unit; nothing for anything else.
std::optional<std::int64_t> parse_size(std::string_view text) {
  std::int64_t count = 0;
  auto const parsed = std::from_chars(text.data(), text.data() + text.size(), count);
  if (parsed.ec != std::errc{} || count < 0) return std::nullopt;
  std::string_view const rest{parsed.ptr, text.data() + text.size()};
  auto const unit = std::ranges::find(kUnits, rest, &UnitRow::name);
  if (unit == kUnits.end() || count > (std::int64_t{1} << (62 - unit->shift))) return std::nullopt;
  return count << unit->shift;
}

std::int64_t limit_of(OperationContext& ctx) {
  return parse_size(ctx.tx.setting(kLimit).value_or("none")).value_or(kUsualLimit);
}

Result<DiffQuestion> question_about(OperationContext& ctx, core::Run run) {
  auto const* board = ctx.tx.board(run.board);
  if (!board || board->repo.empty() || run.head.empty())
    return core::refuse(core::Error{
        Code::kNotFound, "run " + std::to_string(run.id) + " left no commit in a repository", "id", {}, {}}
                            .with("id", run.id));
  return DiffQuestion{std::move(run), board->repo};
}

Result<WorkQuestion> question(OperationContext& ctx, std::string const& board) {
  WorkQuestion out;
  if (!board.empty()) {
    ANDON_TRY(auto const* one, find_board(ctx, board));
    out.boards.push_back(*one);
  } else {
    for (auto const* each : ctx.tx.boards()) out.boards.push_back(*each);
  }
  out.limit = limit_of(ctx);
  ANDON_TRY(auto queue, landing_queue(ctx, {}));
  for (auto const id : asked_runs(ctx))
    if (auto place = landing_place(ctx, id)) queue.items.push_back(*std::move(place));
  for (auto& place : queue.items)
    if (std::ranges::find(out.boards, place.board.id, &core::Board::id) != out.boards.end())
      out.queue.push_back(std::move(place));
  return out;
}

}  // namespace

Result<DiffQuestion> run_diff(OperationContext& ctx, RunRequest const& r) {
  ANDON_TRY(auto run, get_run(ctx, r));
  return question_about(ctx, std::move(run));
}

Result<DiffQuestion> task_diff(OperationContext& ctx, TaskDiffRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  auto runs = ctx.tx.runs_of(task.id);
  std::erase_if(runs, [&](core::Run const& run) { return r.run ? run.id != *r.run : run.head.empty(); });
  if (runs.empty())
    return core::refuse(core::Error{
        Code::kRunNotFound,
        "task #" + std::to_string(task.id) + " has no run that left a commit in a repository",
        "id",
        {},
        {}}.with("id", task.id));
  return question_about(ctx, runs.back());
}

Result<WorkQuestion> list_work(OperationContext& ctx, WorkListRequest const& r) {
  return question(ctx, r.board);
}

Result<CleanQuestion> clean_work(OperationContext& ctx, CleanWorkRequest const& r) {
  ANDON_TRY(auto work, question(ctx, r.board));
  return CleanQuestion{std::move(work), r};
}

Result<WorkLimit> limit_work(OperationContext& ctx, WorkLimit const& r) {
  if (!parse_size(r.limit))
    return core::refuse(Code::kInvalidInput, "\"limit\" must be a size such as 20GiB", "limit");
  ctx.tx.set_setting(kLimit, r.limit);
  return r;
}

Result<WorkFacts> work_facts(OperationContext& ctx, WorkFactsRequest const& r) {
  WorkFacts out;
  for (auto const id : r.tasks) {
    auto const task = ctx.tx.task(id);
    if (!task) continue;
    WorkFact fact{task->id, task->title, task->stage};
    if (auto const run = work_of(ctx, *task)) {
      fact.running = run->state != core::RunState::ended;
      fact.landed = is_on_default_branch(*run);
      fact.head = run->head;
      fact.waiting = waiting_run(ctx, *task).has_value();
    }
    fact.place = place_of(ctx, task->id);
    fact.squashed = squashed_heads(ctx, task->id);
    out.items.push_back(std::move(fact));
  }
  return out;
}

core::Result<WorkQuestion> work_question(OperationContext& ctx, WorkListRequest const& r) {
  return list_work(ctx, r);
}

}  // namespace andon::service
