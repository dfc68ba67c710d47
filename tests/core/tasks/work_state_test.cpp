#include "core/tasks/work_state.hpp"

#include <doctest/doctest.h>

#include "core/model/task.hpp"
#include "core/tasks/claim.hpp"

using namespace andon::core;
using namespace std::chrono_literals;

TEST_CASE("WorkState.TheFlagTellsTheReportAndElseTheRemark") {
  Task task;
  remark(task, WorkRemark::no_evidence);
  CHECK(task.flag == "no evidence");
  note_report(task);
  CHECK(task.flag == "reported");
  end_report(task);
  CHECK(task.flag == "no evidence");
  remark(task, WorkRemark::none);
  CHECK(task.flag.empty());
}

TEST_CASE("WorkState.NoRemarkEndsAReport") {
  for (std::size_t i = 0; i < kWorkRemarkNames.size(); ++i) {
    Task task;
    claim(task, "dev", 1min, {});
    hold_for_engine(task, {});
    remark(task, static_cast<WorkRemark>(i));
    CHECK(is_held_by_engine(task));
    CHECK(task.flag == "reported");
    end_claim(task);
    CHECK_FALSE(is_reported(task));
    CHECK(task.flag == flag_of(ReportState::none, static_cast<WorkRemark>(i)));
  }
}

TEST_CASE("WorkState.TheNextAttemptBeginsWithoutThem") {
  Task task;
  remark(task, WorkRemark::no_evidence);
  note_report(task);
  begin_attempt(task, "dev", 1min, {});
  CHECK(task.flag.empty());
  CHECK(task.state.remark == WorkRemark::none);
  CHECK_FALSE(is_reported(task));
}

TEST_CASE("WorkState.IsReadFromTheFlagsOfEarlierVersions") {
  for (std::size_t i = 0; i < kWorkRemarkNames.size(); ++i) {
    Task task;
    auto const wanted = static_cast<WorkRemark>(i);
    read_flag(task, flag_of(ReportState::none, wanted));
    CHECK(task.state.remark == wanted);
    CHECK(task.flag == flag_of(ReportState::none, wanted));
  }
  Task reported;
  reported.claimed_by = "dev";
  read_flag(reported, "reported");
  CHECK(reported.state.report == ReportState::given);
  Task landing;
  landing.claimed_by = kEngine;
  read_flag(landing, "reported");
  CHECK(landing.state.report == ReportState::landing);
  Task strange;
  read_flag(strange, "anything else");
  CHECK(strange.state.remark == WorkRemark::none);
  CHECK(strange.flag == "anything else");
}
