#pragma once

#include <array>
#include <string_view>

namespace andon::core {

/// How far the report of an agent about its work has come. While there is one, the task stays in work.
enum class ReportState {
  none,
  given,   ///< the agent has said how its work ended; its run goes on to its end
  landing  ///< the run has ended well; the engine holds the task until its branch has landed
};
inline constexpr std::array<std::string_view, 3> kReportStateNames{"none", "given", "landing"};
constexpr auto const& wire_names(ReportState) { return kReportStateNames; }

/// A peculiarity of finished work, which a reviewer must know and which no rule accepts by itself.
enum class WorkRemark {
  none,
  plan,                ///< it is a plan, and no work yet
  plan_changed_files,  ///< the run that wrote the plan changed files of a directory that it shares with
                       ///< others
  no_evidence,         ///< nothing of it is to be seen
  no_change,           ///< the agent said that nothing had to be changed
  shared_directory,    ///< others change the same files, so its evidence may be theirs
  no_verdict           ///< its review ended without a verdict
};
inline constexpr std::array<std::string_view, 7> kWorkRemarkNames{
    "none", "plan", "plan_changed_files", "no_evidence", "no_change", "shared_directory", "no_verdict"};
constexpr auto const& wire_names(WorkRemark) { return kWorkRemarkNames; }

}  // namespace andon::core
