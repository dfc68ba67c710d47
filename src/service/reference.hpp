#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/id.hpp"
#include "reflect/text.hpp"

namespace andon::core {
struct Board;
struct Task;
struct Worker;
}  // namespace andon::core

namespace andon::service {

struct OperationContext;

/// A task as callers name it: its number (`42`, `#42`) or its key (`WQ-42`).
struct TaskRef {
  std::string text;

  TaskRef() = default;
  TaskRef(std::string key_or_number) : text(std::move(key_or_number)) {}
  TaskRef(char const* key_or_number) : text(key_or_number) {}
  TaskRef(core::TaskId id) : text(std::to_string(id)) {}
  template <std::integral Number>
  TaskRef(Number id) : text(std::to_string(id)) {}
  bool operator==(TaskRef const&) const = default;
};

/// The number a reference stands for; `TASK_NOT_FOUND` or `INVALID_TASK_ID` with the field it came from.
core::Result<core::TaskId> resolve(OperationContext& ctx, TaskRef const& ref, std::string_view field = "id");
/// The task itself, without its body. A run sees only tasks of its own board.
core::Result<core::Task> find_task(OperationContext& ctx, TaskRef const& ref, std::string_view field = "id");
core::Result<core::Task> find_task(OperationContext& ctx, core::TaskId id);

/// A board by name or number; the store's first board for an empty name.
core::Result<core::Board const*> find_board(OperationContext& ctx, std::string_view name);
core::Result<core::Board const*> board_of(OperationContext& ctx, core::Task const& task);
core::Result<core::Worker> find_worker(OperationContext& ctx, std::string_view name,
                                       std::string_view field = "name");

}  // namespace andon::service

namespace andon::reflect {

template <>
struct TextForm<service::TaskRef> {
  static constexpr std::string_view kName = "task", kForm = "a task's number or key";
  static constexpr bool kAcceptsInteger = true;
  static std::string const& write(service::TaskRef const& value) { return value.text; }
  static bool read(std::string_view text, service::TaskRef& out) {
    out.text = text;
    return !text.empty();
  }
};

}  // namespace andon::reflect
