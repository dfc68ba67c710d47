#pragma once

#include <string>
#include <utility>

#include "core/model/board.hpp"
#include "core/model/task.hpp"

namespace andon::test {

/// A moment some minutes after the tests' beginning of time.
inline core::Instant at_minute(int minute) {
  return core::Instant{core::Duration{1'800'000'000'000}} + std::chrono::minutes{minute};
}

/// Builds a task: `a_task("Fix the cart").ready().tagged("qa")`.
class TaskBuilder {
 public:
  explicit TaskBuilder(std::string title) {
    task_.title = std::move(title);
    task_.board = "shop";
    task_.status = "backlog";
    task_.priority = "medium";
    task_.created = task_.updated = task_.state.entered = at_minute(0);
  }
  operator core::Task() const { return task_; }

  TaskBuilder& in(std::string column) { return set(task_.status, std::move(column)); }
  TaskBuilder& ready() { return in("todo"); }
  TaskBuilder& on(std::string board) { return set(task_.board, std::move(board)); }
  TaskBuilder& priority(std::string name) { return set(task_.priority, std::move(name)); }
  TaskBuilder& of_class(std::string name) { return set(task_.class_, std::move(name)); }
  TaskBuilder& assigned_to(std::string name) { return set(task_.assignee, std::move(name)); }
  TaskBuilder& for_role(std::string name) { return set(task_.role, std::move(name)); }
  TaskBuilder& with_body(std::string text) { return set(task_.body, std::move(text)); }
  TaskBuilder& ranked(std::string rank) { return set(task_.rank, std::move(rank)); }
  TaskBuilder& child_of(core::TaskId parent) { return set(task_.parent, parent); }
  TaskBuilder& due(int day) {
    return set(task_.due, core::Date{std::chrono::sys_days{std::chrono::days{day}}});
  }
  TaskBuilder& not_before(core::Instant at) { return set(task_.not_before, at); }
  TaskBuilder& blocked(std::string reason = "waits for an answer") {
    task_.blocked = true;
    return set(task_.block_reason, std::move(reason));
  }
  TaskBuilder& claimed_by(std::string holder, std::optional<core::Instant> until) {
    task_.claimed_at = at_minute(0);
    task_.claim_expires = until;
    task_.epoch = 1;
    return set(task_.claimed_by, std::move(holder));
  }
  TaskBuilder& waiting_for(core::TaskId other) {
    task_.depends_on.push_back(other);
    ++task_.state.open_deps;
    return *this;
  }
  TaskBuilder& tagged(std::string tag) {
    task_.tags.push_back(std::move(tag));
    return *this;
  }
  TaskBuilder& touching(std::string glob) {
    task_.touches.push_back(std::move(glob));
    return *this;
  }

 private:
  template <class Member, class Value>
  TaskBuilder& set(Member& member, Value value) {
    member = std::move(value);
    return *this;
  }
  core::Task task_;
};
inline TaskBuilder a_task(std::string title = "Do something") { return TaskBuilder{std::move(title)}; }

/// Builds a board with the columns of every stage; its name is `shop` unless told otherwise.
class BoardBuilder {
 public:
  explicit BoardBuilder(std::string name) {
    using enum core::Stage;
    board_.name = std::move(name);
    board_.columns = {{"backlog", "", backlog, 0, false, "", {}}, {"todo", "", ready, 0, false, "", {}},
                      {"doing", "", active, 0, false, "", {}},    {"check", "", review, 0, false, "", {}},
                      {"failed", "", failed, 0, false, "", {}},   {"done", "", done, 0, false, "", {}}};
    board_.priorities = {"low", "medium", "high", "critical"};
    board_.classes = {{"expedite", 1, true, 0},
                      {"fixed-date", 0, false, 0},
                      {"standard", 0, false, 0},
                      {"intangible", 0, false, 0}};
    board_.default_status = "backlog";
    board_.default_priority = "medium";
    board_.created = at_minute(0);
  }
  operator core::Board() const { return board_; }

  BoardBuilder& prefixed(std::string prefix) {
    board_.prefix = std::move(prefix);
    return *this;
  }
  BoardBuilder& limited(std::string_view column, int limit) {
    for (auto& c : board_.columns)
      if (c.name == column) c.wip_limit = limit;
    return *this;
  }

 private:
  core::Board board_;
};
inline BoardBuilder a_board(std::string name = "shop") { return BoardBuilder{std::move(name)}; }

}  // namespace andon::test
