#pragma once

#include "core/model/work_place.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/run_report.hpp"

namespace andon::service {

// Work lies on a machine: in repositories, branches and work trees. Here is what the board knows of it, and
// what the machine answers.

/// The input for a diff.
struct DiffQuestion {
  core::Run run;
  std::string repo;
};
BOOST_DESCRIBE_STRUCT(DiffQuestion, (), (run, repo))

struct TaskDiffRequest {
  TaskRef id;
  std::optional<core::RunId> run;
};
BOOST_DESCRIBE_STRUCT(TaskDiffRequest, (), (id, run))
inline constexpr std::array kTaskDiffFields{
    kIdField, core::Field{"run", "Number of the run; the last one that left commits when left out"}};
constexpr auto const& fields(TaskDiffRequest const*) { return kTaskDiffFields; }

core::Result<DiffQuestion> run_diff(OperationContext& ctx, RunRequest const& request);
core::Result<DiffQuestion> task_diff(OperationContext& ctx, TaskDiffRequest const& request);

struct ChangedFile {
  std::string path;
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool binary = false;
  std::string from{};  ///< its name before, when it was renamed
};
BOOST_DESCRIBE_STRUCT(ChangedFile, (), (path, added, removed, binary, from))
inline constexpr std::array kChangedFileFields{
    core::Field{"path", "The file", core::always}, core::Field{"added", "Lines added", core::always},
    core::Field{"removed", "Lines removed", core::always},
    core::Field{"binary", "Whether it has no lines", core::set_only},
    core::Field{"from", "Its name before, when it was renamed"}};
constexpr auto const& fields(ChangedFile const*) { return kChangedFileFields; }

/// The changes of a run.
struct RunDiff {
  core::RunId run = 0;
  core::TaskId task = 0;
  std::string branch;
  std::string base;
  std::string head;
  std::vector<std::string> commits;
  std::vector<ChangedFile> files;
  std::string diff;        ///< unified; its last line tells when it was cut
  bool truncated = false;  ///< there is more than is shown
};
BOOST_DESCRIBE_STRUCT(RunDiff, (), (run, task, branch, base, head, commits, files, diff, truncated))
inline constexpr std::array kRunDiffFields{
    core::Field{"run", "Number of the run", core::always},
    core::Field{"task", "Its task", core::always},
    core::Field{"branch", "Branch it worked on"},
    core::Field{"base", "Commit it is compared with", core::always},
    core::Field{"head", "Commit the work came to", core::always},
    core::Field{"commits", "The commits between, oldest first", core::always},
    core::Field{"files", "What changed, by file", core::always},
    core::Field{"diff", "The change as a unified diff", core::always},
    core::Field{"truncated", "Whether there is more than is shown", core::always}};
constexpr auto const& fields(RunDiff const*) { return kRunDiffFields; }

struct WorkListRequest {
  std::string board;
};
BOOST_DESCRIBE_STRUCT(WorkListRequest, (), (board))
inline constexpr std::array kWorkListRequestFields{core::Field{"board", "Only this board"}};
constexpr auto const& fields(WorkListRequest const*) { return kWorkListRequestFields; }

/// The boards whose work trees are asked for, and the landing queue.
struct WorkQuestion {
  std::vector<core::Board> boards;
  std::vector<LandingPlace> queue;
  std::int64_t limit = 0;  ///< bytes
};
BOOST_DESCRIBE_STRUCT(WorkQuestion, (), (boards, queue, limit))
core::Result<WorkQuestion> list_work(OperationContext& ctx, WorkListRequest const& request);
/// `list_work` for the runner itself.
core::Result<WorkQuestion> work_question(OperationContext& ctx, WorkListRequest const& request);

struct WorkLimit {
  std::string limit;
};
BOOST_DESCRIBE_STRUCT(WorkLimit, (), (limit))
inline constexpr std::array kWorkLimitFields{
    core::Field{"limit", "What all work trees may take, such as 20GiB or 500MiB", core::required}};
constexpr auto const& fields(WorkLimit const*) { return kWorkLimitFields; }
/// Sets what all work trees may take on the disk before those that hold nothing of their own are removed.
core::Result<WorkLimit> limit_work(OperationContext& ctx, WorkLimit const& request);

enum class WorkState {
  running,  ///< an agent is in it
  kept,     ///< for the next attempt, for a verdict, or to be landed
  landed,   ///< its work is part of the default branch
  orphan    ///< its task is not there any more
};
inline constexpr std::array<std::string_view, 4> kWorkStateNames{"running", "kept", "landed", "orphan"};
constexpr auto const& wire_names(WorkState) { return kWorkStateNames; }

/// One work tree.
struct WorkTree {
  std::string board;
  core::TaskId task = 0;
  std::string title;
  std::string branch;
  std::string directory;
  WorkState state = WorkState::kept;
  std::int64_t bytes = 0;
  bool dirty = false;         ///< it holds changes that no commit has
  std::int64_t unlanded = 0;  ///< commits the default branch does not have
  std::string reason;         ///< why it was not removed
};
BOOST_DESCRIBE_STRUCT(WorkTree, (),
                      (board, task, title, branch, directory, state, bytes, dirty, unlanded, reason))
inline constexpr std::array kWorkTreeFields{
    core::Field{"board", "Its board", core::always},
    core::Field{"task", "Its task", core::always},
    core::Field{"title", "Title of the task"},
    core::Field{"branch", "The branch it is on"},
    core::Field{"directory", "Where it lies", core::always},
    core::Field{"state", "running, kept, landed or orphan", core::always},
    core::Field{"bytes", "What it takes on the disk", core::always},
    core::Field{"dirty", "Whether it holds changes that no commit has", core::set_only},
    core::Field{"unlanded", "Commits that the default branch does not have", core::always},
    core::Field{"reason", "Why it was not removed"}};
constexpr auto const& fields(WorkTree const*) { return kWorkTreeFields; }

/// Accepted work that waits to be landed.
struct QueuedWork {
  std::string board;
  core::TaskId task = 0;
  std::string title;
  core::RunId run = 0;
  std::string branch;
  core::Instant since{};
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(QueuedWork, (), (board, task, title, run, branch, since, reason))
inline constexpr std::array kQueuedWorkFields{core::Field{"board", "Its board", core::always},
                                              core::Field{"task", "Its task", core::always},
                                              core::Field{"title", "Title of the task"},
                                              core::Field{"run", "The run whose work it is", core::always},
                                              core::Field{"branch", "Its branch", core::always},
                                              core::Field{"since", "Since when it waits so", core::always},
                                              core::Field{"reason", "What it waits for"}};
constexpr auto const& fields(QueuedWork const*) { return kQueuedWorkFields; }

struct WorkList {
  std::vector<WorkTree> trees;
  std::vector<QueuedWork> queue;
  std::int64_t bytes = 0;
  std::int64_t limit = 0;
};
BOOST_DESCRIBE_STRUCT(WorkList, (), (trees, queue, bytes, limit))
inline constexpr std::array kWorkListFields{
    core::Field{"trees", "The work trees", core::always},
    core::Field{"queue", "Accepted work that waits to be landed", core::always},
    core::Field{"bytes", "What all work trees take on the disk", core::always},
    core::Field{"limit", "How much that may be before clean ones are removed", core::always}};
constexpr auto const& fields(WorkList const*) { return kWorkListFields; }

struct CleanWorkRequest {
  std::string board;
  std::vector<core::TaskId> tasks;
  bool force = false;
};
BOOST_DESCRIBE_STRUCT(CleanWorkRequest, (), (board, tasks, force))
inline constexpr std::array kCleanWorkFields{
    core::Field{"board", "Only this board"},
    core::Field{"tasks", "Only the work trees of these tasks; their branches stay when they hold work"},
    core::Field{"force", "Also what holds changes or commits found nowhere else", core::set_only}};
constexpr auto const& fields(CleanWorkRequest const*) { return kCleanWorkFields; }

struct CleanQuestion {
  WorkQuestion work;
  CleanWorkRequest request;
};
BOOST_DESCRIBE_STRUCT(CleanQuestion, (), (work, request))
core::Result<CleanQuestion> clean_work(OperationContext& ctx, CleanWorkRequest const& request);

struct WorkCleaned {
  std::vector<WorkTree> removed;
  std::vector<WorkTree> kept;
  std::int64_t freed = 0;
};
BOOST_DESCRIBE_STRUCT(WorkCleaned, (), (removed, kept, freed))
inline constexpr std::array kWorkCleanedFields{
    core::Field{"removed", "The work trees that are gone", core::always},
    core::Field{"kept", "Those that stay, and why", core::always},
    core::Field{"freed", "Bytes that are free now", core::always}};
constexpr auto const& fields(WorkCleaned const*) { return kWorkCleanedFields; }

/// Asks for the facts about tasks whose work trees were found.
struct WorkFactsRequest {
  std::vector<core::TaskId> tasks;
};
BOOST_DESCRIBE_STRUCT(WorkFactsRequest, (), (tasks))
struct WorkFact {
  core::TaskId task = 0;
  std::string title;
  core::Stage stage = core::Stage::backlog;
  bool running = false;
  bool landed = false;
  bool waiting = false;                    ///< in the landing queue
  std::optional<core::WorkPlace> place{};  ///< as it was made
};
BOOST_DESCRIBE_STRUCT(WorkFact, (), (task, title, stage, running, landed, waiting, place))
struct WorkFacts {
  std::vector<WorkFact> items;  ///< without the tasks that do not exist
};
BOOST_DESCRIBE_STRUCT(WorkFacts, (), (items))
core::Result<WorkFacts> work_facts(OperationContext& ctx, WorkFactsRequest const& request);

}  // namespace andon::service
