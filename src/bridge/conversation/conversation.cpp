#include "bridge/conversation/conversation.hpp"

#include <algorithm>
#include <array>

#include "bridge/conversation/chat_buttons.hpp"
#include "bridge/conversation/chat_commands.hpp"
#include "bridge/conversation/chat_text.hpp"
#include "service/boards/boards.hpp"

namespace andon::bridge {
namespace {

struct RefusalRow {
  std::string_view kind, plural;
};
constexpr std::array kRefusals{
    RefusalRow{"voice", "voice messages"}, RefusalRow{"audio", "audio"},
    RefusalRow{"photo", "pictures"},       RefusalRow{"video", "videos"},
    RefusalRow{"document", "files"},       RefusalRow{"file", "files"},
    RefusalRow{"sticker", "stickers"},     RefusalRow{"location", "locations"},
    RefusalRow{"contact", "contacts"},
};

std::string refusal_text(InMessage const& message) {
  auto const* const row = std::ranges::find(kRefusals, message.refusal, &RefusalRow::kind);
  auto const what = row == kRefusals.end() ? std::string_view{"messages of this kind"} : row->plural;
  auto const rest =
      message.text.empty() ? ". Please write it as text." : "; only the text beside it was taken.";
  return "Sorry, the board does not take " + std::string{what} + " yet" + rest;
}

OutMessage refused(ChatBoard const& chat_board, core::Error const& error) {
  auto out = chat_board.message();
  out.text = {{sentence(error.message)}};
  return out;
}

Said said_to(ChatBoard& chat_board, InMessage const& message) {
  if (!message.act.empty()) return press(chat_board, message.act);
  if (auto done = command(chat_board, message.text)) return *std::move(done);
  if (!message.about.empty()) return reply(chat_board, message.about, message.text);
  return add_task(chat_board, message.text);
}

}  // namespace

std::vector<OutMessage> Conversation::take(InMessage const& message) {
  auto const chat = std::ranges::find(settings_.chats, message.place, &Chat::place);
  if (chat == settings_.chats.end()) return {};
  ChatBoard chat_board(executor_, *chat, message.key, watches_);
  std::vector<OutMessage> out;
  if (!message.refusal.empty()) {
    out.push_back(chat_board.message());
    out.back().text = {{refusal_text(message)}};
    if (message.text.empty()) return out;
  }
  auto said = said_to(chat_board, message);
  out.push_back(said ? *std::move(said) : refused(chat_board, said.error()));
  return out;
}

core::Result<std::vector<std::string>> Conversation::board_names() {
  Chat const nobody;
  ANDON_TRY(auto const boards,
            (ChatBoard(executor_, nobody).call<&service::list_boards>({.archived = true})));
  std::vector<std::string> out;
  for (auto const& board : boards.items) out.push_back(board.name);
  return out;
}

}  // namespace andon::bridge
