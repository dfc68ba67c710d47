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
void describe(auto& field, DiffQuestion const*) {
  field(&DiffQuestion::run, "run");
  field(&DiffQuestion::repo, "repo");
}

struct TaskDiffRequest {
  TaskRef id;
  std::optional<core::RunId> run;
};
void describe(auto& field, TaskDiffRequest const*) {
  field(&TaskDiffRequest::id, kIdField);
  field(&TaskDiffRequest::run, "run", "Number of the run; the last one that left commits when left out");
}

core::Result<DiffQuestion> run_diff(OperationContext& ctx, RunRequest const& request);
core::Result<DiffQuestion> task_diff(OperationContext& ctx, TaskDiffRequest const& request);

struct ChangedFile {
  std::string path;
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool binary = false;
  std::string from{};  ///< its name before, when it was renamed
};
void describe(auto& field, ChangedFile const*) {
  field(&ChangedFile::path, "path", "The file", core::always);
  field(&ChangedFile::added, "added", "Lines added", core::always);
  field(&ChangedFile::removed, "removed", "Lines removed", core::always);
  field(&ChangedFile::binary, "binary", "Whether it has no lines", core::set_only);
  field(&ChangedFile::from, "from", "Its name before, when it was renamed");
}

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
  std::vector<core::LeftOut> left_out{};
  std::int64_t left_out_count = 0;
  std::vector<std::string> remarks{};
  std::vector<core::LandFinding> findings{};  ///< about which a person is asked
};
void describe(auto& field, RunDiff const*) {
  field(&RunDiff::run, "run", "Number of the run", core::always);
  field(&RunDiff::task, "task", "Its task", core::always);
  field(&RunDiff::branch, "branch", "Branch it worked on");
  field(&RunDiff::base, "base", "Commit it is compared with", core::always);
  field(&RunDiff::head, "head", "Commit the work came to", core::always);
  field(&RunDiff::commits, "commits", "The commits between, oldest first", core::always);
  field(&RunDiff::files, "files", "What changed, by file", core::always);
  field(&RunDiff::diff, "diff", "The change as a unified diff", core::always);
  field(&RunDiff::truncated, "truncated", "Whether there is more than is shown", core::always);
  field(&RunDiff::left_out, "left_out", "The first paths that are left out of the work that lands, and why");
  field(&RunDiff::left_out_count, "left_out_count", "How many paths are left out of it", core::set_only);
  field(&RunDiff::remarks, "remarks", "What a person should know of the work");
  field(&RunDiff::findings, "findings", "The limits of the board that it exceeds, while a person is asked");
}

struct WorkListRequest {
  std::string board;
};
void describe(auto& field, WorkListRequest const*) {
  field(&WorkListRequest::board, "board", "Only this board");
}

/// The boards whose work trees are asked for, and the landing queue.
struct WorkQuestion {
  std::vector<core::Board> boards;
  std::vector<LandingPlace> queue;
  std::int64_t limit = 0;  ///< bytes
};
void describe(auto& field, WorkQuestion const*) {
  field(&WorkQuestion::boards, "boards");
  field(&WorkQuestion::queue, "queue");
  field(&WorkQuestion::limit, "limit");
}
core::Result<WorkQuestion> list_work(OperationContext& ctx, WorkListRequest const& request);
/// `list_work` for the runner itself.
core::Result<WorkQuestion> work_question(OperationContext& ctx, WorkListRequest const& request);

struct WorkLimit {
  std::string limit;
};
void describe(auto& field, WorkLimit const*) {
  field(&WorkLimit::limit, "limit", "What all work trees may take, such as 20GiB or 500MiB", core::required);
}
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
  bool dirty = false;         ///< it holds changes that Andon has in no commit, or cannot be looked at
  std::int64_t unlanded = 0;  ///< commits the default branch does not have
  std::string reason;         ///< why it was not removed
};
void describe(auto& field, WorkTree const*) {
  field(&WorkTree::board, "board", "Its board", core::always);
  field(&WorkTree::task, "task", "Its task", core::always);
  field(&WorkTree::title, "title", "Title of the task");
  field(&WorkTree::branch, "branch", "The branch it is on");
  field(&WorkTree::directory, "directory", "Where it lies", core::always);
  field(&WorkTree::state, "state", "running, kept, landed or orphan", core::always);
  field(&WorkTree::bytes, "bytes", "What it takes on the disk", core::always);
  field(&WorkTree::dirty, "dirty", "Whether it holds changes that no commit has", core::set_only);
  field(&WorkTree::unlanded, "unlanded", "Commits that the default branch does not have", core::always);
  field(&WorkTree::reason, "reason", "Why it was not removed");
}

/// Accepted work that waits to be landed, or for a person to say whether it lands, and landed work that waits
/// to be taken back.
struct QueuedWork {
  std::string board;
  core::TaskId task = 0;
  std::string title;
  core::RunId run = 0;
  std::string branch;
  core::Instant since{};
  std::string reason;
  bool asked = false;
  std::vector<core::LandFinding> findings{};
  bool revert = false;  ///< it has landed and is to be taken back
};
void describe(auto& field, QueuedWork const*) {
  field(&QueuedWork::board, "board", "Its board", core::always);
  field(&QueuedWork::task, "task", "Its task", core::always);
  field(&QueuedWork::title, "title", "Title of the task");
  field(&QueuedWork::run, "run", "The run whose work it is", core::always);
  field(&QueuedWork::branch, "branch", "Its branch", core::always);
  field(&QueuedWork::since, "since", "Since when it waits so", core::always);
  field(&QueuedWork::reason, "reason", "What it waits for");
  field(&QueuedWork::asked, "asked", "Whether it waits for a person to say whether it lands", core::set_only);
  field(&QueuedWork::findings, "findings", "The limits of the board that it exceeds");
  field(&QueuedWork::revert, "revert", "Whether it has landed and is to be taken back", core::set_only);
}

/// Work that is not finished, whose work tree is gone.
struct KeptBranch {
  std::string board;
  core::TaskId task = 0;
  std::string branch;
  std::string head;
  std::int64_t unlanded = 0;  ///< commits the default branch does not have
};
void describe(auto& field, KeptBranch const*) {
  field(&KeptBranch::board, "board", "Its board", core::always);
  field(&KeptBranch::task, "task", "Its task", core::always);
  field(&KeptBranch::branch, "branch", "The branch of the task", core::always);
  field(&KeptBranch::head, "head", "Its commit", core::always);
  field(&KeptBranch::unlanded, "unlanded", "Commits that the default branch does not have", core::always);
}

struct WorkList {
  std::vector<WorkTree> trees;
  std::vector<KeptBranch> kept{};
  std::vector<QueuedWork> queue;
  std::int64_t bytes = 0;
  std::int64_t limit = 0;
};
void describe(auto& field, WorkList const*) {
  field(&WorkList::trees, "trees", "The work trees", core::always);
  field(&WorkList::kept, "kept", "Work without a work tree that has not landed");
  field(&WorkList::queue, "queue", "Accepted work that waits to be landed", core::always);
  field(&WorkList::bytes, "bytes", "What all work trees take on the disk", core::always);
  field(&WorkList::limit, "limit", "How much that may be before clean ones are removed", core::always);
}

struct CleanWorkRequest {
  std::string board;
  std::vector<core::TaskId> tasks;
  bool force = false;
};
void describe(auto& field, CleanWorkRequest const*) {
  field(&CleanWorkRequest::board, "board", "Only this board");
  field(&CleanWorkRequest::tasks, "tasks",
        "Only the work trees of these tasks; their branches stay when they hold work");
  field(&CleanWorkRequest::force, "force", "Also what holds changes or commits found nowhere else",
        core::set_only);
}

struct CleanQuestion {
  WorkQuestion work;
  CleanWorkRequest request;
};
void describe(auto& field, CleanQuestion const*) {
  field(&CleanQuestion::work, "work");
  field(&CleanQuestion::request, "request");
}
core::Result<CleanQuestion> clean_work(OperationContext& ctx, CleanWorkRequest const& request);

struct WorkCleaned {
  std::vector<WorkTree> removed;
  std::vector<WorkTree> kept;
  std::int64_t freed = 0;
};
void describe(auto& field, WorkCleaned const*) {
  field(&WorkCleaned::removed, "removed", "The work trees that are gone", core::always);
  field(&WorkCleaned::kept, "kept", "Those that stay, and why", core::always);
  field(&WorkCleaned::freed, "freed", "Bytes that are free now", core::always);
}

/// Asks for the facts about tasks whose work trees were found.
struct WorkFactsRequest {
  std::vector<core::TaskId> tasks;
};
void describe(auto& field, WorkFactsRequest const*) { field(&WorkFactsRequest::tasks, "tasks"); }
struct WorkFact {
  core::TaskId task = 0;
  std::string title;
  core::Stage stage = core::Stage::backlog;
  bool running = false;
  bool landed = false;
  std::string head{};                      ///< the commit that its last run came to
  bool waiting = false;                    ///< in the landing queue, or asked about
  std::optional<core::WorkPlace> place{};  ///< as it was made
  std::vector<std::string> squashed{};     ///< heads of its work that landed as one commit
};
void describe(auto& field, WorkFact const*) {
  field(&WorkFact::task, "task");
  field(&WorkFact::title, "title");
  field(&WorkFact::stage, "stage");
  field(&WorkFact::running, "running");
  field(&WorkFact::landed, "landed");
  field(&WorkFact::head, "head");
  field(&WorkFact::waiting, "waiting");
  field(&WorkFact::place, "place");
  field(&WorkFact::squashed, "squashed");
}
struct WorkFacts {
  std::vector<WorkFact> items;  ///< without the tasks that do not exist
};
void describe(auto& field, WorkFacts const*) { field(&WorkFacts::items, "items"); }
core::Result<WorkFacts> work_facts(OperationContext& ctx, WorkFactsRequest const& request);

}  // namespace andon::service
