#include "core/tasks/work_state.hpp"

#include <algorithm>

#include "core/model/task.hpp"
#include "core/tasks/claim.hpp"

namespace andon::core {
namespace {

constexpr std::string_view kReported = "reported";
constexpr std::array<std::string_view, kWorkRemarkNames.size()> kFlags{
    "", "plan", "planning run changed files", "no evidence", "no change", "shared directory", "no verdict"};

void set_report(Task& task, ReportState report) {
  task.state.report = report;
  task.flag = flag_of(report, task.state.remark);
}

}  // namespace

void note_report(Task& task) { set_report(task, ReportState::given); }
void note_landing(Task& task) { set_report(task, ReportState::landing); }
void end_report(Task& task) {
  if (is_reported(task)) set_report(task, ReportState::none);
}

void remark(Task& task, WorkRemark remark) {
  if (task.state.remark == remark) return;
  task.state.remark = remark;
  task.flag = flag_of(task.state.report, remark);
}

bool is_reported(Task const& task) { return task.state.report != ReportState::none; }

std::string_view flag_of(ReportState report, WorkRemark remark) {
  return report == ReportState::none ? kFlags[static_cast<std::size_t>(remark)] : kReported;
}

void read_flag(Task& task, std::string_view flag) {
  auto const found = std::ranges::find(kFlags, flag);
  task.state.remark =
      found == kFlags.end() ? WorkRemark::none : static_cast<WorkRemark>(found - kFlags.begin());
  task.state.report = flag != kReported            ? ReportState::none
                      : task.claimed_by == kEngine ? ReportState::landing
                                                   : ReportState::given;
  task.flag = flag;
}

}  // namespace andon::core
