#pragma once

#include <map>

#include "service/tasks/create.hpp"

namespace andon::service {

/// A task as another program knew it. Its parent and what it depends on are named as that program names them.
struct ImportedTask : CreateTaskRequest {
  std::string ref;
  std::optional<core::Stage> stage;
  std::string blocked;
  std::optional<core::Instant> created;
  std::optional<core::Instant> started;
  std::optional<core::Instant> completed;
};
void describe(auto& field, ImportedTask const* extended) {
  describe(field, static_cast<CreateTaskRequest const*>(extended));
  field(&ImportedTask::ref, "ref", "What the other program calls it", core::required);
  field(&ImportedTask::stage, "stage", "What its status means, where the board has no such column");
  field(&ImportedTask::blocked, "blocked", "Why it is blocked");
  field(&ImportedTask::created, "created", "When it was made");
  field(&ImportedTask::started, "started", "When work on it began");
  field(&ImportedTask::completed, "completed", "When it was finished");
}

struct ImportTasksRequest {
  std::string board;
  std::vector<ImportedTask> items;
  std::map<std::string, core::TaskId> earlier;
  bool dry_run = false;
};
void describe(auto& field, ImportTasksRequest const*) {
  field(&ImportTasksRequest::board, "board", "Board they come to; the first one when left out");
  field(&ImportTasksRequest::items, "items", "The tasks, at most 1,000, all or none", core::required);
  field(&ImportTasksRequest::earlier, "earlier",
        "Numbers of tasks that came by earlier requests, by ref; 0 in a dry run: it would be there");
  field(&ImportTasksRequest::dry_run, "dry_run", "Only tell what would come of it", core::set_only);
}

/// The number a task got.
struct ImportedAs {
  std::string ref;
  core::TaskId id = 0;
  std::string key;
  std::string title;
  std::string status;
};
void describe(auto& field, ImportedAs const*) {
  field(&ImportedAs::ref, "ref", "What the other program calls it", core::always);
  field(&ImportedAs::id, "id", "Its number here", core::always);
  field(&ImportedAs::key, "key", "Number with the board's prefix");
  field(&ImportedAs::title, "title", "Its title", core::always);
  field(&ImportedAs::status, "status", "Its column", core::always);
}

/// Something of a task that has no place on the board.
struct ImportNote {
  std::string ref;
  std::string field;
  std::string value;
  std::string says;
};
void describe(auto& field, ImportNote const*) {
  field(&ImportNote::ref, "ref", "What the other program calls the task", core::always);
  field(&ImportNote::field, "field", "Field it is about", core::always);
  field(&ImportNote::value, "value", "What it said", core::always);
  field(&ImportNote::says, "says", "What became of it", core::always);
}

struct Imported {
  std::string board;
  std::vector<ImportedAs> items;
  std::vector<ImportNote> notes;
};
void describe(auto& field, Imported const*) {
  field(&Imported::board, "board", "Board they came to", core::always);
  field(&Imported::items, "items", "The tasks with their numbers here, in the order of the request",
        core::always);
  field(&Imported::notes, "notes", "What could not be taken over as it was", core::always);
}

/// Creates the tasks with their links: all of them or none. Values the board does not know become its
/// defaults and are noted; what a rule of the board forbids is refused.
core::Result<Imported> import_tasks(OperationContext& ctx, ImportTasksRequest const& request);

}  // namespace andon::service
