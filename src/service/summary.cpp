#include "service/summary.hpp"

#include <algorithm>
#include <functional>

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Task;

using Keys = std::vector<std::string>;

constexpr std::size_t kPage = 500;

Result<void> visit_tasks(Unit& u, core::Board const& board, std::function<void(Task const&)> const& visit) {
  store::TaskFilter filter;
  filter.board = board.id;
  filter.now = u.now;
  store::Page page{kPage, {}, store::TaskOrder::id, false};
  do {
    ANDON_TRY(auto const found, u.tx.list(filter, page));
    for (auto const& task : found.tasks) visit(task);
    page.cursor = found.next;
  } while (!page.cursor.empty());
  return {};
}

bool is_overdue(Task const& task, core::Instant now) {
  return task.due && task.due->day < std::chrono::floor<std::chrono::days>(now) &&
         !core::is_terminal(task.stage);
}

void count_task(Task const& task, core::Instant now, std::vector<ColumnSummary>& columns) {
  auto const column = std::ranges::find(columns, task.status, &ColumnSummary::status);
  if (column == columns.end()) return;
  ++column->count;
  if (task.blocked) ++column->blocked;
  if (is_overdue(task, now)) ++column->overdue;
}

std::vector<ColumnSummary> columns_of(core::Board const& board, bool archived_too) {
  std::vector<ColumnSummary> out;
  for (auto const& column : board.columns)
    if (archived_too || column.stage != core::Stage::archived)
      out.push_back({column.name, archived_too ? column.name : "", 0, column.wip_limit, 0, 0});
  return out;
}

std::string or_else(std::string const& text, std::string_view otherwise) {
  return text.empty() ? std::string{otherwise} : text;
}

constexpr std::array kGroupings{
    Grouping{"assignee",
             [](Task const& t, core::Board const&) { return Keys{or_else(t.assignee, "(unassigned)")}; }},
    Grouping{"tag",
             [](Task const& t, core::Board const&) { return t.tags.empty() ? Keys{"(untagged)"} : t.tags; }},
    Grouping{"class",
             [](Task const& t, core::Board const& b) {
               return Keys{or_else(t.class_, or_else(b.default_class, core::kStandard))};
             }},
    Grouping{"priority", [](Task const& t, core::Board const&) { return Keys{t.priority}; }},
    Grouping{"status", [](Task const& t, core::Board const&) { return Keys{t.status}; }},
    Grouping{"role", [](Task const& t, core::Board const&) { return Keys{or_else(t.role, "(no role)")}; }},
    Grouping{"parent",
             [](Task const& t, core::Board const&) {
               return Keys{t.parent ? "#" + std::to_string(*t.parent) : "(no parent)"};
             }},
};

/// The board's own order of statuses, priorities and classes; values it does not know come first.
std::size_t place(core::Board const& board, std::string_view grouping, std::string const& key) {
  std::vector<std::string> names;
  if (grouping == "priority") names = board.priorities;
  if (grouping == "status")
    for (auto const& column : board.columns) names.push_back(column.name);
  if (grouping == "class")
    for (auto const& service_class : board.classes) names.push_back(service_class.name);
  auto const found = std::ranges::find(names, key);
  return found == names.end() ? 0 : 1 + static_cast<std::size_t>(found - names.begin());
}

template <class Counts, class Name>
void count_name(Counts& counts, Name name, std::string const& wanted) {
  if (auto const found = std::ranges::find(counts, wanted, name); found != counts.end()) ++found->count;
}

}  // namespace

Result<Grouping const*> grouping_named(std::string_view name) {
  auto const found = std::ranges::find(kGroupings, name, &Grouping::name);
  if (found != kGroupings.end()) return &*found;
  return core::refuse(Code::kInvalidGroupBy,
                      "invalid group-by field \"" + std::string{name} +
                          "\"; allowed: assignee, tag, class, priority, status, role, parent",
                      "group_by");
}

void SwimlaneCounter::add(Task const& task) {
  for (auto const& key : grouping_.keys(task, board_)) {
    auto& lane = lanes_[{place(board_, grouping_.name, key), key}];
    if (lane.statuses.empty()) lane = {key, columns_of(board_, true), 0};
    count_task(task, now_, lane.statuses);
    ++lane.total;
  }
}

std::vector<Swimlane> SwimlaneCounter::lanes() const {
  std::vector<Swimlane> out;
  for (auto const& [order, lane] : lanes_) out.push_back(lane);
  return out;
}

Result<BoardSummary> board_summary(Unit& u, SummaryRequest const& r) {
  ANDON_TRY(auto const* found, find_board(u, r.board));
  auto const& board = *found;
  BoardSummary out{board.name, 0, columns_of(board, false), {}, {}, {}};
  for (auto const& priority : board.priorities) out.priorities.push_back({priority, 0});
  for (auto const& service_class : board.classes) out.classes.push_back({service_class.name, 0});
  auto const count = [&](Task const& task) {
    ++out.total_tasks;
    count_task(task, u.now, out.statuses);
    count_name(out.priorities, &PriorityCount::priority, task.priority);
    count_name(out.classes, &ClassCount::class_,
               or_else(task.class_, or_else(board.default_class, core::kStandard)));
  };
  ANDON_CHECK(visit_tasks(u, board, count));
  if (r.group_by.empty()) return out;
  ANDON_TRY(auto const* grouping, grouping_named(r.group_by));
  SwimlaneCounter counter(board, *grouping, u.now);
  ANDON_CHECK(visit_tasks(u, board, [&](Task const& task) { counter.add(task); }));
  out.groups = counter.lanes();
  return out;
}

}  // namespace andon::service
