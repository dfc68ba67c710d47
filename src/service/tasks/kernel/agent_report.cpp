#include "service/tasks/kernel/agent_report.hpp"

#include <algorithm>
#include <array>

#include "core/tasks/work_state.hpp"
#include "core/text/names.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

Facts facts_of(Report const& report) {
  Facts facts{{"reported", std::string{core::kAgentReportNames[static_cast<std::size_t>(report.word)]}}};
  if (!report.reason.empty()) facts.emplace_back("reason", report.reason);
  if (!report.result.empty()) facts.emplace_back("result", for_history(report.result));
  if (!report.no_change.empty()) facts.emplace_back("no_change", report.no_change);
  return facts;
}

using core::AgentReport;

struct MoveRow {
  core::Stage to;
  core::AgentReport report;
};
constexpr std::array kMoves{
    MoveRow{core::Stage::review, AgentReport::done}, MoveRow{core::Stage::done, AgentReport::done},
    MoveRow{core::Stage::blocked, AgentReport::block}, MoveRow{core::Stage::failed, AgentReport::fail}};

/// Whether the caller has reported that already, so that nothing is left to be done.
bool is_kept(OperationContext& ctx, core::Task const& task, Report const& report) {
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  return run && core::is_reported(task) && run->said == report.word && run->reason == report.reason &&
         (report.result.empty() || run->result == report.result) && run->no_change == report.no_change &&
         run->choices == report.choices;
}

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
  return Report{row->report, row->report == AgentReport::done ? std::string{} : reason, {}, {}};
}

bool write_report(OperationContext& ctx, Change& change, Report const& report) {
  if (is_kept(ctx, change.before, report)) return false;
  record_agent_report(ctx, change.before, report);
  core::note_report(change.after);
  write(ctx, change, core::EventKind::task_edited, facts_of(report));
  return true;
}

}  // namespace andon::service
