#pragma once

#include "bridge/conversation/chat_board.hpp"
#include "bridge/conversation/news_kinds.hpp"

namespace andon::bridge {

/// The message that tells a chat of a happening.
OutMessage news_message(ChatBoard& chat_board, NewsKind kind, Happening const& happening);

}  // namespace andon::bridge
