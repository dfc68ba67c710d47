#pragma once

#include "os/processes/clock.hpp"
#include "os/processes/signals.hpp"
#include "os/terminal/terminal.hpp"
#include "tui/model/model.hpp"
#include "tui/program/board_way.hpp"
#include "tui/screen/painter.hpp"

namespace andon::tui {

/// The signals that `run_board` waits for. A queue of them is to be made before any thread starts.
inline constexpr std::initializer_list<int> kSignals{SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT};

/// Shows a board on the terminal until the person leaves it. The answer is the exit code.
int run_board(os::Terminal& terminal, os::SignalQueue& signals, os::Clock const& clock, BoardAccess access,
              Options options, Colours colours);

/// The colours that a terminal is told to have, by `NO_COLOR`, `COLORTERM` and `TERM`.
Colours colours_of(std::string_view no_color, std::string_view colorterm, std::string_view term);

}  // namespace andon::tui
