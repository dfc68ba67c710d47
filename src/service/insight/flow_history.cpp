#include "service/insight/flow_history.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Result;
using core::Stage;

}  // namespace

std::int64_t days_in(Period const& period) { return (period.today.day - period.first.day).count() + 1; }

Result<core::Duration> parse_utc_offset(std::string_view text) {
  if (text.empty() || text == "Z" || text == "UTC") return core::Duration{0};
  std::string digits;
  for (char const c : text.substr(1))
    if (c != ':') digits += c;
  bool const well_formed = (text[0] == '+' || text[0] == '-') && digits.size() == 4 &&
                           std::ranges::all_of(digits, core::is_ascii_digit) && digits[2] < '6';
  auto const offset = well_formed ? std::chrono::hours{std::stoi(digits.substr(0, 2))} +
                                        std::chrono::minutes{std::stoi(digits.substr(2))}
                                  : std::chrono::minutes::max();
  if (offset <= std::chrono::hours{14}) return core::Duration{text[0] == '-' ? -offset : offset};
  return core::refuse(core::Code::kInvalidInput,
                      "\"utc_offset\" must be a difference to UTC such as +02:00 or -05:30", "utc_offset");
}

std::optional<Stage> known_stage(core::Board const& board, std::string_view status) {
  if (auto const* column = core::find_column(board, status)) return column->stage;
  if (status == "archived") return Stage::archived;
  return std::nullopt;
}

std::optional<Stage> ColumnHistory::stage_of(std::string_view status, core::Instant at) const {
  for (auto const& former : former_)
    if (former.until >= at && core::same_name(former.name, status)) return former.stage;
  return known_stage(board_, status);
}

core::StageMove ColumnHistory::stages_of(store::ColumnMove const& move) const {
  core::StageMove out{move.at, move.task, {}, stage_of(move.to, move.at)};
  if (!move.from.empty()) out.from = stage_of(move.from, move.at).or_else([&] { return out.to; });
  return out;
}

FinishedWork finished_work(OperationContext& ctx, core::Board const& board, core::Instant since) {
  FinishedWork out{ctx.tx.finished(board.id, since, kOneByOne + 1), {}};
  if (out.tasks.size() <= kOneByOne) return out;
  out.tasks.clear();
  out.totals = ctx.tx.finished_totals(board.id, since);
  return out;
}

std::int64_t count_since(OperationContext& ctx, core::Board const& board, FinishedWork const& work,
                         core::Instant since) {
  if (!work.is_in_totals())
    return std::ranges::count_if(work.tasks, [&](auto const& task) { return task.completed >= since; });
  std::int64_t sum = 0;
  auto whole = core::Instant::max();  // the first quarter of an hour that begins at or after `since`
  for (auto const& total : work.totals)
    if (total.at >= since) {
      sum += total.n;
      whole = std::min(whole, total.at);
    }
  for (auto const& task : ctx.tx.finished(board.id, since, kOneByOne))
    if (task.completed < whole) ++sum;
  return sum;
}

core::Throughput daily_throughput(OperationContext& ctx, core::Board const& board, Period const& period) {
  core::Throughput out(static_cast<std::size_t>(days_in(period) - 1));
  auto const add = [&](core::Instant at, std::int64_t n) {
    auto const day = core::day_of(at, period.utc_offset);
    if (period.first <= day && day < period.today)
      out[static_cast<std::size_t>((day.day - period.first.day).count())] += n;
  };
  auto const work = finished_work(ctx, board, period.begin);
  for (auto const& task : work.tasks) add(task.completed, 1);
  for (auto const& total : work.totals) add(total.at, total.n);
  auto const born = core::day_of(board.created, period.utc_offset);
  auto const young = std::clamp<std::int64_t>((born.day - period.first.day).count(), 0,
                                              static_cast<std::int64_t>(out.size()));
  auto const first_shown = std::ranges::find_if(out, [](auto n) { return n > 0; }) - out.begin();
  out.erase(out.begin(), out.begin() + std::min<std::int64_t>(young, first_shown));
  return out;
}

std::int64_t finished_today(OperationContext& ctx, core::Board const& board, Period const& period) {
  auto const begin = core::start_of(period.today, period.utc_offset);
  return count_since(ctx, board, finished_work(ctx, board, begin), begin);
}

}  // namespace andon::service
