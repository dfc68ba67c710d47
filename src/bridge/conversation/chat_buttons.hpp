#pragma once

#include <string_view>

#include "bridge/conversation/task_acts.hpp"

namespace andon::bridge {

/// Does what a button says. The act is looked at again now: the state of the task decides.
Said press(ChatBoard& chat_board, std::string_view act);

/// Does what a reply to a message about something means.
Said reply(ChatBoard& chat_board, std::string_view about, std::string_view text);

}  // namespace andon::bridge
