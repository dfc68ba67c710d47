#pragma once

#include "service/requests.hpp"
#include "service/tasks/edit.hpp"

namespace andon::service {

struct BoardRequest {
  std::string board;
};
BOOST_DESCRIBE_STRUCT(BoardRequest, (), (board))
inline constexpr core::Field kBoardField{"board", "Board by name or number", core::required};
inline constexpr std::array kBoardRequestFields{kBoardField};
constexpr auto const& fields(BoardRequest const*) { return kBoardRequestFields; }

struct ListBoardsRequest {
  bool archived = false;
};
BOOST_DESCRIBE_STRUCT(ListBoardsRequest, (), (archived))
inline constexpr std::array kListBoardsFields{core::Field{"archived", "Archived boards too", core::set_only}};
constexpr auto const& fields(ListBoardsRequest const*) { return kListBoardsFields; }

struct Boards {
  std::vector<core::Board> items;
};
BOOST_DESCRIBE_STRUCT(Boards, (), (items))
inline constexpr std::array kBoardsFields{core::Field{"items", "The boards", core::always}};
constexpr auto const& fields(Boards const*) { return kBoardsFields; }

/// The members of a board that can be set when it is made and changed later.
struct BoardPolicies {
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::string> prefix;
  std::optional<core::Workflow> workflow;
  std::optional<core::Approval> approval;
  std::optional<std::vector<std::string>> trusted;
  std::optional<std::string> review_by;
  std::optional<int> max_concurrent;
  std::optional<bool> auto_dispatch;
  std::optional<bool> require_brief;
  std::optional<std::string> repo;
  std::optional<bool> worktree;
  std::optional<core::LandingPolicy> land;
  std::optional<bool> require_evidence;
  std::optional<std::vector<core::Column>> columns;
  std::optional<std::vector<std::string>> priorities;
  std::optional<std::vector<core::ServiceClass>> classes;
  std::optional<std::string> default_status;
  std::optional<std::string> default_priority;
  std::optional<std::string> default_class;
  std::optional<std::map<std::string, std::vector<std::string>>> checks;
  std::optional<std::map<std::string, std::vector<std::string>>> sources;
  std::optional<std::vector<core::ChainRule>> chains;
  std::optional<core::Duration> claim_timeout;
  std::optional<core::Duration> stale_after;
  std::optional<core::Duration> silent_after;
  std::optional<core::Duration> check_timeout;
  std::optional<core::Budget> budget;
  std::optional<core::BoardDisplay> tui;
};
BOOST_DESCRIBE_STRUCT(BoardPolicies, (),
                      (title, description, prefix, workflow, approval, trusted, review_by, max_concurrent,
                       auto_dispatch, require_brief, repo, worktree, land, require_evidence, columns,
                       priorities, classes, default_status, default_priority, default_class, checks, sources,
                       chains, claim_timeout, stale_after, silent_after, check_timeout, budget, tui))
inline constexpr std::array<core::Field, 29> kBoardPolicyFields{
    core::Field{"title", "What people read"},
    core::Field{"description", "What it is for"},
    core::Field{"prefix", "Prefix of task keys, such as WQ"},
    core::Field{"workflow", "open or strict"},
    core::Field{"approval", "manual or trusted"},
    core::Field{"trusted", "Workers and roles that may place their own new tasks in ready"},
    core::Field{"review_by", "person, checks or role:NAME"},
    core::Field{"max_concurrent", "Most runs at once; 0 means as many as its workers can take"},
    core::Field{"auto_dispatch", "Whether idle workers pick by themselves"},
    core::Field{"require_brief", "Whether an approved task waits until it has a body"},
    core::Field{"repo", "Repository the agents work in (administrator only)"},
    core::Field{"worktree", "A git worktree for every task (administrator only)"},
    core::Field{"land", "Who joins accepted work to the default branch: auto or off (administrator only)"},
    core::Field{"require_evidence", "Whether work without evidence waits for a person"},
    core::Field{"columns", "The columns in order"},
    core::Field{"priorities", "Priorities, lowest first"},
    core::Field{"classes", "Classes of service in the order they are picked"},
    core::Field{"default_status", "Column of new tasks"},
    core::Field{"default_priority", "Priority of new tasks"},
    core::Field{"default_class", "Class of new tasks"},
    core::Field{"checks", "Named verification commands (administrator only)"},
    core::Field{"sources",
                "Named commands whose output automations may quote as {{source.NAME}} (administrator only)"},
    core::Field{"chains", "What follows when a task of a role is done"},
    core::Field{"claim_timeout", "How long a self-reported claim lives; 0 means for ever"},
    core::Field{"stale_after", "Without progress for this long a run is stopped; 0 means never"},
    core::Field{"silent_after", "Without progress for this long a light turns red; 0 means never"},
    core::Field{"check_timeout", "How long one check may take"},
    core::Field{"budget",
                "What agents may spend here: {run, task, day} of {tokens, usd, time}; {} for no limit"},
    core::Field{"tui", "How a terminal shows it"}};
constexpr auto const& fields(BoardPolicies const*) { return kBoardPolicyFields; }

struct CreateBoardRequest : BoardPolicies {
  std::string name;
  std::optional<std::string> template_;
};
BOOST_DESCRIBE_STRUCT(CreateBoardRequest, (BoardPolicies), (name, template_))
inline constexpr auto kCreateBoardFields = core::joined(
    kBoardPolicyFields,
    std::array{core::Field{"name", "Short name used in commands and addresses", core::required},
               core::Field{"template",
                           "classic, queue or flow; classic when left out, and on a board with a "
                           "repository a Review column with it"}});
constexpr auto const& fields(CreateBoardRequest const*) { return kCreateBoardFields; }

struct EditBoardRequest : BoardPolicies {
  std::string board;
  std::optional<bool> archived;
  std::map<std::string, std::string> rename_columns;
  std::vector<std::string> remove_columns;
  std::vector<core::Column> add_columns;
  std::map<std::string, int> wip_limits;
  std::vector<std::string> order_columns;
  std::map<std::string, std::string> move_tasks;
};
BOOST_DESCRIBE_STRUCT(EditBoardRequest, (BoardPolicies),
                      (board, archived, rename_columns, remove_columns, add_columns, wip_limits,
                       order_columns, move_tasks))
inline constexpr auto kEditBoardFields = core::joined(
    kBoardPolicyFields,
    std::array{kBoardField, core::Field{"archived", "Put the board away or take it out again"},
               core::Field{"rename_columns", "New names of columns: OLD=NEW"},
               core::Field{"remove_columns", "Columns that go; their tasks go where move_tasks says"},
               core::Field{"add_columns", "Columns to add before the ends of the board"},
               core::Field{"wip_limits", "Limits of columns: NAME=LIMIT, 0 for none"},
               core::Field{"order_columns", "All columns in their new order"},
               core::Field{"move_tasks", "For each column that goes: the column its tasks move to"}});
constexpr auto const& fields(EditBoardRequest const*) { return kEditBoardFields; }

core::Result<Boards> list_boards(OperationContext& ctx, ListBoardsRequest const& request);
core::Result<core::Board> get_board(OperationContext& ctx, BoardRequest const& request);
core::Result<core::Board> create_board(OperationContext& ctx, CreateBoardRequest const& request);
core::Result<core::Board> edit_board(OperationContext& ctx, EditBoardRequest const& request);
/// The board as it would be after that change; nothing is written.
core::Result<core::Board> edited(OperationContext const& ctx, core::Board const& before,
                                 EditBoardRequest const& request);

struct DeletedBoard {
  std::string name;
  std::string status;
};
BOOST_DESCRIBE_STRUCT(DeletedBoard, (), (name, status))
inline constexpr std::array kDeletedBoardFields{
    core::Field{"name", "Name of the board", core::always},
    core::Field{"status", "deleted, or archived when it has tasks", core::always}};
constexpr auto const& fields(DeletedBoard const*) { return kDeletedBoardFields; }
/// Removes an empty board and archives one that has tasks.
core::Result<DeletedBoard> delete_board(OperationContext& ctx, BoardRequest const& request);

core::Result<void> check_board_name(std::string const& name);
core::Result<void> check_prefix(std::string const& prefix);

/// The board with the number of tasks in each column.
core::Board with_counts(OperationContext& ctx, core::Board board);

}  // namespace andon::service
