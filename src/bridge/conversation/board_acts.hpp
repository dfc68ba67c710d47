#pragma once

#include <string_view>

#include "bridge/conversation/task_acts.hpp"

namespace andon::bridge {

// Acts of a chat on boards and workers. A chat of one worker sees and stops that worker alone.

Said show_board(ChatBoard& chat_board);
Said show_task(ChatBoard& chat_board, std::string_view task);
/// The tasks of a column, or all open ones; the last changed first.
Said list_tasks(ChatBoard& chat_board, std::string_view column);
Said search(ChatBoard& chat_board, std::string_view words);

Said pause(ChatBoard& chat_board, std::string_view worker);
/// Ends what `pause` and `stop` began. `all` lets the agents of every board go on.
Said resume(ChatBoard& chat_board, std::string_view worker);
/// Makes agents stand still where they are: those of the chat, or `all` of every board, as the cord of the
/// page does. With a task: ends the work on it.
Said stop(ChatBoard& chat_board, std::string_view task);

}  // namespace andon::bridge
