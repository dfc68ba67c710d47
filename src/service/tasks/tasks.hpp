#pragma once

#include "service/requests.hpp"
#include "service/tasks/card.hpp"
#include "service/tasks/change.hpp"
#include "service/tasks/create.hpp"

namespace andon::service {

core::Result<core::Task> get_task(OperationContext& ctx, TaskRequest const& request);

struct ListTasksRequest {
  std::string board;
  std::vector<std::string> status;
  std::vector<core::Stage> stage;
  std::vector<std::string> priority;
  std::string assignee;
  bool mine = false;
  std::string role;
  std::string tag;
  std::string class_;
  std::string claimed_by;
  std::optional<TaskRef> parent;
  bool unclaimed = false;
  std::optional<bool> blocked;
  bool not_blocked = false;
  bool unblocked = false;
  bool archived = false;
  std::string q;
  bool bodies = false;
  std::string sort = "id";
  bool reverse = false;
  std::optional<int> limit;
  std::string cursor;
};
BOOST_DESCRIBE_STRUCT(ListTasksRequest, (),
                      (board, status, stage, priority, assignee, mine, role, tag, class_, claimed_by, parent,
                       unclaimed, blocked, not_blocked, unblocked, archived, q, bodies, sort, reverse, limit,
                       cursor))
inline constexpr std::array kListTasksFields{
    core::Field{"board", "Board; every board when left out"},
    core::Field{"status", "Columns"},
    core::Field{"stage", "Stages"},
    core::Field{"priority", "Priorities"},
    core::Field{"assignee", "Worker or person it is assigned to"},
    core::Field{"mine", "Only tasks assigned to the caller", core::set_only},
    core::Field{"role", "Role that may take it"},
    core::Field{"tag", "Tag"},
    core::Field{"class", "Class of service"},
    core::Field{"claimed_by", "Who holds it"},
    core::Field{"parent", "Task it is part of"},
    core::Field{"unclaimed", "Only tasks nobody holds", core::set_only},
    core::Field{"blocked", "Only blocked tasks"},
    core::Field{"not_blocked", "Only tasks that are not blocked", core::set_only},
    core::Field{"unblocked", "Only tasks whose dependencies are all satisfied", core::set_only},
    core::Field{"archived", "Archived tasks too; the command shows only those", core::set_only},
    core::Field{"q", "Text in title, body or tags"},
    core::Field{"bodies", "With their briefs and files", core::set_only},
    core::Field{"sort", "id, title, status, priority, created, updated, due or pick"},
    core::Field{"reverse", "The other way round", core::set_only},
    core::Field{"limit", "Most tasks in the answer, up to 500"},
    core::Field{"cursor", "Where the page before ended"}};
constexpr auto const& fields(ListTasksRequest const*) { return kListTasksFields; }

struct TaskList {
  std::vector<core::Task> items;
  std::string next;
};
BOOST_DESCRIBE_STRUCT(TaskList, (), (items, next))
inline constexpr std::array kTaskListFields{core::Field{"items", "The tasks", core::always},
                                            core::Field{"next", "Cursor of the next page"}};
constexpr auto const& fields(TaskList const*) { return kTaskListFields; }

struct CardList {
  std::vector<Card> items;
  std::string next;
};
BOOST_DESCRIBE_STRUCT(CardList, (), (items, next))
inline constexpr std::array kCardListFields{core::Field{"items", "The cards", core::always},
                                            core::Field{"next", "Cursor of the next page"}};
constexpr auto const& fields(CardList const*) { return kCardListFields; }

core::Result<TaskList> list_tasks(OperationContext& ctx, ListTasksRequest const& request);
/// Like `list_tasks`, in the form that the page draws.
core::Result<CardList> list_cards(OperationContext& ctx, ListTasksRequest const& request);

/// Refuses to put away what a strict board has no way for.
core::Result<void> check_archive(Change const& change);
core::Result<core::Task> archive_task(OperationContext& ctx, HeldTaskRequest const& request);

struct DeletedTask {
  core::TaskId id = 0;
  std::string status;
  std::string title;
};
BOOST_DESCRIBE_STRUCT(DeletedTask, (), (id, status, title))
inline constexpr std::array kDeletedTaskFields{core::Field{"id", "Number of the task", core::always},
                                               core::Field{"status", "deleted", core::always},
                                               core::Field{"title", "Its title", core::always}};
constexpr auto const& fields(DeletedTask const*) { return kDeletedTaskFields; }
core::Result<DeletedTask> delete_task(OperationContext& ctx, HeldTaskRequest const& request);

}  // namespace andon::service
