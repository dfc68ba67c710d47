#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "bridge/conversation/task_acts.hpp"

namespace andon::bridge {

/// The words behind the name of a command.
struct CommandWords {
  std::string_view all, first, rest;
};

/// A command of a chat, such as `/done ID [RESULT]`.
struct ChatCommand {
  std::string_view name;       ///< without the slash
  std::string_view arguments;  ///< as /help shows them; those in brackets may be left out
  std::string_view summary;
  int needed = 0;  ///< how many arguments it cannot do without: 0, 1 or 2
  Said (*run)(ChatBoard&, CommandWords const&) = nullptr;
};

/// All commands, in the order of /help.
std::span<ChatCommand const> chat_commands();

/// Does what a text that begins with `/name` says; nothing for any other text.
std::optional<Said> command(ChatBoard& chat_board, std::string_view text);

}  // namespace andon::bridge
