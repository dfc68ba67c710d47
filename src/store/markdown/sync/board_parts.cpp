#include "store/markdown/sync/board_parts.hpp"

#include <algorithm>
#include <utility>

#include "core/model/board_title.hpp"

namespace andon::store::markdown {
namespace {

using core::Board;

/// Copies the targets of columns that are being emptied, because files do not contain them.
std::vector<core::Column> with_known_targets(std::vector<core::Column> read, Board const& known) {
  for (auto& column : read) {
    auto const before = std::ranges::find(known.columns, column.name, &core::Column::name);
    if (before == known.columns.end()) continue;
    column.goes_to = before->goes_to;
    column.renamed = before->renamed;
  }
  return read;
}

}  // namespace

void keep_index_part(Board& board, Board const& read) {
  take_file_part(board, read);
  board.title = read.title;
  board.name = read.name;
  board.prefix = read.prefix;
  board.template_ = read.template_;
  board.workflow = read.workflow;
  board.approval = read.approval;
  board.trusted = read.trusted;
  board.review_by = read.review_by;
  board.max_concurrent = read.max_concurrent;
  board.auto_dispatch = read.auto_dispatch;
  board.require_brief = read.require_brief;
  board.chains = read.chains;
  board.stale_after = read.stale_after;
  board.silent_after = read.silent_after;
}

void take_file_part(Board& board, Board const& read) {
  board.title = title_of(read);
  board.description = read.description;
  board.columns = with_known_targets(read.columns, board);
  board.priorities = read.priorities;
  board.classes = read.classes;
  board.default_status = read.default_status;
  board.default_priority = read.default_priority;
  board.default_class = read.default_class;
  board.claim_timeout = read.claim_timeout;
  board.tui = read.tui;
}

}  // namespace andon::store::markdown
