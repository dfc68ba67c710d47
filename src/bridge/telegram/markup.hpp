#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/message.hpp"

namespace andon::bridge::telegram {

/// A message has at most this many UTF-16 units after its tags and escapes are read.
inline constexpr std::size_t kMostUnits = 4096;
/// Longer texts lose their end.
inline constexpr std::size_t kMostParts = 8;

/// The text as one message or several in the HTML of the Bot API ("HTML style"), each with all its tags
/// closed. Telegram makes no link, name or command of it, except of commands that are marked as such. Splits
/// at line ends where a part has one. Hidden characters are written visibly. No part is blank; a blank text
/// has none.
std::vector<std::string> html_parts(std::vector<Span> const& text, std::size_t most_units = kMostUnits);

}  // namespace andon::bridge::telegram
