#pragma once

#include "service/requests.hpp"
#include "service/tasks/card.hpp"
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
void describe(auto& field, ListTasksRequest const*) {
  field(&ListTasksRequest::board, "board", "Board; every board when left out");
  field(&ListTasksRequest::status, "status", "Columns");
  field(&ListTasksRequest::stage, "stage", "Stages");
  field(&ListTasksRequest::priority, "priority", "Priorities");
  field(&ListTasksRequest::assignee, "assignee", "Worker or person it is assigned to");
  field(&ListTasksRequest::mine, "mine", "Only tasks assigned to the caller", core::set_only);
  field(&ListTasksRequest::role, "role", "Role that may take it");
  field(&ListTasksRequest::tag, "tag", "Tag");
  field(&ListTasksRequest::class_, "class", "Class of service");
  field(&ListTasksRequest::claimed_by, "claimed_by", "Who holds it");
  field(&ListTasksRequest::parent, "parent", "Task it is part of");
  field(&ListTasksRequest::unclaimed, "unclaimed", "Only tasks nobody holds", core::set_only);
  field(&ListTasksRequest::blocked, "blocked", "Only blocked tasks");
  field(&ListTasksRequest::not_blocked, "not_blocked", "Only tasks that are not blocked", core::set_only);
  field(&ListTasksRequest::unblocked, "unblocked", "Only tasks whose dependencies are all satisfied",
        core::set_only);
  field(&ListTasksRequest::archived, "archived", "Archived tasks too; the command shows only those",
        core::set_only);
  field(&ListTasksRequest::q, "q", "Text in title, body or tags");
  field(&ListTasksRequest::bodies, "bodies", "With their briefs and files", core::set_only);
  field(&ListTasksRequest::sort, "sort", "id, title, status, priority, created, updated, due or pick");
  field(&ListTasksRequest::reverse, "reverse", "The other way round", core::set_only);
  field(&ListTasksRequest::limit, "limit", "Most tasks in the answer, up to 500");
  field(&ListTasksRequest::cursor, "cursor", "Where the page before ended");
}

struct TaskList {
  std::vector<core::Task> items;
  std::string next;
};
void describe(auto& field, TaskList const*) {
  field(&TaskList::items, "items", "The tasks", core::always);
  field(&TaskList::next, "next", "Cursor of the next page");
}

struct CardList {
  std::vector<Card> items;
  std::string next;
};
void describe(auto& field, CardList const*) {
  field(&CardList::items, "items", "The cards", core::always);
  field(&CardList::next, "next", "Cursor of the next page");
}

core::Result<TaskList> list_tasks(OperationContext& ctx, ListTasksRequest const& request);
/// Like `list_tasks`, in the form that the page draws.
core::Result<CardList> list_cards(OperationContext& ctx, ListTasksRequest const& request);

core::Result<core::Task> archive_task(OperationContext& ctx, HeldTaskRequest const& request);

struct DeletedTask {
  core::TaskId id = 0;
  std::string status;
  std::string title;
};
void describe(auto& field, DeletedTask const*) {
  field(&DeletedTask::id, "id", "Number of the task", core::always);
  field(&DeletedTask::status, "status", "deleted", core::always);
  field(&DeletedTask::title, "title", "Its title", core::always);
}
core::Result<DeletedTask> delete_task(OperationContext& ctx, HeldTaskRequest const& request);

}  // namespace andon::service
