#include "service/limits/storage_totals.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reflect/described.hpp"
#include "reflect/json.hpp"
#include "store/engine/unit/unit.hpp"

// The totals of a board and of its live runs are one setting, as the spending of its day is: a write costs
// one more row, and no row is left behind by a run.
namespace andon::service {
namespace {

using core::Code;

constexpr core::Duration kDay = std::chrono::hours{24};

/// Bytes by the name of their kind.
using Bytes = std::map<std::string, std::int64_t>;

struct RunTotal {
  core::RunId run = 0;
  Bytes bytes;
};
void describe(auto& field, RunTotal const*) {
  field(&RunTotal::run, "run");
  field(&RunTotal::bytes, "bytes");
}

struct BoardTotals {
  core::Instant began{};       ///< the 24 hours of `bytes`
  Bytes bytes;                 ///< of all runs of the board
  std::vector<RunTotal> runs;  ///< since each began; those that ended are removed when another one writes
};
void describe(auto& field, BoardTotals const*) {
  field(&BoardTotals::began, "began");
  field(&BoardTotals::bytes, "bytes");
  field(&BoardTotals::runs, "runs");
}

/// The total with the write; nothing when it would exceed the bound.
std::optional<std::int64_t> sum(Bytes const& bytes, std::string const& name, std::int64_t more,
                                std::int64_t most) {
  auto const found = bytes.find(name);
  auto const out = (found == bytes.end() ? 0 : found->second) + more;
  return out > most ? std::nullopt : std::optional{out};
}

std::unexpected<core::Error> used_up(std::string const& whose, StorageBound const& bound, std::int64_t most) {
  return core::refuse(Code::kNoSpace, whose + " stored as many " + std::string{bound.name} + " as it may (" +
                                          std::to_string(most >> 20U) + " MiB)");
}

bool has_ended(OperationContext& ctx, core::RunId id) {
  auto const run = ctx.tx.run(id);
  return !run || run->state == core::RunState::ended;
}

RunTotal& total_of(OperationContext& ctx, BoardTotals& totals, core::RunId run) {
  auto const found = std::ranges::find(totals.runs, run, &RunTotal::run);
  if (found != totals.runs.end()) return *found;
  std::erase_if(totals.runs, [&](RunTotal const& one) { return has_ended(ctx, one.run); });
  return totals.runs.emplace_back(run);
}

BoardTotals read_totals(OperationContext& ctx, std::string const& name) {
  auto const text = ctx.tx.setting(name);
  auto kept = text ? reflect::read_json<BoardTotals>(*text, reflect::Unknown::ignore) : BoardTotals{};
  auto out = kept ? *std::move(kept) : BoardTotals{};
  if (std::chrono::abs(ctx.now - out.began) < kDay) return out;
  out.began = ctx.now;
  out.bytes.clear();
  return out;
}

}  // namespace

core::Result<void> count_stored(OperationContext& ctx, Stored stored, std::int64_t bytes) {
  auto const& bound = bound_of(stored);
  if (!ctx.caller.run || bound.of_run == 0) return {};
  auto const task = ctx.tx.task(ctx.caller.run->task);
  auto const* board = ctx.tx.board(task ? task->board : ctx.caller.run->board);
  if (!board) return {};
  auto const setting = "stored.board." + std::to_string(board->id);
  auto totals = read_totals(ctx, setting);
  auto& own = total_of(ctx, totals, ctx.caller.run->run);
  std::string const name{bound.name};
  auto const size = std::max(bytes, kLeastStored);
  auto const of_run = sum(own.bytes, name, size, bound.of_run);
  if (!of_run) return used_up("this run has", bound, bound.of_run);
  auto const of_board = sum(totals.bytes, name, size, bound.of_board_day);
  if (!of_board) return used_up("the runs of this board have within a day", bound, bound.of_board_day);
  own.bytes[name] = *of_run;
  totals.bytes[name] = *of_board;
  ctx.tx.set_setting(setting, reflect::to_json(totals));
  return {};
}

}  // namespace andon::service
