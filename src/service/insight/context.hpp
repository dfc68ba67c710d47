#pragma once

#include "service/boards/boards.hpp"

namespace andon::service {

struct ContextRequest {
  std::string board;
  std::vector<std::string> sections;
  std::optional<int> days;
};
BOOST_DESCRIBE_STRUCT(ContextRequest, (), (board, sections, days))
inline constexpr std::array kContextRequestFields{
    core::Field{"board", "Board by name or number; the first one when left out", core::required},
    core::Field{"sections",
                "Only these: in-progress, blocked, overdue, recently-completed; others give nothing"},
    core::Field{"days", "How many days back work counts as recently completed; 7 when left out"}};
constexpr auto const& fields(ContextRequest const*) { return kContextRequestFields; }

struct ContextItem {
  core::TaskId id = 0;
  std::string title;
  std::string status;
  std::string priority;
  std::string assignee;
  std::string note;
};
BOOST_DESCRIBE_STRUCT(ContextItem, (), (id, title, status, priority, assignee, note))
inline constexpr std::array kContextItemFields{
    core::Field{"id", "Number of the task", core::always},
    core::Field{"title", "One line", core::always},
    core::Field{"status", "Column it is in", core::always},
    core::Field{"priority", "Its priority", core::always},
    core::Field{"assignee", "Worker or person who shall do it"},
    core::Field{"note", "Why it stands here: the reason it is blocked for, the date it is due"}};
constexpr auto const& fields(ContextItem const*) { return kContextItemFields; }

struct ContextSection {
  std::string name;
  std::vector<ContextItem> items;
};
BOOST_DESCRIBE_STRUCT(ContextSection, (), (name, items))
inline constexpr std::array kContextSectionFields{core::Field{"name", "Name of the section", core::always},
                                                  core::Field{"items", "Its tasks", core::always}};
constexpr auto const& fields(ContextSection const*) { return kContextSectionFields; }

struct ContextSummary {
  std::int64_t total_tasks = 0;
  std::int64_t active = 0;
  std::int64_t blocked = 0;
  std::int64_t overdue = 0;
  std::string wip_warning;
};
BOOST_DESCRIBE_STRUCT(ContextSummary, (), (total_tasks, active, blocked, overdue, wip_warning))
inline constexpr std::array kContextSummaryFields{
    core::Field{"total_tasks", "Tasks that are not archived", core::always},
    core::Field{"active", "Of these, those beyond the first column and not finished", core::always},
    core::Field{"blocked", "Of these blocked", core::always},
    core::Field{"overdue", "Of these due before today and not finished", core::always},
    core::Field{"wip_warning", "Which columns are full"}};
constexpr auto const& fields(ContextSummary const*) { return kContextSummaryFields; }

struct BoardContext {
  std::string board_name;
  ContextSummary summary;
  std::optional<std::vector<ContextSection>> sections;
};
BOOST_DESCRIBE_STRUCT(BoardContext, (), (board_name, summary, sections))
inline constexpr std::array kBoardContextFields{
    core::Field{"board_name", "What people read as the name of the board", core::always},
    core::Field{"summary", "The board in five numbers", core::always},
    core::Field{"sections", "What is under way, blocked, overdue and done of late"}};
constexpr auto const& fields(BoardContext const*) { return kBoardContextFields; }

/// A description of the board for somebody who begins to work: tasks under way, stuck, late and done.
core::Result<BoardContext> board_context(OperationContext& ctx, ContextRequest const& request);

}  // namespace andon::service
