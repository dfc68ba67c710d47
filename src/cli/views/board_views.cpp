#include "cli/views/board_views.hpp"

#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"

namespace andon::cli {
namespace {

using core::Board;
using service::BoardSummary;
using service::ColumnSummary;

std::string number(std::int64_t n) { return std::to_string(n); }

/// Scripts look for `tasks)`, so the word stays when there is one.
std::string tasks_word(std::int64_t n) { return number(n) + " tasks"; }

std::string fill_of(ColumnSummary const& column) {
  return column.wip_limit > 0 ? number(column.count) + "/" + number(column.wip_limit) : "";
}

std::string column_table(std::vector<ColumnSummary> const& columns, Screen const& screen) {
  Table table({{"STATUS", 16, 0}, {"COUNT", 8, 0}, {"WIP", 8, 0}, {"BLOCKED", 10, 0}, {"OVERDUE", 0, 0}});
  for (auto const& c : columns)
    table.add({c.status, number(c.count), fill_of(c), number(c.blocked), number(c.overdue)});
  return screen.drawn(table);
}

std::string classes_line(BoardSummary const& summary) {
  std::string out;
  for (auto const& c : summary.classes)
    out.append(out.empty() ? "Classes: " : " | ").append(number(c.count) + " " + c.class_);
  return out.empty() ? out : one_line(out) + "\n";
}

std::string compact_column(ColumnSummary const& column) {
  std::string out =
      "  " + column.status + ": " + (column.wip_limit > 0 ? fill_of(column) : number(column.count));
  std::string marks;
  if (column.blocked > 0) marks += number(column.blocked) + " blocked";
  if (column.overdue > 0) marks += (marks.empty() ? "" : ", ") + number(column.overdue) + " overdue";
  return one_line(out + (marks.empty() ? "" : " (" + marks + ")")) + "\n";
}

std::string compact_summary(BoardSummary const& summary) {
  std::string out = one_line(summary.board_name) + " (" + tasks_word(summary.total_tasks) + ")\n";
  for (auto const& column : summary.statuses) out += compact_column(column);
  std::string line = "Priority:";
  for (auto const& p : summary.priorities) line += " " + p.priority + "=" + number(p.count);
  return out + one_line(line) + "\n" + classes_line(summary);
}

}  // namespace

std::string heading(std::string const& key, std::int64_t tasks) {
  return one_line(key) + " (" + tasks_word(tasks) + ")\n";
}

std::string board_list(service::Boards const& boards, Screen const& screen) {
  Table table({{"ID", 4, 0},
               {"NAME", 0, 0},
               {"TITLE", 0, 40},
               {"TASKS", 0, 0},
               {"WORKFLOW", 0, 0},
               {"DISPATCH", 0, 0}});
  std::string lines;
  for (auto const& board : boards.items) {
    std::int64_t tasks = 0;
    for (auto const& column : board.columns) tasks += column.count.value_or(0);
    auto const state = board.archived           ? "archived"
                       : !board.trouble.empty() ? "not reachable"
                       : board.auto_dispatch    ? "on"
                                                : "paused";
    table.add({number(board.id), board.name, board.title, number(tasks),
               std::string{reflect::TextForm<core::Workflow>::write(board.workflow)}, state});
    lines += one_line("#" + number(board.id) + " " + board.name + " (" + tasks_word(tasks) +
                      ") dispatch:" + state) +
             "\n";
  }
  return screen.is_compact() ? lines : screen.drawn(table);
}

std::string board_page(Board const& board, Screen const& screen) {
  Table columns({{"COLUMN", 0, 0}, {"STAGE", 0, 0}, {"COUNT", 0, 0}, {"WIP", 0, 0}, {"CLAIM", 0, 0}});
  for (auto const& c : board.columns)
    columns.add({c.name, std::string{core::to_text(c.stage)}, number(c.count.value_or(0)),
                 c.wip_limit > 0 ? number(c.wip_limit) : "", c.require_claim ? "required" : ""});
  std::string priorities, classes;
  for (auto const& p : board.priorities) priorities += (priorities.empty() ? "" : ", ") + p;
  for (auto const& c : board.classes) classes += (classes.empty() ? "" : ", ") + c.name;
  std::string out = screen.painted(one_line(board.title), "1") + " (" + one_line(board.name) + ")\n";
  for (auto const& [label, value] : {std::pair{"Template", board.template_},
                                     {"Priorities", priorities},
                                     {"Classes", classes},
                                     {"Review by", core::to_text(board.review_by)},
                                     {"Claims last", core::to_text(board.claim_timeout)},
                                     {"Dispatch", std::string{board.auto_dispatch ? "on" : "paused"}},
                                     {"Directory", board.directory},
                                     {"Trouble", board.trouble},
                                     {"Repository", board.repo},
                                     {"Branch", board.branch},
                                     {"Folder", board.folder}})
    if (!value.empty()) out += "  " + padded(std::string{label} + ":", 13) + one_line(value) + "\n";
  return out + "\n" + screen.drawn(columns);
}

std::string changed_board_page(service::ChangedBoard const& board, Screen const& screen) {
  return board_page(board, screen);
}

std::string summary_page(BoardSummary const& summary, Screen const& screen) {
  if (screen.is_compact()) return compact_summary(summary);
  Table priorities({{"PRIORITY", 16, 0}, {"COUNT", 0, 0}});
  for (auto const& p : summary.priorities) priorities.add({p.priority, number(p.count)});
  Table classes({{"CLASS", 16, 0}, {"COUNT", 0, 0}});
  for (auto const& c : summary.classes) classes.add({c.class_, number(c.count)});
  return screen.painted(one_line(summary.board_name), "1") + "\nTotal: " + tasks_word(summary.total_tasks) +
         "\n\n" + column_table(summary.statuses, screen) + "\n" + screen.drawn(priorities) +
         (classes.empty() ? "" : "\n" + screen.drawn(classes)) +
         (classes.empty() ? "" : "\n" + classes_line(summary));
}

std::string swimlane_page(std::vector<service::Swimlane> const& lanes) {
  std::string out;
  for (auto const& lane : lanes) {
    out += (out.empty() ? "" : "\n") + heading(lane.key, lane.total);
    for (auto const& column : lane.statuses)
      if (column.count > 0) out += compact_column(column);
  }
  return out;
}

}  // namespace andon::cli
