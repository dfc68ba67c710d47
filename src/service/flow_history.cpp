#include "service/flow_history.hpp"

#include <algorithm>
#include <set>

#include "core/names.hpp"

namespace andon::service {
namespace {

using core::Result;
using core::Stage;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Moves that put away what was not finished: their time is the time the row says it was completed.
std::set<std::pair<core::TaskId, core::Instant>> abandonments(ColumnHistory const& history,
                                                              std::vector<store::ColumnMove> const& moves) {
  std::set<std::pair<core::TaskId, core::Instant>> out;
  for (auto const& move : moves) {
    auto const step = history.stages_of(move);
    if (step.to == Stage::archived && step.from != Stage::done) out.insert({move.task, move.at});
  }
  return out;
}

}  // namespace

std::int64_t days_in(Period const& period) { return (period.today.day - period.first.day).count() + 1; }

Result<core::Duration> parse_utc_offset(std::string_view text) {
  if (text.empty() || text == "Z" || text == "UTC") return core::Duration{0};
  std::string digits;
  for (char const c : text.substr(1))
    if (c != ':') digits += c;
  bool const well_formed = (text[0] == '+' || text[0] == '-') && digits.size() == 4 &&
                           std::ranges::all_of(digits, is_digit) && digits[2] < '6';
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

bool ColumnHistory::went_with_its_column(store::ColumnMove const& move) const {
  return std::ranges::any_of(former_, [&](store::FormerColumn const& former) {
    return former.until == move.at && core::same_name(former.name, move.from);
  });
}

std::vector<store::Finished> finished_work(Unit& u, core::Board const& board, core::Instant since) {
  auto out = u.tx.finished(board.id, since);
  auto const put_away = abandonments({u, board, since}, u.tx.moves(board.name, since));
  std::erase_if(out, [&](auto const& task) { return put_away.contains({task.id, task.completed}); });
  return out;
}

core::Throughput daily_throughput(Unit& u, core::Board const& board, Period const& period) {
  core::Throughput out(static_cast<std::size_t>(days_in(period) - 1));
  for (auto const& task : finished_work(u, board, period.begin)) {
    auto const day = core::day_of(task.completed, period.utc_offset);
    if (day < period.today) ++out[static_cast<std::size_t>((day.day - period.first.day).count())];
  }
  auto const born = core::day_of(board.created, period.utc_offset);
  auto const young = std::clamp<std::int64_t>((born.day - period.first.day).count(), 0,
                                              static_cast<std::int64_t>(out.size()));
  auto const first_shown = std::ranges::find_if(out, [](auto n) { return n > 0; }) - out.begin();
  out.erase(out.begin(), out.begin() + std::min<std::int64_t>(young, first_shown));
  return out;
}

std::int64_t finished_today(Unit& u, core::Board const& board, Period const& period) {
  return static_cast<std::int64_t>(
      finished_work(u, board, core::start_of(period.today, period.utc_offset)).size());
}

}  // namespace andon::service
