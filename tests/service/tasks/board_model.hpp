#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/event.hpp"
#include "core/model/task.hpp"

namespace andon::test {

/// An event that is told of a task.
struct ToldEvent {
  core::EventKind kind{};
  core::TaskId task;
  bool operator==(ToldEvent const&) const = default;
};

/// A small model of what follows from the change of one task, written from docs/rules.md without the engine:
/// it recurses, counts everything anew and holds all tasks of one board in memory.
class BoardModel {
 public:
  using Tasks = std::map<core::TaskId, core::Task>;

  /// `holder` is the name under which the caller of the change holds claims; `by_run` when it is an agent.
  BoardModel(core::Board const& board, Tasks tasks, core::Instant now, std::string holder, bool by_run)
      : board_(board), tasks_(std::move(tasks)), now_(now), holder_(std::move(holder)), by_run_(by_run) {}

  /// Puts the changed task in its place and lets everything follow from it.
  void change(core::Task const& after);
  /// Like `change`, for a new task.
  void add(core::Task task);

  /// All tasks as they should be then.
  Tasks const& tasks() const { return tasks_; }
  /// The events that should be told of it beside the change's own one.
  std::vector<ToldEvent> const& events() const { return events_; }

 private:
  void react(core::Task const& before, core::Task const& after);
  void recount_dependents(core::TaskId id);
  void update_parent(core::TaskId id);
  void fill_ready();
  void fire_chain(core::TaskId id);
  void review(core::Task const& before, core::Task const& after);
  void close_review(core::TaskId reviewed);
  void create(core::Task child, std::string const& status);
  void put(core::Task after, core::EventKind kind);

  bool is_held(core::Task const& task) const;
  bool has_room(core::Column const& column) const;
  bool may_enter_ready(core::Task const& task) const;
  std::optional<core::TaskId> open_review(core::TaskId reviewed, bool reported_too) const;

  core::Board const& board_;
  Tasks tasks_;
  core::Instant now_;
  std::string holder_;
  bool by_run_;
  std::vector<ToldEvent> events_;
};

/// The open dependencies of a task, counted from its list.
std::int64_t count_open(core::Task const& task, BoardModel::Tasks const& tasks);
/// The progress of a task's sub-tasks, counted.
core::Progress count_progress(core::TaskId parent, BoardModel::Tasks const& tasks);

}  // namespace andon::test
