#pragma once

#include "tui/model/model.hpp"

// A form closes when it is sent, so that the next keys are for the board. It waits here for its answer: an
// accepted one is dropped, a refused one opens again, and one whose task somebody else has changed is put on
// the task as it is now.

namespace andon::tui {

/// Takes the form out that was sent for this task, or for a new one.
std::optional<TaskForm> take_sent(Model& model, core::TaskId task);
void reopen_form(Model& model, core::TaskId task);
/// Gives the task to the open form that edits it, and sends the waiting one. Where both sides changed a
/// field, the person decides: the form opens again.
void fill_forms(Model& model, core::Task const& task, Effects& effects);
/// Reads the task of an edit again that somebody else changed meanwhile; the form waits. False when that
/// happens too often, or the refusal says something else.
bool retry_edit(Model& model, Ask const& ask, core::Error const& error, Effects& effects);

}  // namespace andon::tui
