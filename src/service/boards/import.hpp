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
BOOST_DESCRIBE_STRUCT(ImportedTask, (CreateTaskRequest), (ref, stage, blocked, created, started, completed))
inline constexpr auto kImportedTaskFields = core::joined(
    kCreateTaskFields,
    std::array{core::Field{"ref", "What the other program calls it", core::required},
               core::Field{"stage", "What its status means, where the board has no such column"},
               core::Field{"blocked", "Why it is blocked"}, core::Field{"created", "When it was made"},
               core::Field{"started", "When work on it began"},
               core::Field{"completed", "When it was finished"}});
constexpr auto const& fields(ImportedTask const*) { return kImportedTaskFields; }

struct ImportTasksRequest {
  std::string board;
  std::vector<ImportedTask> items;
  std::map<std::string, std::int64_t> earlier;
  bool dry_run = false;
};
BOOST_DESCRIBE_STRUCT(ImportTasksRequest, (), (board, items, earlier, dry_run))
inline constexpr std::array kImportTasksFields{
    core::Field{"board", "Board they come to; the first one when left out"},
    core::Field{"items", "The tasks, at most 1,000, all or none", core::required},
    core::Field{"earlier",
                "Numbers of tasks that came by earlier requests, by ref; 0 in a dry run: it would be there"},
    core::Field{"dry_run", "Only tell what would come of it", core::set_only}};
constexpr auto const& fields(ImportTasksRequest const*) { return kImportTasksFields; }

/// The number a task got.
struct ImportedAs {
  std::string ref;
  core::TaskId id = 0;
  std::string key;
  std::string title;
  std::string status;
};
BOOST_DESCRIBE_STRUCT(ImportedAs, (), (ref, id, key, title, status))
inline constexpr std::array kImportedAsFields{
    core::Field{"ref", "What the other program calls it", core::always},
    core::Field{"id", "Its number here", core::always}, core::Field{"key", "Number with the board's prefix"},
    core::Field{"title", "Its title", core::always}, core::Field{"status", "Its column", core::always}};
constexpr auto const& fields(ImportedAs const*) { return kImportedAsFields; }

/// Something of a task that has no place on the board.
struct ImportNote {
  std::string ref;
  std::string field;
  std::string value;
  std::string says;
};
BOOST_DESCRIBE_STRUCT(ImportNote, (), (ref, field, value, says))
inline constexpr std::array kImportNoteFields{
    core::Field{"ref", "What the other program calls the task", core::always},
    core::Field{"field", "Field it is about", core::always},
    core::Field{"value", "What it said", core::always},
    core::Field{"says", "What became of it", core::always}};
constexpr auto const& fields(ImportNote const*) { return kImportNoteFields; }

struct Imported {
  std::string board;
  std::vector<ImportedAs> items;
  std::vector<ImportNote> notes;
};
BOOST_DESCRIBE_STRUCT(Imported, (), (board, items, notes))
inline constexpr std::array kImportedFields{
    core::Field{"board", "Board they came to", core::always},
    core::Field{"items", "The tasks with their numbers here, in the order of the request", core::always},
    core::Field{"notes", "What could not be taken over as it was", core::always}};
constexpr auto const& fields(Imported const*) { return kImportedFields; }

/// Creates the tasks with their links: all of them or none. Values the board does not know become its
/// defaults and are noted; what a rule of the board forbids is refused.
core::Result<Imported> import_tasks(OperationContext& ctx, ImportTasksRequest const& request);

}  // namespace andon::service
