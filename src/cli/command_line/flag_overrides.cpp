#include "cli/command_line/flag_overrides.hpp"

#include <algorithm>
#include <array>

#include "cli/command_line/command_handlers.hpp"
#include "service/access/access.hpp"
#include "service/automations/automations.hpp"
#include "service/boards/attach.hpp"
#include "service/boards/boards.hpp"
#include "service/history/history.hpp"
#include "service/insight/context.hpp"
#include "service/insight/dependency_graph.hpp"
#include "service/insight/metrics.hpp"
#include "service/insight/search.hpp"
#include "service/insight/summary.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/workers/memory.hpp"
#include "service/workers/workers.hpp"

namespace andon::cli {
namespace {

using enum FlagKind;
using api::of;
constexpr auto kNothing = Takes::nothing;
constexpr auto kValue = Takes::value;
constexpr auto kList = Takes::list;

constexpr std::array kFlagOverrides{
    // clang-format off
    FlagOverride{of<&service::create_task>, "tag", 0, "tags", field, kList, "Tags"},
    FlagOverride{of<&service::create_task>, "body", 0, "body", text, kValue,
                 "The brief, in Markdown; - reads the standard input"},
    FlagOverride{of<&service::create_task>, "description", 0, "body", text, kValue,
                 "The brief, in Markdown; - reads the standard input"},
    FlagOverride{of<&service::create_task>, "brief", 0, "body", file, kValue,
                 "File with the brief; - reads the standard input"},
    FlagOverride{of<&service::create_task>, "worker", 0, "assignee", field, kValue,
                 "Worker or person who shall do it"},
    FlagOverride{of<&service::create_task>, "next", 0, "next_tasks", json_value, kValue,
                 "Task that follows when it is done: JSON, or a file that holds it"},
    FlagOverride{of<&service::create_task>, "check", 0, "checks", field, kList,
                 "Verification commands of the board that must pass"},

    FlagOverride{of<&service::list_tasks>, "search", 's', "q", field, kValue, "Text in title, body or tags"},
    FlagOverride{of<&service::list_tasks>, "reverse", 'r', "reverse", field, kNothing, "The other way round"},
    FlagOverride{of<&service::list_tasks>, "limit", 'n', "", handled, kValue,
                 "Most tasks in the answer; 0 means all"},
    FlagOverride{of<&service::list_tasks>, "worker", 0, "assignee", field, kValue,
                 "Worker or person it is assigned to"},
    FlagOverride{of<&service::list_tasks>, "group-by", 0, "", handled, kValue,
                 "Headings by assignee, tag, class, priority, status, role or parent"},

    FlagOverride{of<&service::edit_task>, "add-tag", 0, "add_tags", field, kList, "Tags to add"},
    FlagOverride{of<&service::edit_task>, "remove-tag", 0, "remove_tags", field, kList, "Tags to take away"},
    FlagOverride{of<&service::edit_task>, "add-dep", 0, "add_deps", field, kList,
                 "Tasks that must be done first, to add"},
    FlagOverride{of<&service::edit_task>, "remove-dep", 0, "remove_deps", field, kList,
                 "Tasks that need not be done first any more"},
    FlagOverride{of<&service::edit_task>, "body", 0, "body", text, kValue,
                 "New brief; - reads the standard input"},
    FlagOverride{of<&service::edit_task>, "description", 0, "body", text, kValue,
                 "New brief; - reads the standard input"},
    FlagOverride{of<&service::edit_task>, "brief", 0, "body", file, kValue,
                 "File with the new brief; - reads the standard input"},
    FlagOverride{of<&service::edit_task>, "append-body", 'a', "append_body", text, kValue,
                 "Text to add to the brief; - reads the standard input"},
    FlagOverride{of<&service::edit_task>, "timestamp", 't', "", handled, kNothing,
                 "Put the time before the added text"},
    FlagOverride{of<&service::edit_task>, "worker", 0, "assignee", field, kValue, "Worker or person"},
    FlagOverride{of<&service::edit_task>, "next", 0, "next_tasks", json_value, kValue,
                 "Task that follows when it is done: JSON, or a file that holds it"},
    FlagOverride{of<&service::edit_task>, "check", 0, "checks", field, kList,
                 "Verification commands of the board that must pass"},
    FlagOverride{of<&service::edit_task>, "due", 0, "due", field, kValue, "Due date (YYYY-MM-DD)"},
    FlagOverride{of<&service::edit_task>, "clear-due", 0, "due", clears, kNothing, "No due date"},
    FlagOverride{of<&service::edit_task>, "parent", 0, "parent", field, kValue, "Task it is part of"},
    FlagOverride{of<&service::edit_task>, "clear-parent", 0, "parent", clears, kNothing, "No parent"},
    FlagOverride{of<&service::edit_task>, "not-before", 0, "not_before", field, kValue,
                 "Not picked before this time"},
    FlagOverride{of<&service::edit_task>, "clear-not-before", 0, "not_before", clears, kNothing,
                 "It may be picked at once"},
    FlagOverride{of<&service::edit_task>, "clear-assignee", 0, "assignee", blanks, kNothing, "Nobody's"},
    FlagOverride{of<&service::edit_task>, "clear-estimate", 0, "estimate", blanks, kNothing, "No estimate"},
    FlagOverride{of<&service::edit_task>, "started", 0, "", handled, kValue,
                 "Day work on it began (YYYY-MM-DD)"},
    FlagOverride{of<&service::edit_task>, "clear-started", 0, "started", clears, kNothing,
                 "Work has not begun"},
    FlagOverride{of<&service::edit_task>, "completed", 0, "", handled, kValue,
                 "Day it was finished (YYYY-MM-DD)"},
    FlagOverride{of<&service::edit_task>, "clear-completed", 0, "completed", clears, kNothing,
                 "It is not finished"},
    FlagOverride{of<&service::edit_task>, "claim", 0, "claim", field, kValue,
                 "Name that holds it, or is to hold it"},
    FlagOverride{of<&service::list_tasks>, "bodies", 0, "", hidden, kNothing, ""},
    FlagOverride{of<&service::edit_task>, "take", 0, "", hidden, kNothing, ""},
    FlagOverride{of<&service::edit_task>, "heed-claims", 0, "", hidden, kNothing, ""},

    FlagOverride{of<&service::move_task>, "next", 0, "", handled, kNothing, "To the next column"},
    FlagOverride{of<&service::move_task>, "prev", 0, "", handled, kNothing, "To the column before"},

    FlagOverride{of<&service::pick_task>, "claim", 0, "by", field, kValue, "Name to claim for"},
    FlagOverride{of<&service::pick_task>, "tag", 0, "tags", field, kList,
                 "Only tasks with one of these tags"},
    FlagOverride{of<&service::pick_task>, "no-body", 0, "", handled, kNothing,
                 "Leave the brief out of the answer"},
    FlagOverride{of<&service::complete_task>, "result", 0, "result", text, kValue,
                 "What was done; - reads the standard input"},
    FlagOverride{of<&service::submit_task>, "result", 0, "result", text, kValue,
                 "What was done; - reads the standard input"},
    FlagOverride{of<&service::complete_task>, "no-change", 0, "no_change", text, kValue,
                 "Why no file had to be changed; - reads the standard input"},
    FlagOverride{of<&service::submit_task>, "no-change", 0, "no_change", text, kValue,
                 "Why no file had to be changed; - reads the standard input"},
    FlagOverride{of<&service::fail_task>, "reason", 0, "reason", text, kValue,
                 "Why; - reads the standard input"},
    FlagOverride{of<&service::reject_task>, "reason", 0, "reason", text, kValue,
                 "What must be better; - reads the standard input"},
    FlagOverride{of<&service::block_task>, "reason", 0, "reason", text, kValue,
                 "What stops it, or the question to be answered; - reads the standard input"},
    FlagOverride{of<&service::block_task>, "choice", 0, "choices", field, kValue,
                 "An answer to choose from; may be given several times"},
    FlagOverride{of<&service::answer_task>, "text", 0, "text", text, kValue,
                 "The answer; - reads the standard input"},
    FlagOverride{of<&service::note_task>, "text", 0, "text", text, kValue,
                 "The note; - reads the standard input"},
    FlagOverride{of<&service::add_memory>, "text", 0, "text", text, kValue,
                 "What is worth remembering, at most 2 KiB; - reads the standard input"},

    FlagOverride{of<&service::handoff_task>, "note", 0, "note", text, kValue,
                 "What the next one must know; - reads the standard input"},
    FlagOverride{of<&service::handoff_task>, "timestamp", 't', "", handled, kNothing,
                 "Put the time before the note"},
    FlagOverride{of<&service::handoff_task>, "worker", 0, "to", field, kValue, "Worker or person to hand to"},
    FlagOverride{of<&service::handoff_task>, "block", 0, "block", text, kValue,
                 "Mark it as blocked as well, with the reason; - reads the standard input"},
    FlagOverride{of<&service::handoff_task>, "append-body", 0, "", hidden, kNothing, ""},
    FlagOverride{of<&service::handoff_task>, "to-review", 0, "", hidden, kNothing, ""},
    FlagOverride{of<&service::handoff_task>, "take", 0, "", hidden, kNothing, ""},
    FlagOverride{of<&service::delete_task>, "yes", 'y', "", handled, kNothing, "Do not ask"},
    FlagOverride{of<&service::delete_board>, "yes", 'y', "", handled, kNothing, "Do not ask"},
    FlagOverride{of<&service::remove_worker>, "yes", 'y', "", handled, kNothing, "Do not ask"},
    FlagOverride{of<&service::remove_automation>, "yes", 'y', "", handled, kNothing, "Do not ask"},
    FlagOverride{of<&service::revoke_token>, "yes", 'y', "", handled, kNothing, "Do not ask"},

    FlagOverride{of<&service::board_summary>, "watch", 'w', "", handled, kNothing,
                 "Draw it anew whenever it changes"},
    FlagOverride{of<&service::board_context>, "write-to", 0, "", handled, kValue,
                 "File whose marked block is replaced, or that gets one"},

    FlagOverride{of<&service::create_board>, "statuses", 0, "", handled, kList,
                 "Columns in order, each NAME or NAME:LIMIT"},

    FlagOverride{of<&service::add_automation>, "title", 0, "", handled, kValue, "Title of the task it makes"},
    FlagOverride{of<&service::add_automation>, "body", 0, "", handled, kValue,
                 "Brief of the task; {{metrics}} becomes the board's health"},
    FlagOverride{of<&service::add_automation>, "brief", 0, "", handled, kValue,
                 "File with the brief; - reads the standard input"},
    FlagOverride{of<&service::add_automation>, "role", 0, "", handled, kValue, "Role that may take the task"},
    FlagOverride{of<&service::add_automation>, "worker", 0, "", handled, kValue,
                 "Worker or person who shall do the task"},
    FlagOverride{of<&service::add_automation>, "status", 0, "", handled, kValue,
                 "Column of the task; the ready column when left out"},
    FlagOverride{of<&service::add_automation>, "priority", 0, "", handled, kValue, "Priority of the task"},
    FlagOverride{of<&service::add_automation>, "class", 0, "", handled, kValue,
                 "Class of service of the task"},
    FlagOverride{of<&service::add_automation>, "review", 0, "", handled, kValue, "required, none or inherit"},
    FlagOverride{of<&service::add_automation>, "tag", 0, "", handled, kList, "Tags of the task"},
    FlagOverride{of<&service::add_automation>, "next", 0, "", handled, kValue,
                 "Task that follows when it is done: JSON, or a file that holds it"},
    FlagOverride{of<&service::add_automation>, "template", 0, "template", json_value, kValue,
                 "The whole task as JSON, or a file that holds it"},

    FlagOverride{of<&service::edit_automation>, "title", 0, "", handled, kValue,
                 "New title of the task it makes"},
    FlagOverride{of<&service::edit_automation>, "body", 0, "", handled, kValue,
                 "New brief of the task; {{metrics}} becomes the board's health"},
    FlagOverride{of<&service::edit_automation>, "brief", 0, "", handled, kValue,
                 "File with the brief; - reads the standard input"},
    FlagOverride{of<&service::edit_automation>, "role", 0, "", handled, kValue,
                 "Role that may take the task"},
    FlagOverride{of<&service::edit_automation>, "worker", 0, "", handled, kValue,
                 "Worker or person who shall do the task"},
    FlagOverride{of<&service::edit_automation>, "status", 0, "", handled, kValue,
                 "Column of the task; the ready column when left out"},
    FlagOverride{of<&service::edit_automation>, "priority", 0, "", handled, kValue, "Priority of the task"},
    FlagOverride{of<&service::edit_automation>, "class", 0, "", handled, kValue,
                 "Class of service of the task"},
    FlagOverride{of<&service::edit_automation>, "review", 0, "", handled, kValue,
                 "required, none or inherit"},
    FlagOverride{of<&service::edit_automation>, "tag", 0, "", handled, kList, "Tags of the task"},
    FlagOverride{of<&service::edit_automation>, "next", 0, "", handled, kValue,
                 "Task that follows when it is done: JSON, or a file that holds it"},
    FlagOverride{of<&service::edit_automation>, "template", 0, "template", json_value, kValue,
                 "The whole task as JSON, or a file that holds it"},

    FlagOverride{of<&service::list_events>, "since", 0, "", handled, kValue,
                 "Only what happened after this date, time or span (2026-11-21, 2h)"},
    FlagOverride{of<&service::list_events>, "limit", 'n', "", handled, kValue, "Only the last so many"},
    FlagOverride{of<&service::list_events>, "action", 0, "", handled, kValue,
                 "Only this kind: create, move, edit, task.claimed, ..."},
    // clang-format on
};

constexpr std::array kCommandOverrides{
    // clang-format off
    CommandOverride{of<&service::create_task>, "", "", &create_task},
    CommandOverride{of<&service::flow_metrics>, "", "", &measure_flow},
    CommandOverride{of<&service::list_tasks>, "", "", &list_tasks},
    CommandOverride{of<&service::get_task>, "", "", &show_task},
    CommandOverride{of<&service::edit_task>, "", "", &edit_task},
    CommandOverride{of<&service::move_task>, "", "id status?", &move_task},
    CommandOverride{of<&service::archive_task>, "", "", &archive_task},
    CommandOverride{of<&service::pick_task>, "", "", &pick_task},
    CommandOverride{of<&service::handoff_task>, "", "", &handoff_task},
    CommandOverride{of<&service::heartbeat>, "", "", &heartbeat},
    CommandOverride{of<&service::create_board>, "", "", &create_board},
    CommandOverride{of<&service::attach_board>, "", "", &attach_board},
    CommandOverride{of<&service::get_board>, "", "", &show_board},
    CommandOverride{of<&service::board_summary>, "", "", &summarize_board},
    CommandOverride{of<&service::board_context>, "", "", &describe_board},
    CommandOverride{of<&service::delete_task>, "", "", &delete_task},
    CommandOverride{of<&service::set_dispatch>, "dispatch pause", "worker?", &pause_dispatch,
                    "Let workers pick nothing: all, those of a board, or one."},
    CommandOverride{of<&service::set_dispatch>, "dispatch resume", "worker?", &resume_dispatch,
                    "Let workers pick again."},
    CommandOverride{of<&service::add_automation>, "", "", &add_automation},
    CommandOverride{of<&service::edit_automation>, "", "", &edit_automation},
    CommandOverride{of<&service::list_events>, "", "", &show_log},
    CommandOverride{of<&service::search_tasks>, "", "", &search_tasks},
    CommandOverride{of<&service::list_tokens>, "", "", &list_tokens},
    CommandOverride{of<&service::dependency_graph>, "", "", &draw_dependencies},
    // clang-format on
};

}  // namespace

std::span<FlagOverride const> flag_overrides() { return kFlagOverrides; }
std::span<CommandOverride const> command_overrides() { return kCommandOverrides; }

FlagOverride const* find_flag_override(api::Operation const& operation, std::string_view flag) {
  auto const found = std::ranges::find_if(kFlagOverrides, [&](FlagOverride const& s) {
    return s.operation == operation.function && s.flag == flag;
  });
  return found == kFlagOverrides.end() ? nullptr : &*found;
}

}  // namespace andon::cli
