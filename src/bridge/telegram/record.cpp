#include "bridge/telegram/record.hpp"

#include <algorithm>
#include <charconv>

#include "os/files/file.hpp"
#include "os/processes/log.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"

namespace andon::bridge::telegram {
namespace {

constexpr std::size_t kLargestState = 64U << 20U;
constexpr reflect::JsonLimits kStateLimits{.depth = 16, .nodes = 1'000'000};
constexpr std::size_t kMostHandled = 1000;
constexpr std::size_t kMostButtons = 2000;
constexpr std::size_t kMostSent = 2000;
constexpr std::size_t kMostMoved = 200;

template <class T>
void keep_latest(std::vector<T>& list, std::size_t most) {
  if (list.size() > most) list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(most));
}

void keep_latest_buttons(std::vector<Keyboard>& keyboards) {
  std::size_t buttons = 0;
  auto first = keyboards.end();
  while (first != keyboards.begin() && buttons + std::prev(first)->acts.size() <= kMostButtons)
    buttons += (--first)->acts.size();
  keyboards.erase(keyboards.begin(), first);
}

void trim(State& state) {
  keep_latest(state.handled, kMostHandled);
  keep_latest(state.sent, kMostSent);
  keep_latest(state.moved, kMostMoved);
  keep_latest_buttons(state.keyboards);
}

core::Result<State> parse_state(std::string_view text) {
  ANDON_TRY(auto const value, reflect::parse_json(text, kStateLimits));
  ANDON_TRY(auto state, reflect::from_json<State>(value, reflect::Unknown::ignore));
  if (state.schema != 1)
    return core::refuse(core::Code::kInvalidInput, "it has a schema other than 1", "schema");
  return state;
}

void set_aside(std::filesystem::path const& file, std::string const& why) {
  auto aside = file;
  aside += ".aside";
  std::error_code error;
  std::filesystem::rename(file, aside, error);
  os::log(os::Level::warning, "telegram: " + file.native() + " is set aside as " + aside.filename().native() +
                                  ": " + why + (error ? "; " + error.message() : ""));
}

}  // namespace

void Record::change(std::function<void(State&)> const& change) {
  std::scoped_lock const lock{mutex_};
  auto next = state_;
  change(next);
  trim(next);
  write_(reflect::to_json(next) + "\n");
  state_ = std::move(next);
}

State read_state(std::filesystem::path const& file, std::string const& bot) {
  State fresh;
  fresh.bot = bot;
  std::optional<std::string> text;
  try {
    text = os::read_file_if_there(file, kLargestState);
  } catch (os::SystemError const& error) {
    set_aside(file, error.what());
    return fresh;
  }
  if (!text) return fresh;
  auto state = parse_state(*text);
  if (!state) {
    set_aside(file, "it is damaged: " + state.error().message);
    return fresh;
  }
  if (state->bot != bot) {
    set_aside(file, "it is of the bot " + state->bot);
    fresh.place = state->place;
    return fresh;
  }
  return *std::move(state);
}

std::int64_t current_chat(State const& state, std::int64_t chat) {
  auto const found = std::ranges::find(state.moved, chat, &MovedChat::from);
  return found == state.moved.end() ? chat : found->to;
}

std::int64_t settled_chat(State const& state, std::int64_t chat) {
  auto const found = std::ranges::find(state.moved, chat, &MovedChat::to);
  return found == state.moved.end() ? chat : found->from;
}

void note_move(State& state, std::int64_t from, std::int64_t to) {
  std::erase_if(state.moved, [&](MovedChat const& moved) { return moved.from == from; });
  state.moved.push_back({from, to});
  os::log(os::Level::warning, "telegram: the chat " + std::to_string(from) + " is now " + std::to_string(to) +
                                  "; write that into telegram.json");
}

std::string_view keyboard_of(std::string_view handle) { return handle.substr(0, handle.rfind('-')); }

std::string handle_of(std::string_view keyboard, std::size_t button) {
  return std::string{keyboard} + "-" + std::to_string(button);
}

std::optional<std::string> act_of(State const& state, std::string_view handle, std::int64_t chat,
                                  core::Instant now) {
  auto const keyboard = std::ranges::find(state.keyboards, keyboard_of(handle), &Keyboard::id);
  if (keyboard == state.keyboards.end() || keyboard->chat != chat || keyboard->expires <= now)
    return std::nullopt;
  for (std::size_t i = 0; i < keyboard->acts.size(); ++i)
    if (handle_of(keyboard->id, i) == handle) return keyboard->acts[i];
  return std::nullopt;
}

bool is_sent(State const& state, std::int64_t chat, std::int64_t message) {
  return std::ranges::any_of(
      state.sent, [&](SentMessage const& sent) { return sent.chat == chat && sent.message == message; });
}

bool is_on_its_way(State const& state, std::int64_t chat) {
  return std::ranges::any_of(state.outbox,
                             [&](Post const& post) { return post.place.chat == chat && post.is_tried; });
}

std::string about_of(State const& state, std::int64_t chat, std::int64_t message) {
  if (message == 0) return {};
  for (auto const& sent : state.sent)
    if (sent.chat == chat && sent.message == message) return sent.about;
  return {};
}

}  // namespace andon::bridge::telegram
