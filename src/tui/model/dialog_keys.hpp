#pragma once

#include "tui/model/model.hpp"

namespace andon::tui {

/// Gives a key to the dialog on top. There is one.
void press_in_dialog(Model& model, KeyPress const& key, Effects& effects);
/// Gives pasted text to the dialog on top, if it takes text.
void paste_in_dialog(Model& model, std::string_view text);
/// Applies the filter as it is being typed.
void apply_filter(Model& model, std::string filter);
/// Begins an operation on a task for which its key was pressed: asks for a text, for a yes, or runs it.
void begin_operation(Model& model, api::Operation const& operation, core::Task const& task, Effects& effects);

}  // namespace andon::tui
