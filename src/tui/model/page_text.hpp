#pragma once

#include "tui/model/model.hpp"

namespace andon::tui {

/// A line broken into several of at most that width.
std::vector<PageLine> broken_line(PageLine const& line, int width);

/// `2026-11-24 08:00`, in UTC as the rest of Andon tells times.
std::string minute_text(core::Instant at);

/// Rows of a page of text, between its head and the line with its keys; of the page of a task; and for the
/// words of a picker in its box.
int page_rows(Model const& model);
int task_rows(Model const& model);
int picker_rows(Model const& model, Picker const& picker);

/// Scrolls by so many lines, not beyond the ends.
void scroll(Model const& model, TextPage& page, int by);
/// Likewise. Makes the lines anew when what they show has changed, or the width of the screen.
void scroll(Model const& model, TaskPage& page, int by);

}  // namespace andon::tui
