#include "core/boards/templates.hpp"

#include <algorithm>
#include <array>

namespace andon::core {
namespace {

using std::chrono::minutes;

constexpr std::array<std::string_view, 3> kNames{"classic", "queue", "flow"};

Column column(std::string name, std::string title, Stage stage, bool require_claim = false) {
  return {std::move(name), std::move(title), stage, 0, require_claim, {}, {}, {}};
}

std::vector<ServiceClass> default_classes() {
  return {{"expedite", 1, true, 0},
          {"fixed-date", 0, false, 0},
          {"standard", 0, false, 0},
          {"intangible", 0, false, 20}};
}

Board plain(std::string_view name) {
  Board board;
  board.template_ = name;
  board.classes = default_classes();
  board.priorities = {"low", "medium", "high", "critical"};
  board.default_priority = "medium";
  board.default_class = kStandard;
  return board;
}

/// Five columns for people and workers who watch a page.
Board classic() {
  auto board = plain("classic");
  board.columns = {column("backlog", "Backlog", Stage::backlog), column("todo", "To Do", Stage::ready),
                   column("in_progress", "In Progress", Stage::active),
                   column("blocked", "Blocked", Stage::blocked), column("done", "Done", Stage::done)};
  return board;
}

/// A strict queue that agents work off, every result checked.
Board queue() {
  auto board = plain("queue");
  board.workflow = Workflow::strict;
  board.approval = Approval::trusted;
  board.trusted = {"planner"};
  board.review_by = {Reviewer::checks};
  board.max_concurrent = 3;
  board.stale_after = minutes{60};
  board.priorities = {"P2", "P1", "P0"};
  board.default_priority = "P1";
  board.columns = {column("pending", "Pending", Stage::backlog),
                   column("ready", "Ready", Stage::ready),
                   column("claimed", "Claimed", Stage::claimed),
                   column("in_progress", "In Progress", Stage::active),
                   column("needs_review", "Needs Review", Stage::review),
                   column("completed", "Completed", Stage::done),
                   column("failed", "Failed", Stage::failed)};
  NextTask qa;
  qa.title = "QA Review for {{parent.key}}";
  qa.body =
      "Review what was done in \"{{parent.title}}\".\n\n{{parent.result}}\n\nCommits: {{parent.commits}}";
  qa.role = "qa";
  qa.review = "none";
  board.chains = {{"coder", qa}};
  return board;
}

/// kanban-md's columns for agents that claim what they work on.
Board flow() {
  auto board = plain("flow");
  board.columns = {column("backlog", "Backlog", Stage::backlog),
                   column("todo", "To Do", Stage::ready),
                   column("in-progress", "In Progress", Stage::active, true),
                   column("review", "Review", Stage::review, true),
                   column("done", "Done", Stage::done),
                   column("archived", "Archived", Stage::archived)};
  return board;
}

}  // namespace

std::span<std::string_view const> template_names() { return kNames; }

void add_review_column(Board& board) {
  auto const last_of_work = std::find_if(board.columns.rbegin(), board.columns.rend(),
                                         [](Column const& one) { return one.stage == Stage::active; });
  board.columns.insert(last_of_work.base(), column("review", "Review", Stage::review));
}

std::optional<Board> board_from_template(std::string_view name) {
  std::optional<Board> board;
  if (name == "classic") board = classic();
  if (name == "queue") board = queue();
  if (name == "flow") board = flow();
  if (board) board->default_status = board->columns.front().name;
  return board;
}

}  // namespace andon::core
