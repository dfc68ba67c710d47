#pragma once

#include "tui/model/bindings.hpp"
#include "tui/model/model.hpp"

namespace andon::tui {

/// Does what a key says on the board, or on the task of an open page.
void press_on_board(Model& model, KeyPress const& key, Effects& effects);
/// Does what is meant for one task, wherever it is shown. False for a key that means nothing there.
bool press_on_task(Model& model, service::Card const& card, KeyPress const& key, Effects& effects);

void select_column(Model& model, std::size_t column);
/// Selects a task that is shown. False when it is not.
bool select_task(Model& model, core::TaskId task);
/// Keeps the selection on its task, or near where that was, after the cards changed.
void settle_selection(Model& model);
void open_task(Model& model, core::TaskId task);

}  // namespace andon::tui
