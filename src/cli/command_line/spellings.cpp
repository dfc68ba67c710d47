#include "cli/command_line/spellings.hpp"

#include <algorithm>
#include <array>

#include "cli/command_line/works.hpp"

namespace andon::cli {
namespace {

using enum How;
constexpr auto kNothing = Takes::nothing;
constexpr auto kValue = Takes::value;
constexpr auto kList = Takes::list;

constexpr std::array kSpellings{
    // clang-format off
    Spelling{"create_task", "tag", 0, "tags", field, kList, "Tags"},
    Spelling{"create_task", "description", 0, "body", field, kValue, "The brief, in Markdown"},
    Spelling{"create_task", "brief", 0, "body", file, kValue, "File with the brief; - reads the standard input"},
    Spelling{"create_task", "worker", 0, "assignee", field, kValue, "Worker or person who shall do it"},
    Spelling{"create_task", "next", 0, "next_tasks", json, kValue, "Task that follows when it is done: JSON, or a file that holds it"},
    Spelling{"create_task", "check", 0, "checks", field, kList, "Verification commands of the board that must pass"},

    Spelling{"list_tasks", "search", 's', "q", field, kValue, "Text in title, body or tags"},
    Spelling{"list_tasks", "reverse", 'r', "reverse", field, kNothing, "The other way round"},
    Spelling{"list_tasks", "limit", 'n', "", handled, kValue, "Most tasks in the answer; 0 means all"},
    Spelling{"list_tasks", "worker", 0, "assignee", field, kValue, "Worker or person it is assigned to"},
    Spelling{"list_tasks", "group-by", 0, "", handled, kValue, "Headings by assignee, tag, class, priority, status, role or parent"},

    Spelling{"update_task", "add-tag", 0, "add_tags", field, kList, "Tags to add"},
    Spelling{"update_task", "remove-tag", 0, "remove_tags", field, kList, "Tags to take away"},
    Spelling{"update_task", "add-dep", 0, "add_deps", field, kList, "Tasks that must be done first, to add"},
    Spelling{"update_task", "remove-dep", 0, "remove_deps", field, kList, "Tasks that need not be done first any more"},
    Spelling{"update_task", "description", 0, "body", field, kValue, "New brief"},
    Spelling{"update_task", "brief", 0, "body", file, kValue, "File with the new brief; - reads the standard input"},
    Spelling{"update_task", "append-body", 'a', "append_body", field, kValue, "Text to add to the brief"},
    Spelling{"update_task", "timestamp", 't', "", handled, kNothing, "Put the time before the added text"},
    Spelling{"update_task", "worker", 0, "assignee", field, kValue, "Worker or person"},
    Spelling{"update_task", "next", 0, "next_tasks", json, kValue, "Task that follows when it is done: JSON, or a file that holds it"},
    Spelling{"update_task", "check", 0, "checks", field, kList, "Verification commands of the board that must pass"},
    Spelling{"update_task", "due", 0, "due", field, kValue, "Due date (YYYY-MM-DD)"},
    Spelling{"update_task", "clear-due", 0, "due", clears, kNothing, "No due date"},
    Spelling{"update_task", "parent", 0, "parent", field, kValue, "Task it is part of"},
    Spelling{"update_task", "clear-parent", 0, "parent", clears, kNothing, "No parent"},
    Spelling{"update_task", "not-before", 0, "not_before", field, kValue, "Not picked before this time"},
    Spelling{"update_task", "clear-not-before", 0, "not_before", clears, kNothing, "It may be picked at once"},
    Spelling{"update_task", "clear-assignee", 0, "assignee", blanks, kNothing, "Nobody's"},
    Spelling{"update_task", "clear-estimate", 0, "estimate", blanks, kNothing, "No estimate"},
    Spelling{"update_task", "started", 0, "", handled, kValue, "Day work on it began (YYYY-MM-DD)"},
    Spelling{"update_task", "clear-started", 0, "started", clears, kNothing, "Work has not begun"},
    Spelling{"update_task", "completed", 0, "", handled, kValue, "Day it was finished (YYYY-MM-DD)"},
    Spelling{"update_task", "clear-completed", 0, "completed", clears, kNothing, "It is not finished"},
    Spelling{"update_task", "claim", 0, "claim", field, kValue, "Name that holds it, or is to hold it"},
    Spelling{"list_tasks", "bodies", 0, "", hidden, kNothing, ""},
    Spelling{"update_task", "take", 0, "", hidden, kNothing, ""},
    Spelling{"update_task", "heed-claims", 0, "", hidden, kNothing, ""},

    Spelling{"move_task", "next", 0, "", handled, kNothing, "To the next column"},
    Spelling{"move_task", "prev", 0, "", handled, kNothing, "To the column before"},

    Spelling{"pick_task", "claim", 0, "by", field, kValue, "Name to claim for"},
    Spelling{"pick_task", "tag", 0, "tags", field, kList, "Only tasks with one of these tags"},
    Spelling{"pick_task", "no-body", 0, "", handled, kNothing, "Leave the brief out of the answer"},

    Spelling{"complete_task", "result", 0, "result", text, kValue, "What was done; - reads the standard input"},
    Spelling{"submit_task", "result", 0, "result", text, kValue, "What was done; - reads the standard input"},
    Spelling{"complete_task", "no-change", 0, "no_change", text, kValue, "Why no file had to be changed; - reads the standard input"},
    Spelling{"submit_task", "no-change", 0, "no_change", text, kValue, "Why no file had to be changed; - reads the standard input"},
    Spelling{"fail_task", "reason", 0, "reason", text, kValue, "Why; - reads the standard input"},
    Spelling{"reject_task", "reason", 0, "reason", text, kValue, "What must be better; - reads the standard input"},
    Spelling{"block_task", "choice", 0, "choices", field, kValue, "An answer to choose from; may be given several times"},
    Spelling{"answer_task", "text", 0, "text", text, kValue, "The answer; - reads the standard input"},
    Spelling{"add_note", "text", 0, "text", text, kValue, "The note; - reads the standard input"},

    Spelling{"handoff_task", "note", 0, "note", text, kValue, "What the next one must know; - reads the standard input"},
    Spelling{"handoff_task", "timestamp", 't', "", handled, kNothing, "Put the time before the note"},
    Spelling{"handoff_task", "worker", 0, "to", field, kValue, "Worker or person to hand to"},
    Spelling{"handoff_task", "block", 0, "block", field, kValue, "Mark it as blocked as well, with the reason"},
    Spelling{"handoff_task", "append-body", 0, "", hidden, kNothing, ""},
    Spelling{"handoff_task", "to-review", 0, "", hidden, kNothing, ""},
    Spelling{"handoff_task", "take", 0, "", hidden, kNothing, ""},

    Spelling{"delete_task", "yes", 'y', "", handled, kNothing, "Do not ask"},
    Spelling{"delete_board", "yes", 'y', "", handled, kNothing, "Do not ask"},
    Spelling{"remove_worker", "yes", 'y', "", handled, kNothing, "Do not ask"},
    Spelling{"remove_automation", "yes", 'y', "", handled, kNothing, "Do not ask"},
    Spelling{"revoke_token", "yes", 'y', "", handled, kNothing, "Do not ask"},

    Spelling{"board_summary", "watch", 'w', "", handled, kNothing, "Draw it anew whenever it changes"},
    Spelling{"board_context", "write-to", 0, "", handled, kValue, "File whose marked block is replaced, or that gets one"},

    Spelling{"create_board", "statuses", 0, "", handled, kList, "Columns in order, each NAME or NAME:LIMIT"},

    Spelling{"add_automation", "title", 0, "", handled, kValue, "Title of the task it makes"},
    Spelling{"add_automation", "body", 0, "", handled, kValue, "Brief of the task; {{metrics}} becomes the board's health"},
    Spelling{"add_automation", "brief", 0, "", handled, kValue, "File with the brief; - reads the standard input"},
    Spelling{"add_automation", "role", 0, "", handled, kValue, "Role that may take the task"},
    Spelling{"add_automation", "worker", 0, "", handled, kValue, "Worker or person who shall do the task"},
    Spelling{"add_automation", "status", 0, "", handled, kValue, "Column of the task; the ready column when left out"},
    Spelling{"add_automation", "priority", 0, "", handled, kValue, "Priority of the task"},
    Spelling{"add_automation", "class", 0, "", handled, kValue, "Class of service of the task"},
    Spelling{"add_automation", "review", 0, "", handled, kValue, "required, none or inherit"},
    Spelling{"add_automation", "tag", 0, "", handled, kList, "Tags of the task"},
    Spelling{"add_automation", "next", 0, "", handled, kValue, "Task that follows when it is done: JSON, or a file that holds it"},
    Spelling{"add_automation", "template", 0, "template", json, kValue, "The whole task as JSON, or a file that holds it"},

    Spelling{"edit_automation", "title", 0, "", handled, kValue, "New title of the task it makes"},
    Spelling{"edit_automation", "body", 0, "", handled, kValue, "New brief of the task; {{metrics}} becomes the board's health"},
    Spelling{"edit_automation", "brief", 0, "", handled, kValue, "File with the brief; - reads the standard input"},
    Spelling{"edit_automation", "role", 0, "", handled, kValue, "Role that may take the task"},
    Spelling{"edit_automation", "worker", 0, "", handled, kValue, "Worker or person who shall do the task"},
    Spelling{"edit_automation", "status", 0, "", handled, kValue, "Column of the task; the ready column when left out"},
    Spelling{"edit_automation", "priority", 0, "", handled, kValue, "Priority of the task"},
    Spelling{"edit_automation", "class", 0, "", handled, kValue, "Class of service of the task"},
    Spelling{"edit_automation", "review", 0, "", handled, kValue, "required, none or inherit"},
    Spelling{"edit_automation", "tag", 0, "", handled, kList, "Tags of the task"},
    Spelling{"edit_automation", "next", 0, "", handled, kValue, "Task that follows when it is done: JSON, or a file that holds it"},
    Spelling{"edit_automation", "template", 0, "template", json, kValue, "The whole task as JSON, or a file that holds it"},

    Spelling{"list_events", "since", 0, "", handled, kValue, "Only what happened after this date, time or span (2026-11-21, 2h)"},
    Spelling{"list_events", "limit", 'n', "", handled, kValue, "Only the last so many"},
    Spelling{"list_events", "action", 0, "", handled, kValue, "Only this kind: create, move, edit, task.claimed, ..."},
    // clang-format on
};

constexpr std::array kSpecials{
    // clang-format off
    Special{"create_task", "", "", &create_task},
    Special{"flow_metrics", "", "", &measure_flow},
    Special{"list_tasks", "", "", &list_tasks},
    Special{"get_task", "", "", &show_task},
    Special{"update_task", "", "", &edit_task},
    Special{"move_task", "", "id status?", &move_task},
    Special{"archive_task", "", "", &archive_task},
    Special{"pick_task", "", "", &pick_task},
    Special{"handoff_task", "", "", &handoff_task},
    Special{"heartbeat", "", "", &heartbeat},
    Special{"create_board", "", "", &create_board},
    Special{"attach_board", "", "", &attach_board},
    Special{"get_board", "", "", &show_board},
    Special{"board_summary", "", "", &summarize_board},
    Special{"board_context", "", "", &describe_board},
    Special{"delete_task", "", "", &delete_task},
    Special{"set_dispatch", "dispatch pause", "worker?", &pause_dispatch, "Let workers pick nothing: all, those of a board, or one."},
    Special{"set_dispatch", "dispatch resume", "worker?", &resume_dispatch, "Let workers pick again."},
    Special{"add_automation", "", "", &add_automation},
    Special{"edit_automation", "", "", &edit_automation},
    Special{"list_events", "", "", &show_log},
    Special{"search_tasks", "", "", &search_tasks},
    Special{"list_tokens", "", "", &list_tokens},
    Special{"dependency_graph", "", "", &draw_dependencies},
    // clang-format on
};

}  // namespace

std::span<Spelling const> spellings() { return kSpellings; }
std::span<Special const> specials() { return kSpecials; }

Spelling const* find_spelling(std::string_view operation, std::string_view flag) {
  auto const found = std::ranges::find_if(
      kSpellings, [&](Spelling const& s) { return s.operation == operation && s.flag == flag; });
  return found == kSpellings.end() ? nullptr : &*found;
}

}  // namespace andon::cli
