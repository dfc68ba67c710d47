#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/summary.hpp"

namespace andon::cli {

std::string board_list(service::Boards const& boards, Screen const& screen);
/// A board with its columns and policies.
std::string board_page(core::Board const& board, Screen const& screen);
std::string changed_board_page(service::ChangedBoard const& board, Screen const& screen);
/// A board in numbers.
std::string summary_page(service::BoardSummary const& summary, Screen const& screen);
/// Headings with the columns that hold something.
std::string swimlane_page(std::vector<service::Swimlane> const& lanes);
/// `key (3 tasks)`.
std::string heading(std::string const& key, std::int64_t tasks);

}  // namespace andon::cli
