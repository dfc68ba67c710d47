#pragma once

#include <map>

#include "service/boards/boards.hpp"

namespace andon::service {

struct SummaryRequest {
  std::string board;
  std::string group_by;
};
BOOST_DESCRIBE_STRUCT(SummaryRequest, (), (board, group_by))
inline constexpr std::array kSummaryRequestFields{
    kBoardField,
    core::Field{"group_by", "Swimlanes by assignee, tag, class, priority, status, role or parent"}};
constexpr auto const& fields(SummaryRequest const*) { return kSummaryRequestFields; }

/// A column in numbers. kanban-md reads `status`, its design document `name`; both are given.
struct ColumnSummary {
  std::string status;
  std::string name;
  std::int64_t count = 0;
  int wip_limit = 0;
  std::int64_t blocked = 0;
  std::int64_t overdue = 0;
};
BOOST_DESCRIBE_STRUCT(ColumnSummary, (), (status, name, count, wip_limit, blocked, overdue))
inline constexpr std::array kColumnSummaryFields{
    core::Field{"status", "Name of the column", core::always},
    core::Field{"name", "The same, in swimlanes"},
    core::Field{"count", "Its tasks", core::always},
    core::Field{"wip_limit", "Most tasks it may hold", core::set_only},
    core::Field{"blocked", "Of these blocked", core::always},
    core::Field{"overdue", "Of these due before today", core::always}};
constexpr auto const& fields(ColumnSummary const*) { return kColumnSummaryFields; }

struct PriorityCount {
  std::string priority;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(PriorityCount, (), (priority, count))
inline constexpr std::array kPriorityCountFields{core::Field{"priority", "Priority", core::always},
                                                 core::Field{"count", "Its tasks", core::always}};
constexpr auto const& fields(PriorityCount const*) { return kPriorityCountFields; }

struct ClassCount {
  std::string class_;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(ClassCount, (), (class_, count))
inline constexpr std::array kClassCountFields{core::Field{"class", "Class of service", core::always},
                                              core::Field{"count", "Its tasks", core::always}};
constexpr auto const& fields(ClassCount const*) { return kClassCountFields; }

struct Swimlane {
  std::string key;
  std::vector<ColumnSummary> statuses;
  std::int64_t total = 0;
};
BOOST_DESCRIBE_STRUCT(Swimlane, (), (key, statuses, total))
inline constexpr std::array kSwimlaneFields{core::Field{"key", "What its tasks have in common", core::always},
                                            core::Field{"statuses", "Its columns", core::always},
                                            core::Field{"total", "Its tasks", core::always}};
constexpr auto const& fields(Swimlane const*) { return kSwimlaneFields; }

struct BoardSummary {
  std::string board_name;
  std::int64_t total_tasks = 0;
  std::vector<ColumnSummary> statuses;
  std::vector<PriorityCount> priorities;
  std::vector<ClassCount> classes;
  std::optional<std::vector<Swimlane>> groups;
  bool more_groups = false;
};
BOOST_DESCRIBE_STRUCT(BoardSummary, (),
                      (board_name, total_tasks, statuses, priorities, classes, groups, more_groups))
inline constexpr std::array kBoardSummaryFields{
    core::Field{"board_name", "What people read as the name of the board", core::always},
    core::Field{"total_tasks", "Tasks that are not archived", core::always},
    core::Field{"statuses", "The columns", core::always},
    core::Field{"priorities", "Tasks by priority, lowest first", core::always},
    core::Field{"classes", "Tasks by class of service"},
    core::Field{"groups", "Swimlanes, when asked for; at most 500"},
    core::Field{"more_groups", "Whether there are more swimlanes than these", core::set_only}};
constexpr auto const& fields(BoardSummary const*) { return kBoardSummaryFields; }

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
