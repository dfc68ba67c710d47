#include "core/model/board.hpp"

#include <algorithm>
#include <charconv>

#include "core/text/names.hpp"

namespace andon::core {

bool trusts_files(Board const& board) {
  return board.approval == Approval::trusted &&
         std::ranges::find(board.trusted, "file") != board.trusted.end();
}

bool is_settling(Board const& board) {
  return board.settling || board.removing ||
         std::ranges::any_of(board.columns, [](Column const& column) { return !column.goes_to.empty(); });
}

Column const* find_column(Board const& board, std::string_view name) {
  for (auto const& column : board.columns)
    if (column.name == name) return &column;
  for (auto const& column : board.columns)
    if (same_name(column.name, name)) return &column;
  return nullptr;
}

Column const* find_place(Board const& board, std::string_view name) {
  static Column const hidden{"archived", "Archived", Stage::archived, 0, false, {}, {}, {}};
  auto const* found = find_column(board, name);
  if (found && !found->goes_to.empty()) found = find_column(board, found->goes_to);
  if (found) return found;
  if (!same_name(name, hidden.name)) return nullptr;
  auto const* column = first_column(board, Stage::archived);
  return column ? column : &hidden;
}

Column const* first_column(Board const& board, Stage stage) {
  auto const at = std::ranges::find_if(
      board.columns, [&](Column const& c) { return c.stage == stage && c.goes_to.empty(); });
  return at == board.columns.end() ? nullptr : &*at;
}

Column const* landing_column(Board const& board, Stage stage) {
  if (auto const* column = first_column(board, stage)) return column;
  switch (stage) {
    case Stage::claimed: return first_column(board, Stage::active);
    case Stage::review: return first_column(board, Stage::done);
    case Stage::failed:
      if (auto const* column = first_column(board, Stage::blocked)) return column;
      return first_column(board, Stage::backlog);
    case Stage::archived: return find_place(board, to_text(stage));
    default: return nullptr;
  }
}

Stage stage_of(Board const& board, std::string_view status) {
  if (auto const* column = find_column(board, status)) return column->stage;
  return same_name(status, "archived") ? Stage::archived : Stage::ready;
}

std::optional<std::size_t> priority_index(Board const& board, std::string_view name) {
  auto const count = board.priorities.size();
  for (std::size_t i = 0; i < count; ++i)
    if (same_name(board.priorities[i], name)) return i;
  std::size_t from_top = 0;
  auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), from_top);
  if (error != std::errc{} || end != name.data() + name.size() || from_top < 1 || from_top > count)
    return std::nullopt;
  return count - from_top;
}

std::optional<std::size_t> class_index(Board const& board, std::string_view name) {
  for (std::size_t i = 0; i < board.classes.size(); ++i)
    if (same_name(board.classes[i].name, name)) return i;
  return std::nullopt;
}

}  // namespace andon::core
