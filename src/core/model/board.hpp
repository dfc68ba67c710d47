#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/model/board_display.hpp"
#include "core/model/budget.hpp"
#include "core/model/land_limits.hpp"
#include "core/model/next_task.hpp"
#include "core/model/resource_limits.hpp"
#include "core/model/review_by.hpp"
#include "core/model/service_class.hpp"
#include "core/model/stage.hpp"
#include "core/model/work_setup.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// A named status of a board.
struct Column {
  std::string name;
  std::string title;
  Stage stage = Stage::ready;
  int wip_limit = 0;
  bool require_claim = false;
  std::string holds_back;  ///< while this column is full, nothing is picked from the column named here
  std::optional<std::int64_t> count;
  std::optional<bool> show_duration{};  ///< whether a terminal tells the age of its cards; yes when unsaid
  std::string goes_to{};  ///< it is being emptied into that column and then goes; nothing enters it
  bool renamed = false;   ///< it goes because `goes_to` is its new name
};
void describe(auto& field, Column const*) {
  field(&Column::name, "name", "Name of the column: the status of its tasks", required);
  field(&Column::title, "title", "What people read; the name when empty");
  field(&Column::stage, "stage", "What the column means to the engine", always);
  field(&Column::wip_limit, "wip_limit", "Most tasks in the column; 0 means no limit", set_only);
  field(&Column::require_claim, "require_claim", "Whether a task needs a claim to enter", always);
  field(&Column::holds_back, "holds_back", "Column from which nothing is picked while this one is full");
  field(&Column::count, "count", "Tasks in the column now; only in answers");
  field(&Column::show_duration, "show_duration", "Whether a terminal tells the age of its cards");
  field(&Column::goes_to, "goes_to",
        "Column its tasks are being moved to, after which it goes; only in answers");
  field(&Column::renamed, "renamed", "Whether that column is this one under its new name; only in answers",
        set_only);
}

/// A board's default chain: what follows when a task of a role is done.
struct ChainRule {
  std::string role;  ///< of the task that was done; empty for every task
  NextTask next;
};
void describe(auto& field, ChainRule const*) {
  field(&ChainRule::role, "role", "Role of the task that was done; every task when empty");
  field(&ChainRule::next, "next", "The task that follows", required);
}

enum class Workflow {
  open,   ///< people may move tasks anywhere; the engine keeps to the table
  strict  ///< everybody keeps to the steps of core/tasks/verbs.cpp
};
enum class Approval {
  manual,  ///< only people put tasks in ready
  trusted  ///< workers and roles listed in `trusted` may place their own new tasks in ready
};

inline constexpr std::array<std::string_view, 2> kWorkflowNames{"open", "strict"};
inline constexpr std::array<std::string_view, 2> kApprovalNames{"manual", "trusted"};
constexpr auto const& wire_names(Workflow) { return kWorkflowNames; }
constexpr auto const& wire_names(Approval) { return kApprovalNames; }

enum class LandingPolicy {
  automatic,  ///< accepted work of work trees is joined to the default branch by the server
  off         ///< a person does it
};
inline constexpr std::array<std::string_view, 2> kLandingPolicyNames{"auto", "off"};
constexpr auto const& wire_names(LandingPolicy) { return kLandingPolicyNames; }

/// An isolated workspace: ordered columns, priorities, classes of service and policies.
struct Board {
  BoardId id = 0;
  std::string name;
  std::string title;
  std::string description;
  std::string prefix;  ///< of task keys: `WQ` gives `WQ-42`
  std::string template_ = "classic";
  Workflow workflow = Workflow::open;
  Approval approval = Approval::manual;
  std::vector<std::string> trusted;  ///< workers and roles
  ReviewBy review_by;
  int max_concurrent = 0;  ///< runner slots of this board; 0 = the sum of its workers' capacities
  bool auto_dispatch = true;
  bool require_brief = false;  ///< approved tasks without a body wait in the backlog stage
  std::string repo;            ///< administrator only
  bool worktree = false;       ///< administrator only
  std::string branch;          ///< administrator only: of `repo`; the repository's own default when empty
  std::string branch_prefix = "andon";            ///< administrator only: PREFIX/42-fix-the-cart
  std::string folder;                             ///< administrator only: in `repo`; all of it when empty
  std::vector<std::string> filters;               ///< administrator only: of git, that Andon may run
  LandingPolicy land = LandingPolicy::automatic;  ///< administrator only
  std::optional<bool> require_evidence;           ///< see `requires_evidence`
  std::vector<Column> columns;
  std::vector<std::string> priorities;  ///< lowest first
  std::vector<ServiceClass> classes;    ///< picked in this order
  std::string default_status;
  std::string default_priority;
  std::string default_class;
  std::map<std::string, std::vector<std::string>> checks;   ///< administrator only: name → argv
  std::map<std::string, std::vector<std::string>> sources;  ///< administrator only: name → argv
  std::vector<ChainRule> chains;
  Duration claim_timeout{3'600'000};  ///< of self-reported claims; 0 = never expires
  Duration stale_after{35 * 60'000};
  Duration silent_after{5 * 60'000};
  std::optional<BoardDisplay> tui;        ///< as a terminal shows it by itself when unsaid
  Duration check_timeout{10 * 60'000};    ///< of one check
  std::vector<Command> setup;             ///< administrator only: makes a new work tree ready
  std::optional<SetupCache> setup_cache;  ///< administrator only
  Duration setup_timeout{10 * 60'000};    ///< of one command of the set-up
  std::vector<std::string> copy;          ///< administrator only: ignored files that work trees get
  std::vector<std::string> env;           ///< administrator only: NAME=VALUE, or NAME to pass it on
  int ports = 0;                          ///< administrator only: that each work tree has for itself
  std::vector<Command> teardown;          ///< administrator only: runs before a work tree is removed
  Command preview;                        ///< administrator only: the server that shows work in review
  std::optional<LandLimits> land_limits;  ///< administrator only; the defaults when unsaid
  Command test_list;                      ///< administrator only: prints the name of each test
  std::vector<std::string> test_reports;  ///< administrator only: JUnit files that the checks write
  std::optional<Budget> budget;
  std::optional<ResourceLimits> limits;
  std::string directory;  ///< of an attached board: the absolute path of its files, which are the truth
  std::string trouble;    ///< of an attached board: why its files cannot be read; then nothing is written
  std::optional<std::int64_t> settling{};  ///< tasks to which the last change has still to be applied
  bool removing = false;                   ///< it is being taken off: its tasks go, and then the board
  bool archived = false;
  Instant created{};
  Revision rev = 1;
};
void describe(auto& field, Board const*) {
  field(&Board::id, "id", "Number of the board", always);
  field(&Board::name, "name", "Short name used in commands and addresses", always);
  field(&Board::title, "title", "What people read");
  field(&Board::description, "description", "What it is for");
  field(&Board::prefix, "prefix", "Prefix of task keys");
  field(&Board::template_, "template", "The template the board was made from", always);
  field(&Board::workflow, "workflow", "open or strict", always);
  field(&Board::approval, "approval",
        "Who may put tasks in ready: manual (people) or trusted (also those listed)", always);
  field(&Board::trusted, "trusted", "Workers and roles that may place their own new tasks in ready");
  field(&Board::review_by, "review_by", "Who gives the verdict: person, checks or role:NAME", always);
  field(&Board::max_concurrent, "max_concurrent",
        "Most runs at once on this board; 0 means as many as its workers can take", set_only);
  field(&Board::auto_dispatch, "auto_dispatch", "Whether idle workers pick from this board by themselves",
        always);
  field(&Board::require_brief, "require_brief", "Whether an approved task waits until it has a body",
        set_only);
  field(&Board::repo, "repo", "Repository the agents work in (administrator only)");
  field(&Board::worktree, "worktree",
        "Whether every task gets a git worktree of its own (administrator only)", set_only);
  field(&Board::branch, "branch",
        "Branch at which work begins and on which it lands; the repository's default when empty "
        "(administrator only)");
  field(&Board::branch_prefix, "branch_prefix",
        "Beginning of the branches of tasks, as in andon/42-fix-the-cart (administrator only)");
  field(&Board::folder, "folder",
        "Folder of the repository in which agents work; all of it when empty (administrator only)");
  field(&Board::filters, "filters", "Filters of git that Andon may run, such as lfs (administrator only)");
  field(&Board::land, "land",
        "Who joins accepted work of work trees to the default branch: auto (the server) or off "
        "(administrator only)",
        always);
  field(&Board::require_evidence, "require_evidence",
        "Whether work without evidence waits for a person; true where the board has a repository");
  field(&Board::columns, "columns", "The columns in order", always);
  field(&Board::priorities, "priorities", "Priorities, lowest first", always);
  field(&Board::classes, "classes", "Classes of service in the order they are picked", always);
  field(&Board::default_status, "default_status", "Column of new tasks");
  field(&Board::default_priority, "default_priority", "Priority of new tasks");
  field(&Board::default_class, "default_class", "Class of new tasks");
  field(&Board::checks, "checks", "Named verification commands (administrator only)");
  field(&Board::sources, "sources",
        "Named commands whose output automations may quote as {{source.NAME}} (administrator only)");
  field(&Board::chains, "chains", "What follows when a task of a role is done");
  field(&Board::claim_timeout, "claim_timeout",
        "How long a self-reported claim lives without a renewal; 0s means for ever", always);
  field(&Board::stale_after, "stale_after",
        "After this time without progress a run is stopped and its task requeued", always);
  field(&Board::silent_after, "silent_after", "After this time without progress a worker's light turns red",
        always);
  field(&Board::check_timeout, "check_timeout", "How long one check may take", always);
  field(&Board::setup, "setup", "Commands that make a new work tree ready (administrator only)");
  field(&Board::setup_cache, "setup_cache",
        "What of the set-up is kept for the next work tree (administrator only)");
  field(&Board::setup_timeout, "setup_timeout", "How long one command of the set-up may take", always);
  field(&Board::copy, "copy",
        "Ignored files, such as .env, that every work tree gets and that never land (administrator only)");
  field(&Board::env, "env",
        "Variables of set-up, agents, checks and previews: NAME=VALUE, or NAME to pass on the server's "
        "(administrator only)");
  field(&Board::ports, "ports", "How many ports each work tree has for itself (administrator only)",
        set_only);
  field(&Board::teardown, "teardown", "Commands that run before a work tree is removed (administrator only)");
  field(&Board::preview, "preview", "Command that serves work in review (administrator only)");
  field(&Board::land_limits, "land_limits",
        "What a change may do before a person is asked whether it lands (administrator only)");
  field(&Board::test_list, "test_list",
        "Command that prints the name of each test on a line (administrator only)");
  field(&Board::test_reports, "test_reports",
        "JUnit files that the checks write, as build/junit/*.xml (administrator only)");
  field(&Board::budget, "budget", "What agents may spend on this board: per run, task and day");
  field(&Board::limits, "limits", "Most memory, processes and disk of each run on this board");
  field(&Board::tui, "tui", "How a terminal shows it");
  field(&Board::directory, "directory", "Directory of Markdown files this board is attached to");
  field(&Board::trouble, "trouble",
        "Why the directory cannot be used at the moment; nothing is written meanwhile");
  field(&Board::settling, "settling", "Tasks to which the last change of the board has still to be applied");
  field(&Board::removing, "removing", "Whether it is being taken off this server; its tasks go first",
        set_only);
  field(&Board::archived, "archived", "Whether the board is put away", set_only);
  field(&Board::created, "created", "When the board was made", always);
  field(&Board::rev, "rev", "Rises with every change of the board", always);
}

/// Whether work that leaves nothing to be seen waits for a person.
inline bool requires_evidence(Board const& board) {
  return board.require_evidence.value_or(!board.repo.empty());
}

/// Whether the truth of the board is a directory of files that others write to as well.
inline bool is_attached(Board const& board) { return !board.directory.empty() && !board.removing; }
/// Whether a file's word that a task is approved counts; a server's own setting, `trusted: [file]`.
bool trusts_files(Board const& board);

/// Whether a change of the board has still to be applied to some of its tasks.
bool is_settling(Board const& board);

/// The column of that name under the rule of `same_name`, or null.
Column const* find_column(Board const& board, std::string_view name);
/// The column of a task that is put into that one: another if that one is being removed. Every board has a
/// place called `archived`: its column of that stage, or one that is not shown.
Column const* find_place(Board const& board, std::string_view name);
/// The first column of a stage that does not go, or null.
Column const* first_column(Board const& board, Stage stage);
inline Column const* backlog_column(Board const& board) { return first_column(board, Stage::backlog); }
inline Column const* ready_column(Board const& board) { return first_column(board, Stage::ready); }
inline Column const* claimed_column(Board const& board) { return first_column(board, Stage::claimed); }
inline Column const* active_column(Board const& board) { return first_column(board, Stage::active); }
inline Column const* review_column(Board const& board) { return first_column(board, Stage::review); }
inline Column const* blocked_column(Board const& board) { return first_column(board, Stage::blocked); }
inline Column const* done_column(Board const& board) { return first_column(board, Stage::done); }
/// The column of a task that enters `stage`, with the fallbacks of a board that lacks a column for it
/// (claimed→active, review→done, failed→blocked→backlog, archived→hidden); null when the task stays where it
/// is.
Column const* landing_column(Board const& board, Stage stage);
/// Stage of a status; `archived` exists on every board. Unknown statuses count as ready.
Stage stage_of(Board const& board, std::string_view status);
/// The index of a priority (0 = lowest) or nothing; a number counts from the top (1 = highest).
std::optional<std::size_t> priority_index(Board const& board, std::string_view name);
std::optional<std::size_t> class_index(Board const& board, std::string_view name);

}  // namespace andon::core
