#pragma once

#include "tui/model/model.hpp"

namespace andon::tui {

TextPage help_page(Model const& model);
TextPage workers_page(Model const& model);
/// The page with the state of the program itself, for people who look for a fault.
TextPage debug_page(Model const& model);

/// The lines of a run's output as they are drawn. No control character is left in them.
std::vector<PageLine> output_lines(std::vector<api::OutputItem> const& items);
/// A unified diff as it is drawn: the words that differ between a line that went and the one that came in its
/// place are marked.
std::vector<PageLine> diff_lines(std::string_view diff);

}  // namespace andon::tui
