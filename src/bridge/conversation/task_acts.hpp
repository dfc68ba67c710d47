#pragma once

#include <string>
#include <string_view>

#include "bridge/conversation/chat_board.hpp"

namespace andon::bridge {

// The acts of a chat on tasks, by a button, a command or a reply. Each takes a task as the chat names it,
// has one effect for one message, and answers in a line or two. The operations decide what is allowed.

using Said = core::Result<OutMessage>;

Said add_task(ChatBoard& chat_board, std::string_view text);
Said approve(ChatBoard& chat_board, std::string_view task);
/// Approves the task for the chat's worker and says who has it.
Said start(ChatBoard& chat_board, std::string_view task);
Said accept(ChatBoard& chat_board, std::string_view task);
Said reject(ChatBoard& chat_board, std::string_view task, std::string_view reason);
Said kill(ChatBoard& chat_board, std::string_view task);
Said retry(ChatBoard& chat_board, std::string_view task);
/// Puts the landed work of a task into the landing queue to be taken back.
Said revert(ChatBoard& chat_board, std::string_view task, std::string_view reason);
/// Shows what the agent of a task prints, until it ends or `unfollow` with the number of the run.
Said follow(ChatBoard& chat_board, std::string_view task);
Said unfollow(ChatBoard& chat_board, std::string_view run);
Said complete(ChatBoard& chat_board, std::string_view task, std::string_view result);
Said note(ChatBoard& chat_board, std::string_view task, std::string_view text);

/// An answer of a person: a text, or the number of a choice.
struct GivenAnswer {
  std::string_view text;
  std::size_t choice = 0;  ///< from 1; 0 for a text
  std::string_view stamp;  ///< of the question it is for; empty for the one that stands
};
Said answer(ChatBoard& chat_board, std::string_view task, GivenAnswer const& given);

}  // namespace andon::bridge
