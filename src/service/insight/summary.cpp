#include "service/insight/summary.hpp"

#include <algorithm>
#include <array>

#include "core/model/board_title.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Task;

using store::Facet;
using store::Tally;
using Values = std::vector<std::string>;

constexpr std::size_t kMostGroups = 500;

bool is_overdue(Task const& task, core::Instant now) {
  return task.due && *task.due < core::utc_day(now) && !core::is_terminal(task.stage);
}

void count_into(std::vector<ColumnSummary>& columns, Tally const& tally) {
  auto const column = std::ranges::find(columns, tally.status, &ColumnSummary::status);
  if (column == columns.end()) return;
  column->count += tally.count;
  column->blocked += tally.blocked;
  column->overdue += tally.overdue;
}

std::vector<ColumnSummary> columns_of(core::Board const& board, bool archived_too) {
  std::vector<ColumnSummary> out;
  for (auto const& column : board.columns)
    if (archived_too || !core::is_archived(column.stage))
      out.push_back({column.name, archived_too ? column.name : "", 0, column.wip_limit, 0, 0});
  return out;
}

/// The tasks that are not archived.
std::vector<Tally> tally_of(OperationContext& ctx, core::Board const& board, Facet by) {
  std::vector<std::string> columns;
  for (auto const& column : columns_of(board, false)) columns.push_back(column.status);
  return ctx.tx.tally(board.id, columns, by, core::utc_day(ctx.now), kMostGroups + 1);
}

std::string class_of(core::Board const& board, std::string const& value) {
  if (!value.empty()) return value;
  return board.default_class.empty() ? std::string{core::kStandard} : board.default_class;
}

constexpr std::array kGroupings{
    Grouping{"assignee", Facet::assignee, "(unassigned)", [](Task const& t) { return Values{t.assignee}; }},
    Grouping{"tag", Facet::tag, "(untagged)",
             [](Task const& t) { return t.tags.empty() ? Values{""} : t.tags; }},
    Grouping{"class", Facet::class_, "", [](Task const& t) { return Values{t.class_}; }},
    Grouping{"priority", Facet::priority, "(no priority)", [](Task const& t) { return Values{t.priority}; }},
    Grouping{"status", Facet::status, "", [](Task const& t) { return Values{t.status}; }},
    Grouping{"role", Facet::role, "(no role)", [](Task const& t) { return Values{t.role}; }},
    Grouping{"parent", Facet::parent, "(no parent)",
             [](Task const& t) { return Values{t.parent ? std::to_string(*t.parent) : ""}; }},
};

std::string key_of(Grouping const& grouping, core::Board const& board, std::string const& value) {
  if (grouping.facet == Facet::class_) return class_of(board, value);
  if (value.empty()) return std::string{grouping.none};
  return grouping.facet == Facet::parent ? "#" + value : value;
}

/// The board's own order of statuses, priorities and classes; values it does not know come first. Parents
/// stand in the order of their numbers.
std::size_t place(core::Board const& board, Grouping const& grouping, std::string const& key) {
  if (grouping.facet == Facet::parent) return key.starts_with('#') ? std::stoull(key.substr(1)) : 0;
  std::vector<std::string> names;
  if (grouping.facet == Facet::priority) names = board.priorities;
  if (grouping.facet == Facet::status)
    for (auto const& column : board.columns) names.push_back(column.name);
  if (grouping.facet == Facet::class_)
    for (auto const& service_class : board.classes) names.push_back(service_class.name);
  auto const found = std::ranges::find(names, key);
  return found == names.end() ? 0 : 1 + static_cast<std::size_t>(found - names.begin());
}

template <class Counts, class Name>
void count_name(Counts& counts, Name name, std::string const& wanted, std::int64_t n) {
  if (auto const found = std::ranges::find(counts, wanted, name); found != counts.end()) found->count += n;
}

BoardSummary empty_summary(core::Board const& board) {
  BoardSummary out{core::title_of(board), 0, columns_of(board, false), {}, {}, {}};
  for (auto const& priority : board.priorities) out.priorities.push_back({priority, 0});
  for (auto const& service_class : board.classes) out.classes.push_back({service_class.name, 0});
  return out;
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

std::vector<std::string> keys_of(Grouping const& grouping, Task const& task, core::Board const& board) {
  auto keys = grouping.values(task);
  for (auto& key : keys) key = key_of(grouping, board, key);
  return keys;
}

void SwimlaneCounter::count(std::string const& key, Tally const& tally) {
  auto& lane = lanes_[{place(board_, grouping_, key), key}];
  if (lane.statuses.empty()) lane = {key, columns_of(board_, true), 0};
  count_into(lane.statuses, tally);
  lane.total += tally.count;
}

void SwimlaneCounter::add(Task const& task, core::Instant now) {
  Tally const one{task.status, "", 1, task.blocked ? 1 : 0, is_overdue(task, now) ? 1 : 0};
  for (auto const& key : keys_of(grouping_, task, board_)) count(key, one);
}

void SwimlaneCounter::add(Tally const& tally) { count(key_of(grouping_, board_, tally.value), tally); }

std::vector<Swimlane> SwimlaneCounter::lanes() const {
  std::vector<Swimlane> out;
  for (auto const& [order, lane] : lanes_) out.push_back(lane);
  return out;
}

Result<BoardSummary> board_summary(OperationContext& ctx, SummaryRequest const& r) {
  ANDON_TRY(auto const* found, find_board(ctx, r.board));
  auto const& board = *found;
  Grouping const* grouping = nullptr;
  if (!r.group_by.empty()) ANDON_SET(grouping, grouping_named(r.group_by));
  auto out = empty_summary(board);
  for (auto const& tally : tally_of(ctx, board, Facet::status)) {
    out.total_tasks += tally.count;
    count_into(out.statuses, tally);
  }
  for (auto const& tally : tally_of(ctx, board, Facet::priority))
    count_name(out.priorities, &PriorityCount::priority, tally.value, tally.count);
  for (auto const& tally : tally_of(ctx, board, Facet::class_))
    count_name(out.classes, &ClassCount::class_, class_of(board, tally.value), tally.count);
  if (!grouping) return out;
  SwimlaneCounter counter(board, *grouping);
  for (auto const& tally : tally_of(ctx, board, grouping->facet)) counter.add(tally);
  out.groups = counter.lanes();
  out.more_groups = out.groups->size() > kMostGroups;
  if (out.more_groups) out.groups->resize(kMostGroups);
  return out;
}

}  // namespace andon::service
