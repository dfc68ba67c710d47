#pragma once

#include <string>

namespace andon::bridge::telegram {

/// A bot at a server of the Bot API. Its methods lie at `API/botTOKEN/METHOD`, so no URL may be logged.
struct Account {
  std::string api;  ///< such as `https://api.telegram.org`, without a slash at the end
  std::string token;

  /// The numeric id of the bot, with which its token begins.
  std::string bot_id() const { return token.substr(0, token.find(':')); }
};

}  // namespace andon::bridge::telegram
