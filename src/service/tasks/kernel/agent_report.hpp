#pragma once

#include "core/model/run.hpp"
#include "service/tasks/kernel/change.hpp"

namespace andon::service {

/// Most bytes of a result that are kept.
inline constexpr std::size_t kResultBytes = 65'536;

/// The beginning of a result, as the history keeps it.
std::string for_history(std::string const& result);

/// The report of a managed agent on its own work. It takes effect when the run has ended.
struct Report {
  core::AgentReport word;
  std::string reason{};
  std::string result{};
  std::string no_change{};
  std::vector<std::string> choices{};  ///< answers to the question that a block asks
};

/// Keeps on the task's live run what its agent said on the board. Nothing when the caller is no run.
void record_agent_report(OperationContext& ctx, core::Task const& task, Report const& report);

/// Writes the report on the caller's run. The task stays in work, flagged as reported, and its claim is held
/// until `finish_run` settles it. A later report replaces an earlier one. False when the run has reported
/// just that before, and nothing was written.
bool write_report(OperationContext& ctx, Change& change, Report const& report);

/// The report that a run makes by moving its task to a column of that stage; nothing where the move is no
/// report.
std::optional<Report> report_of_move(core::Stage to, std::string const& reason);

}  // namespace andon::service
