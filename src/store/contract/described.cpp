#include "reflect/described.hpp"

#include "core/flow/cumulative_flow.hpp"
#include "core/flow/flow.hpp"
#include "core/model/account.hpp"
#include "core/model/attachment.hpp"
#include "core/model/automation.hpp"
#include "core/model/board.hpp"
#include "core/model/board_display.hpp"
#include "core/model/budget.hpp"
#include "core/model/land_limits.hpp"
#include "core/model/next_task.hpp"
#include "core/model/plain_field.hpp"
#include "core/model/plan.hpp"
#include "core/model/progress.hpp"
#include "core/model/question.hpp"
#include "core/model/resource_limits.hpp"
#include "core/model/run.hpp"
#include "core/model/runner.hpp"
#include "core/model/service_class.hpp"
#include "core/model/task.hpp"
#include "core/model/usage_window.hpp"
#include "core/model/work_place.hpp"
#include "core/model/work_setup.hpp"
#include "core/model/worker.hpp"
#include "core/runs/spending.hpp"
#include "core/tasks/task_graph.hpp"
#include "core/time/clock_reading.hpp"
#include "core/time/quiet_hours.hpp"

namespace andon {

template struct reflect::Described<core::StageCounts>;
template struct reflect::Described<core::DayOfFlow>;

template struct reflect::Described<core::Spread>;

template struct reflect::Described<core::UsageWindow>;
template struct reflect::Described<core::Account>;

template struct reflect::Described<core::Attachment>;

template struct reflect::Described<core::Automation>;

template struct reflect::Described<core::Column>;
template struct reflect::Described<core::ChainRule>;
template struct reflect::Described<core::Board>;

template struct reflect::Described<core::AgeThreshold>;
template struct reflect::Described<core::BoardDisplay>;

template struct reflect::Described<core::Allowance>;
template struct reflect::Described<core::Budget>;

template struct reflect::Described<core::LandLimits>;
template struct reflect::Described<core::LandFinding>;

template struct reflect::Described<core::NextTask>;

template struct reflect::Described<core::PlainTexts>;
template struct reflect::Described<core::PlainChanges>;

template struct reflect::Described<core::Plan>;

template struct reflect::Described<core::Progress>;

template struct reflect::Described<core::Question>;

template struct reflect::Described<core::ResourceLimits>;
template struct reflect::Described<core::ResourceUse>;

template struct reflect::Described<core::Usage>;
template struct reflect::Described<core::Exit>;
template struct reflect::Described<core::StopOrder>;
template struct reflect::Described<core::CheckResult>;
template struct reflect::Described<core::DiffSize>;
template struct reflect::Described<core::Landing>;
template struct reflect::Described<core::Revert>;
template struct reflect::Described<core::Run>;

template struct reflect::Described<core::RunnerAgent>;
template struct reflect::Described<core::RunnerRepository>;
template struct reflect::Described<core::Runner>;
template struct reflect::Described<core::RunnerStatus>;

template struct reflect::Described<core::ServiceClass>;

template struct reflect::Described<core::TaskState>;
template struct reflect::Described<core::Task>;

template struct reflect::Described<core::WorkPlace>;
template struct reflect::Described<core::RunGuard>;

template struct reflect::Described<core::NamedCommands>;
template struct reflect::Described<core::SetupCache>;

template struct reflect::Described<core::Worker>;

template struct reflect::Described<core::Spending>;

template struct reflect::Described<core::GraphNode>;
template struct reflect::Described<core::GraphEdge>;

template struct reflect::Described<core::ClockReading>;

template struct reflect::Described<core::QuietHours>;

}  // namespace andon
