#include "cli/command_line/flag_overrides.hpp"

#include <algorithm>
#include <array>

#include "cli/command_line/command_handlers.hpp"

namespace andon::cli {
namespace {

using enum FlagKind;
constexpr auto kNothing = Takes::nothing;
constexpr auto kValue = Takes::value;
constexpr auto kList = Takes::list;

constexpr std::array kSpellings{
    // clang-format off
    FlagOverride{"create_task", "tag", 0, "tags", field, kList, "Tags"},
    FlagOverride{"create_task", "description", 0, "body", field, kValue, "The brief, in Markdown"},
    FlagOverride{"create_task", "brief", 0, "body", file, kValue,
                 "File with the brief; - reads the standard input"},
    FlagOverride{"create_task", "worker", 0, "assignee", field, kValue, "Worker or person who shall do it"},
    FlagOverride{"create_task", "next", 0, "next_tasks", json, kValue,
                 "Task that follows when it is done: JSON, or a file that holds it"},
    FlagOverride{"create_task", "check", 0, "checks", field, kList,
                 "Verification commands of the board that must pass"},

    FlagOverride{"list_tasks", "search", 's', "q", field, kValue, "Text in title, body or tags"},
    FlagOverride{"list_tasks", "reverse", 'r', "reverse", field, kNothing, "The other way round"},
    FlagOverride{"list_tasks", "limit", 'n', "", handled, kValue, "Most tasks in the answer; 0 means all"},
    FlagOverride{"list_tasks", "worker", 0, "assignee", field, kValue, "Worker or person it is assigned to"},
    FlagOverride{"list_tasks", "group-by", 0, "", handled, kValue,
                 "Headings by assignee, tag, class, priority, status, role or parent"},

    FlagOverride{"update_task", "add-tag", 0, "add_tags", field, kList, "Tags to add"},
    FlagOverride{"update_task", "remove-tag", 0, "remove_tags", field, kList, "Tags to take away"},
    FlagOverride{"update_task", "add-dep", 0, "add_deps", field, kList,
                 "Tasks that must be done first, to add"},
    FlagOverride{"update_task", "remove-dep", 0, "remove_deps", field, kList,
                 "Tasks that need not be done first any more"},
    FlagOverride{"update_task", "description", 0, "body", field, kValue, "New brief"},
    FlagOverride{"update_task", "brief", 0, "body", file, kValue,
                 "File with the new brief; - reads the standard input"},
    FlagOverride{"update_task", "append-body", 'a', "append_body", field, kValue, "Text to add to the brief"},
    FlagOverride{"update_task", "timestamp", 't', "", handled, kNothing,
                 "Put the time before the added text"},
    FlagOverride{"update_task", "worker", 0, "assignee", field, kValue, "Worker or person"},
    FlagOverride{"update_task", "next", 0, "next_tasks", json, kValue,
                 "Task that follows when it is done: JSON, or a file that holds it"},
    FlagOverride{"update_task", "check", 0, "checks", field, kList,
                 "Verification commands of the board that must pass"},
    FlagOverride{"update_task", "due", 0, "due", field, kValue, "Due date (YYYY-MM-DD)"},
    FlagOverride{"update_task", "clear-due", 0, "due", clears, kNothing, "No due date"},
    FlagOverride{"update_task", "parent", 0, "parent", field, kValue, "Task it is part of"},
    FlagOverride{"update_task", "clear-parent", 0, "parent", clears, kNothing, "No parent"},
    FlagOverride{"update_task", "not-before", 0, "not_before", field, kValue, "Not picked before this time"},
    FlagOverride{"update_task", "clear-not-before", 0, "not_before", clears, kNothing,
                 "It may be picked at once"},
    FlagOverride{"update_task", "clear-assignee", 0, "assignee", blanks, kNothing, "Nobody's"},
    FlagOverride{"update_task", "clear-estimate", 0, "estimate", blanks, kNothing, "No estimate"},
    FlagOverride{"update_task", "started", 0, "", handled, kValue, "Day work on it began (YYYY-MM-DD)"},
    FlagOverride{"update_task", "clear-started", 0, "started", clears, kNothing, "Work has not begun"},
    FlagOverride{"update_task", "completed", 0, "", handled, kValue, "Day it was finished (YYYY-MM-DD)"},
    FlagOverride{"update_task", "clear-completed", 0, "completed", clears, kNothing, "It is not finished"},
    FlagOverride{"update_task", "claim", 0, "claim", field, kValue, "Name that holds it, or is to hold it"},
    FlagOverride{"list_tasks", "bodies", 0, "", hidden, kNothing, ""},
    FlagOverride{"update_task", "take", 0, "", hidden, kNothing, ""},
    FlagOverride{"update_task", "heed-claims", 0, "", hidden, kNothing, ""},

    FlagOverride{"move_task", "next", 0, "", handled, kNothing, "To the next column"},
    FlagOverride{"move_task", "prev", 0, "", handled, kNothing, "To the column before"},

    FlagOverride{"pick_task", "claim", 0, "by", field, kValue, "Name to claim for"},
    FlagOverride{"pick_task", "tag", 0, "tags", field, kList, "Only tasks with one of these tags"},
    FlagOverride{"pick_task", "no-body", 0, "", handled, kNothing, "Leave the brief out of the answer"},

    FlagOverride{"complete_task", "result", 0, "result", text, kValue,
                 "What was done; - reads the standard input"},
    FlagOverride{"submit_task", "result", 0, "result", text, kValue,
                 "What was done; - reads the standard input"},
    FlagOverride{"complete_task", "no-change", 0, "no_change", text, kValue,
                 "Why no file had to be changed; - reads the standard input"},
    FlagOverride{"submit_task", "no-change", 0, "no_change", text, kValue,
                 "Why no file had to be changed; - reads the standard input"},
    FlagOverride{"fail_task", "reason", 0, "reason", text, kValue, "Why; - reads the standard input"},
    FlagOverride{"reject_task", "reason", 0, "reason", text, kValue,
                 "What must be better; - reads the standard input"},
    FlagOverride{"block_task", "choice", 0, "choices", field, kValue,
                 "An answer to choose from; may be given several times"},
    FlagOverride{"answer_task", "text", 0, "text", text, kValue, "The answer; - reads the standard input"},
    FlagOverride{"add_note", "text", 0, "text", text, kValue, "The note; - reads the standard input"},

    FlagOverride{"handoff_task", "note", 0, "note", text, kValue,
                 "What the next one must know; - reads the standard input"},
    FlagOverride{"handoff_task", "timestamp", 't', "", handled, kNothing, "Put the time before the note"},
    FlagOverride{"handoff_task", "worker", 0, "to", field, kValue, "Worker or person to hand to"},
    FlagOverride{"handoff_task", "block", 0, "block", field, kValue,
                 "Mark it as blocked as well, with the reason"},
    FlagOverride{"handoff_task", "append-body", 0, "", hidden, kNothing, ""},
    FlagOverride{"handoff_task", "to-review", 0, "", hidden, kNothing, ""},
    FlagOverride{"handoff_task", "take", 0, "", hidden, kNothing, ""},

    FlagOverride{"delete_task", "yes", 'y', "", handled, kNothing, "Do not ask"},
    FlagOverride{"delete_board", "yes", 'y', "", handled, kNothing, "Do not ask"},
    FlagOverride{"remove_worker", "yes", 'y', "", handled, kNothing, "Do not ask"},
    FlagOverride{"remove_automation", "yes", 'y', "", handled, kNothing, "Do not ask"},
    FlagOverride{"revoke_token", "yes", 'y', "", handled, kNothing, "Do not ask"},

    FlagOverride{"board_summary", "watch", 'w', "", handled, kNothing, "Draw it anew whenever it changes"},
    FlagOverride{"board_context", "write-to", 0, "", handled, kValue,
                 "File whose marked block is replaced, or that gets one"},

    FlagOverride{"create_board", "statuses", 0, "", handled, kList,
                 "Columns in order, each NAME or NAME:LIMIT"},

    FlagOverride{"add_automation", "title", 0, "", handled, kValue, "Title of the task it makes"},
    FlagOverride{"add_automation", "body", 0, "", handled, kValue,
                 "Brief of the task; {{metrics}} becomes the board's health"},
    FlagOverride{"add_automation", "brief", 0, "", handled, kValue,
                 "File with the brief; - reads the standard input"},
    FlagOverride{"add_automation", "role", 0, "", handled, kValue, "Role that may take the task"},
    FlagOverride{"add_automation", "worker", 0, "", handled, kValue,
                 "Worker or person who shall do the task"},
    FlagOverride{"add_automation", "status", 0, "", handled, kValue,
                 "Column of the task; the ready column when left out"},
    FlagOverride{"add_automation", "priority", 0, "", handled, kValue, "Priority of the task"},
    FlagOverride{"add_automation", "class", 0, "", handled, kValue, "Class of service of the task"},
    FlagOverride{"add_automation", "review", 0, "", handled, kValue, "required, none or inherit"},
    FlagOverride{"add_automation", "tag", 0, "", handled, kList, "Tags of the task"},
    FlagOverride{"add_automation", "next", 0, "", handled, kValue,
                 "Task that follows when it is done: JSON, or a file that holds it"},
    FlagOverride{"add_automation", "template", 0, "template", json, kValue,
                 "The whole task as JSON, or a file that holds it"},

    FlagOverride{"edit_automation", "title", 0, "", handled, kValue, "New title of the task it makes"},
    FlagOverride{"edit_automation", "body", 0, "", handled, kValue,
                 "New brief of the task; {{metrics}} becomes the board's health"},
    FlagOverride{"edit_automation", "brief", 0, "", handled, kValue,
                 "File with the brief; - reads the standard input"},
    FlagOverride{"edit_automation", "role", 0, "", handled, kValue, "Role that may take the task"},
    FlagOverride{"edit_automation", "worker", 0, "", handled, kValue,
                 "Worker or person who shall do the task"},
    FlagOverride{"edit_automation", "status", 0, "", handled, kValue,
                 "Column of the task; the ready column when left out"},
    FlagOverride{"edit_automation", "priority", 0, "", handled, kValue, "Priority of the task"},
    FlagOverride{"edit_automation", "class", 0, "", handled, kValue, "Class of service of the task"},
    FlagOverride{"edit_automation", "review", 0, "", handled, kValue, "required, none or inherit"},
    FlagOverride{"edit_automation", "tag", 0, "", handled, kList, "Tags of the task"},
    FlagOverride{"edit_automation", "next", 0, "", handled, kValue,
                 "Task that follows when it is done: JSON, or a file that holds it"},
    FlagOverride{"edit_automation", "template", 0, "template", json, kValue,
                 "The whole task as JSON, or a file that holds it"},

    FlagOverride{"list_events", "since", 0, "", handled, kValue,
                 "Only what happened after this date, time or span (2026-11-21, 2h)"},
    FlagOverride{"list_events", "limit", 'n', "", handled, kValue, "Only the last so many"},
    FlagOverride{"list_events", "action", 0, "", handled, kValue,
                 "Only this kind: create, move, edit, task.claimed, ..."},
    // clang-format on
};

constexpr std::array kSpecials{
    // clang-format off
    CommandOverride{"create_task", "", "", &create_task},
    CommandOverride{"flow_metrics", "", "", &measure_flow},
    CommandOverride{"list_tasks", "", "", &list_tasks},
    CommandOverride{"get_task", "", "", &show_task},
    CommandOverride{"update_task", "", "", &edit_task},
    CommandOverride{"move_task", "", "id status?", &move_task},
    CommandOverride{"archive_task", "", "", &archive_task},
    CommandOverride{"pick_task", "", "", &pick_task},
    CommandOverride{"handoff_task", "", "", &handoff_task},
    CommandOverride{"heartbeat", "", "", &heartbeat},
    CommandOverride{"create_board", "", "", &create_board},
    CommandOverride{"attach_board", "", "", &attach_board},
    CommandOverride{"get_board", "", "", &show_board},
    CommandOverride{"board_summary", "", "", &summarize_board},
    CommandOverride{"board_context", "", "", &describe_board},
    CommandOverride{"delete_task", "", "", &delete_task},
    CommandOverride{"set_dispatch", "dispatch pause", "worker?", &pause_dispatch,
                    "Let workers pick nothing: all, those of a board, or one."},
    CommandOverride{"set_dispatch", "dispatch resume", "worker?", &resume_dispatch,
                    "Let workers pick again."},
    CommandOverride{"add_automation", "", "", &add_automation},
    CommandOverride{"edit_automation", "", "", &edit_automation},
    CommandOverride{"list_events", "", "", &show_log},
    CommandOverride{"search_tasks", "", "", &search_tasks},
    CommandOverride{"list_tokens", "", "", &list_tokens},
    CommandOverride{"dependency_graph", "", "", &draw_dependencies},
    // clang-format on
};

}  // namespace

std::span<FlagOverride const> spellings() { return kSpellings; }
std::span<CommandOverride const> specials() { return kSpecials; }

FlagOverride const* find_spelling(std::string_view operation, std::string_view flag) {
  auto const found = std::ranges::find_if(
      kSpellings, [&](FlagOverride const& s) { return s.operation == operation && s.flag == flag; });
  return found == kSpellings.end() ? nullptr : &*found;
}

}  // namespace andon::cli
