#include "service/tasks/agent_report.hpp"

#include <algorithm>
#include <array>

#include "core/text/names.hpp"

namespace andon::service {
namespace {

constexpr char kHowItGoesOn[] =
    "Reported. End now: the report takes effect when this run has ended and its checks have passed.";

Facts facts_of(Report const& report) {
  Facts facts{{"reported", std::string{report.word}}};
  if (!report.reason.empty()) facts.emplace_back("reason", report.reason);
  if (!report.result.empty()) facts.emplace_back("result", for_history(report.result));
  if (!report.no_change.empty()) facts.emplace_back("no_change", report.no_change);
  return facts;
}

struct MoveRow {
  core::Stage to;
  std::string_view word;
};
constexpr std::array kMoves{MoveRow{core::Stage::review, "done"}, MoveRow{core::Stage::done, "done"},
                            MoveRow{core::Stage::blocked, "block"}, MoveRow{core::Stage::failed, "fail"}};

}  // namespace

std::string for_history(std::string const& result) {
  constexpr std::size_t kMostBytes = 500;
  return std::string{core::beginning(result, kMostBytes)};
}

void record_agent_report(OperationContext& ctx, core::Task const& task, Report const& report) {
  if (!is_run(ctx) || !task.run) return;
  auto run = ctx.tx.run(*task.run);
  if (!run || run->state == core::RunState::ended || run->id != ctx.caller.run->run) return;
  run->said = report.word;
  run->reason = report.reason;
  run->no_change = report.no_change;
  run->choices = report.choices;
  if (!report.result.empty()) run->result = core::beginning(report.result, kResultBytes);
  ctx.tx.put(*run);
}

std::optional<Report> report_of_move(core::Stage to, std::string const& reason) {
  auto const row = std::ranges::find(kMoves, to, &MoveRow::to);
  if (row == kMoves.end()) return std::nullopt;
  return Report{row->word, row->word == "done" ? std::string{} : reason, {}, {}};
}

bool is_kept(OperationContext& ctx, core::Task const& task, Report const& report) {
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  return run && task.flag == core::kReported && run->said == report.word && run->reason == report.reason &&
         (report.result.empty() || run->result == report.result) && run->no_change == report.no_change &&
         run->choices == report.choices;
}

core::Task keep_report(OperationContext& ctx, Change& change, Report const& report) {
  if (is_kept(ctx, change.before, report)) {
    auto task = change.before;
    task.notice = kHowItGoesOn;
    return task;
  }
  record_agent_report(ctx, change.before, report);
  change.after.flag = core::kReported;
  auto task = save(ctx, change, core::EventKind::task_edited, facts_of(report));
  task.notice = kHowItGoesOn;
  return task;
}

}  // namespace andon::service
