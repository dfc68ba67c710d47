#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/message.hpp"
#include "core/error.hpp"
#include "core/time/quiet_hours.hpp"
#include "core/time/time.hpp"

namespace andon::bridge {

/// A place of a messenger and what it is for.
struct Chat {
  Place place;
  std::vector<std::int64_t> users;  ///< who may write there; never empty
  std::string board;                ///< the first board when empty
  std::string worker;               ///< whose tasks and answers this place shows; all when empty
  bool start = false;               ///< whether a message goes to work at once
  std::vector<std::string> notify;  ///< kinds of news
};

struct Settings {
  std::vector<Chat> chats;
  std::optional<core::QuietHours> quiet;  ///< no sound is made and news waits
  core::Duration digest{};                ///< news is collected for so long; 0 sends each at once
};

/// The kinds of news.
inline constexpr std::array<std::string_view, 11> kNewsKinds{"done",     "failed",  "blocked", "question",
                                                             "killed",   "stale",   "limit",   "review",
                                                             "conflict", "stopped", "approval"};

}  // namespace andon::bridge
