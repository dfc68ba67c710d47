#pragma once

#include <functional>
#include <optional>

#include "bridge/telegram/pace.hpp"
#include "bridge/telegram/record.hpp"

namespace andon::bridge::telegram {

/// With more messages than this, nothing is taken in before some are sent.
inline constexpr std::size_t kFullOutbox = 500;
/// How many news without buttons, and with them, may wait for a place. More become one summary.
inline constexpr std::size_t kMostNews = 10;
inline constexpr std::size_t kMostNewsWithButtons = 30;

/// When messages are added, and when they may leave.
struct Timing {
  core::Instant now{};
  core::Instant due{};        ///< not before
  bool is_collected = false;  ///< news that wait are one summary
};

/// Adds a message, and its buttons as handles. One that replaces a message that still waits takes its place.
/// A message that can be replaced has one part only.
void add_message(State& state, OutMessage const& message, Timing const& timing);

/// Gives each news that waits and was not tried the time that `due_of` makes of its own.
void reschedule_news(State& state, std::function<core::Instant(core::Instant due)> const& due_of);

/// The post that may leave, or how long none may. Keeps the order within a chat among those that are due.
struct NextPost {
  std::optional<Post> post;
  std::optional<core::Duration> wait;  ///< nothing when none waits
};
NextPost next_post(State const& state, Pace const& pace, core::Instant now, core::Duration uptime);

/// The text of a post: its own, or that of the summary.
std::string html_of(Post const& post);

/// Removes a post; its keyboard too when it never reached the chat.
void remove_post(State& state, std::string_view id);
void remove_keyboard(State& state, std::string_view id);
/// Removes a post that became a message.
void note_sent(State& state, Post const& post, std::int64_t message);

}  // namespace andon::bridge::telegram
