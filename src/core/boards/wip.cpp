#include "core/boards/wip.hpp"

#include "core/boards/load.hpp"
#include "core/model/board.hpp"
#include "core/model/task.hpp"

namespace andon::core {
namespace {

std::int64_t at(std::map<std::string, std::int64_t, std::less<>> const& counts, std::string_view name) {
  auto const found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

ServiceClass const* class_of(Board const& board, Task const& task) {
  auto const index = class_index(board, task.class_.empty() ? kStandard : std::string_view{task.class_});
  return index ? &board.classes[*index] : nullptr;
}

std::string filled(std::int64_t count, int limit) {
  return "(" + std::to_string(count) + "/" + std::to_string(limit) + ")";
}

/// The limit counts all unfinished tasks of the class but this one, in whatever column.
Result<void> check_class(Board const& board, Load const& load, Task const& task, Task const* before,
                         bool starts) {
  auto const* service = class_of(board, task);
  if (!service || service->wip_limit <= 0 || is_finished(task.stage)) return {};
  bool const is_counted = before && !is_finished(before->stage) && class_of(board, *before) == service;
  auto const others = at(load.classes, service->name) - (is_counted ? 1 : 0);
  if ((is_counted && !starts) || others < service->wip_limit) return {};
  auto const full = std::to_string(others) + "/" + std::to_string(service->wip_limit);
  return refuse(Error{Code::kClassWipExceeded,
                      service->name + " WIP limit reached (" + full + " board-wide)",
                      "class",
                      {},
                      {}}
                    .with("class", service->name)
                    .with("limit", std::int64_t{service->wip_limit})
                    .with("current", others));
}

/// Leaving the backlog is what a limit of started work is about.
bool is_start(Column const& column, Task const* before) {
  return before && before->stage == Stage::backlog && column.stage != Stage::backlog;
}

}  // namespace

bool is_full(Column const& column, Load const& load) {
  return column.wip_limit > 0 && at(load.columns, column.name) >= column.wip_limit;
}

Result<void> check_class_wip(Board const& board, Load const& load, Task const& task, Task const* before) {
  return check_class(board, load, task, before, false);
}

Result<void> check_wip(Board const& board, Load const& load, Column const& column, Task const& task,
                       Task const* before) {
  auto const* service = class_of(board, task);
  bool const bypass = service && service->bypass_column_wip;
  bool const stays = before && before->status == column.name;
  if (!bypass && !stays && is_full(column, load)) {
    auto const count = at(load.columns, column.name);
    return refuse(Error{
        Code::kWipLimitExceeded,
        column.name + " is full " + filled(count, column.wip_limit) + "; finish or move something first",
        "status",
        {},
        {}}.with("status", column.name)
                      .with("limit", std::int64_t{column.wip_limit})
                      .with("current", count));
  }
  return check_class(board, load, task, before, is_start(column, before));
}

}  // namespace andon::core
