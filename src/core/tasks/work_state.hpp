#pragma once

#include <string_view>

#include "core/model/work_state.hpp"

namespace andon::core {

struct Task;

// These functions alone write `Task::flag`, which tells people of both states. No rule reads the flag.

/// Notes that the agent of the task has said how its work ended.
void note_report(Task& task);
/// Notes that the engine holds the reported work until it has landed.
void note_landing(Task& task);
/// The report has taken effect, or is void.
void end_report(Task& task);
void remark(Task& task, WorkRemark remark);

/// True when a report of the task's agent has not taken effect yet.
bool is_reported(Task const& task);

/// The flag of a task in these states.
std::string_view flag_of(ReportState report, WorkRemark remark);
/// Sets both states from a flag: earlier versions kept nothing else.
void read_flag(Task& task, std::string_view flag);

}  // namespace andon::core
