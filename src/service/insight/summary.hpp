#pragma once

#include <map>

#include "service/boards/boards.hpp"
#include "store/contract/query.hpp"

namespace andon::service {

struct SummaryRequest {
  std::string board;
  std::string group_by;
};
void describe(auto& field, SummaryRequest const*) {
  field(&SummaryRequest::board, kBoardField);
  field(&SummaryRequest::group_by, "group_by",
        "Swimlanes by assignee, tag, class, priority, status, role or parent");
}

/// A column in numbers. kanban-md reads `status`, its design document `name`; both are given.
struct ColumnSummary {
  std::string status;
  std::string name;
  std::int64_t count = 0;
  int wip_limit = 0;
  std::int64_t blocked = 0;
  std::int64_t overdue = 0;
};
void describe(auto& field, ColumnSummary const*) {
  field(&ColumnSummary::status, "status", "Name of the column", core::always);
  field(&ColumnSummary::name, "name", "The same, in swimlanes");
  field(&ColumnSummary::count, "count", "Its tasks", core::always);
  field(&ColumnSummary::wip_limit, "wip_limit", "Most tasks it may hold", core::set_only);
  field(&ColumnSummary::blocked, "blocked", "Of these blocked", core::always);
  field(&ColumnSummary::overdue, "overdue", "Of these due before today", core::always);
}

struct PriorityCount {
  std::string priority;
  std::int64_t count = 0;
};
void describe(auto& field, PriorityCount const*) {
  field(&PriorityCount::priority, "priority", "Priority", core::always);
  field(&PriorityCount::count, "count", "Its tasks", core::always);
}

struct ClassCount {
  std::string class_;
  std::int64_t count = 0;
};
void describe(auto& field, ClassCount const*) {
  field(&ClassCount::class_, "class", "Class of service", core::always);
  field(&ClassCount::count, "count", "Its tasks", core::always);
}

struct Swimlane {
  std::string key;
  std::vector<ColumnSummary> statuses;
  std::int64_t total = 0;
};
void describe(auto& field, Swimlane const*) {
  field(&Swimlane::key, "key", "What its tasks have in common", core::always);
  field(&Swimlane::statuses, "statuses", "Its columns", core::always);
  field(&Swimlane::total, "total", "Its tasks", core::always);
}

struct BoardSummary {
  std::string board_name;
  std::int64_t total_tasks = 0;
  std::vector<ColumnSummary> statuses;
  std::vector<PriorityCount> priorities;
  std::vector<ClassCount> classes;
  std::optional<std::vector<Swimlane>> groups;
  bool more_groups = false;
};
void describe(auto& field, BoardSummary const*) {
  field(&BoardSummary::board_name, "board_name", "What people read as the name of the board", core::always);
  field(&BoardSummary::total_tasks, "total_tasks", "Tasks that are not archived", core::always);
  field(&BoardSummary::statuses, "statuses", "The columns", core::always);
  field(&BoardSummary::priorities, "priorities", "Tasks by priority, lowest first", core::always);
  field(&BoardSummary::classes, "classes", "Tasks by class of service");
  field(&BoardSummary::groups, "groups", "Swimlanes, when asked for; at most 500");
  field(&BoardSummary::more_groups, "more_groups", "Whether there are more swimlanes than these",
        core::set_only);
}

/// One thing tasks can be grouped by; a task with several tags is in several groups.
struct Grouping {
  std::string_view name;
  store::Facet facet;
  std::string_view none;  ///< the group of tasks that have no such value
  std::vector<std::string> (*values)(core::Task const&);
};
core::Result<Grouping const*> grouping_named(std::string_view name);
/// The groups a task is in.
std::vector<std::string> keys_of(Grouping const& grouping, core::Task const& task, core::Board const& board);

/// Counts tasks by what they have in common, in the board's own order of statuses, priorities and classes.
class SwimlaneCounter {
 public:
  /// Both outlive it.
  SwimlaneCounter(core::Board const& board, Grouping const& grouping) : board_(board), grouping_(grouping) {}
  void add(core::Task const& task, core::Instant now);
  /// Tasks that were counted already, by status and the grouping's facet.
  void add(store::Tally const& tally);
  std::vector<Swimlane> lanes() const;

 private:
  void count(std::string const& key, store::Tally const& tally);

  core::Board const& board_;
  Grouping const& grouping_;
  std::map<std::pair<std::size_t, std::string>, Swimlane> lanes_;  ///< by place in the board's order and key
};

/// The board in numbers: how full each column is, what is blocked or overdue. Archived tasks do not count.
core::Result<BoardSummary> board_summary(OperationContext& ctx, SummaryRequest const& request);

}  // namespace andon::service
