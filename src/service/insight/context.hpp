#pragma once

#include "service/boards/boards.hpp"

namespace andon::service {

struct ContextRequest {
  std::string board;
  std::vector<std::string> sections;
  std::optional<int> days;
};
void describe(auto& field, ContextRequest const*) {
  field(&ContextRequest::board, "board", "Board by name or number; the first one when left out",
        core::required);
  field(&ContextRequest::sections, "sections",
        "Only these: in-progress, blocked, overdue, recently-completed; others give nothing");
  field(&ContextRequest::days, "days",
        "How many days back work counts as recently completed; 7 when left out");
}

struct ContextItem {
  core::TaskId id = 0;
  std::string title;
  std::string status;
  std::string priority;
  std::string assignee;
  std::string note;
};
void describe(auto& field, ContextItem const*) {
  field(&ContextItem::id, "id", "Number of the task", core::always);
  field(&ContextItem::title, "title", "One line", core::always);
  field(&ContextItem::status, "status", "Column it is in", core::always);
  field(&ContextItem::priority, "priority", "Its priority", core::always);
  field(&ContextItem::assignee, "assignee", "Worker or person who shall do it");
  field(&ContextItem::note, "note", "Why it stands here: the reason it is blocked for, the date it is due");
}

struct ContextSection {
  std::string name;
  std::vector<ContextItem> items;
};
void describe(auto& field, ContextSection const*) {
  field(&ContextSection::name, "name", "Name of the section", core::always);
  field(&ContextSection::items, "items", "Its tasks", core::always);
}

struct ContextSummary {
  std::int64_t total_tasks = 0;
  std::int64_t active = 0;
  std::int64_t blocked = 0;
  std::int64_t overdue = 0;
  std::string wip_warning;
};
void describe(auto& field, ContextSummary const*) {
  field(&ContextSummary::total_tasks, "total_tasks", "Tasks that are not archived", core::always);
  field(&ContextSummary::active, "active", "Of these, those beyond the first column and not finished",
        core::always);
  field(&ContextSummary::blocked, "blocked", "Of these blocked", core::always);
  field(&ContextSummary::overdue, "overdue", "Of these due before today and not finished", core::always);
  field(&ContextSummary::wip_warning, "wip_warning", "Which columns are full");
}

struct BoardContext {
  std::string board_name;
  ContextSummary summary;
  std::optional<std::vector<ContextSection>> sections;
};
void describe(auto& field, BoardContext const*) {
  field(&BoardContext::board_name, "board_name", "What people read as the name of the board", core::always);
  field(&BoardContext::summary, "summary", "The board in five numbers", core::always);
  field(&BoardContext::sections, "sections", "What is under way, blocked, overdue and done of late");
}

/// A description of the board for somebody who begins to work: tasks under way, stuck, late and done.
core::Result<BoardContext> board_context(OperationContext& ctx, ContextRequest const& request);

}  // namespace andon::service
