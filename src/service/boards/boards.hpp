#pragma once

#include "core/model/board.hpp"
#include "service/boards/board_policies.hpp"
#include "service/requests.hpp"

namespace andon::service {

inline constexpr core::Field kBoardField{"board", "Board by name or number", core::required};

struct BoardRequest {
  std::string board;
};
void describe(auto& field, BoardRequest const*) { field(&BoardRequest::board, kBoardField); }

struct ListBoardsRequest {
  bool archived = false;
};
void describe(auto& field, ListBoardsRequest const*) {
  field(&ListBoardsRequest::archived, "archived", "Archived boards too", core::set_only);
}

struct Boards {
  std::vector<core::Board> items;
};
void describe(auto& field, Boards const*) { field(&Boards::items, "items", "The boards", core::always); }

struct CreateBoardRequest : BoardPolicies {
  std::string name;
  std::optional<std::string> template_;
};
void describe(auto& field, CreateBoardRequest const* extended) {
  describe(field, static_cast<BoardPolicies const*>(extended));
  field(&CreateBoardRequest::name, "name", "Short name used in commands and addresses", core::required);
  field(&CreateBoardRequest::template_, "template",
        "classic, queue or flow; classic when left out, and on a board with a "
        "repository a Review column with it");
}

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
void describe(auto& field, EditBoardRequest const* extended) {
  describe(field, static_cast<BoardPolicies const*>(extended));
  field(&EditBoardRequest::board, kBoardField);
  field(&EditBoardRequest::archived, "archived", "Put the board away or take it out again");
  field(&EditBoardRequest::rename_columns, "rename_columns", "New names of columns: OLD=NEW");
  field(&EditBoardRequest::remove_columns, "remove_columns",
        "Columns that go; their tasks go where move_tasks says");
  field(&EditBoardRequest::add_columns, "add_columns", "Columns to add before the ends of the board");
  field(&EditBoardRequest::wip_limits, "wip_limits", "Limits of columns: NAME=LIMIT, 0 for none");
  field(&EditBoardRequest::order_columns, "order_columns", "All columns in their new order");
  field(&EditBoardRequest::move_tasks, "move_tasks",
        "For each column that goes: the column its tasks move to");
}

/// The answer of a change.
struct ChangedBoard : core::Board {
  std::vector<std::string> warnings;
};
void describe(auto& field, ChangedBoard const* extended) {
  describe(field, static_cast<core::Board const*>(extended));
  field(&ChangedBoard::warnings, "warnings", "What a person should know of the repository that it got");
}

core::Result<Boards> list_boards(OperationContext& ctx, ListBoardsRequest const& request);
/// True when there is any board, archived or not.
bool has_boards(OperationContext& ctx);
core::Result<core::Board> get_board(OperationContext& ctx, BoardRequest const& request);
core::Result<ChangedBoard> create_board(OperationContext& ctx, CreateBoardRequest const& request);
core::Result<ChangedBoard> edit_board(OperationContext& ctx, EditBoardRequest const& request);
/// The board as it would be after that change; nothing is written.
core::Result<core::Board> edited(OperationContext const& ctx, core::Board const& before,
                                 EditBoardRequest const& request);

struct DeletedBoard {
  std::string name;
  std::string status;
};
void describe(auto& field, DeletedBoard const*) {
  field(&DeletedBoard::name, "name", "Name of the board", core::always);
  field(&DeletedBoard::status, "status", "deleted, or archived when it has tasks", core::always);
}
/// Removes an empty board and archives one that has tasks.
core::Result<DeletedBoard> delete_board(OperationContext& ctx, BoardRequest const& request);

core::Result<void> check_board_name(std::string const& name);
core::Result<void> check_prefix(std::string const& prefix);

/// The board with the number of tasks in each column.
core::Board with_counts(OperationContext& ctx, core::Board board);

}  // namespace andon::service
