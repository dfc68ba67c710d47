#pragma once

#include <memory>
#include <set>

#include "bridge/telegram/fake_bot_api.hpp"
#include "bridge/telegram/telegram_bridge.hpp"
#include "os/files/file.hpp"
#include "os/files/time_zones.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"

namespace andon::test {

inline constexpr std::int64_t kUser = 42;
inline constexpr std::int64_t kGroup = -100;
/// How a message begins that may be a copy.
inline constexpr std::string_view kAgain = "<i>(perhaps sent twice)</i>\n";
using Texts = std::vector<std::string>;

/// A board that does what it is asked once for each key.
class FakeBoard {
 public:
  std::vector<std::string> effects;
  std::vector<bridge::OutMessage> events;
  std::size_t answers_to_each = 1;
  std::function<void()> point = [] {};

  std::vector<bridge::OutMessage> take(bridge::InMessage const& message) {
    point();
    auto const known = answers_.find(message.key);
    if (known != answers_.end()) return known->second;
    auto const effect = message.act + message.text + (message.about.empty() ? "" : " about " + message.about);
    effects.push_back(effect);
    bridge::OutMessage answer{.place = message.place, .text = {{"did " + effect}}};
    if (message.act.empty()) {
      answer.buttons = {{{"Undo", "undo " + effect}, {"Again", "again " + effect}}};
      answer.about = "task " + effect;
    }
    std::vector const answers(answers_to_each, answer);
    answers_[message.key] = answers;
    point();
    return answers;
  }

  core::Result<bridge::News> news_since(std::string const& place) const {
    point();
    auto const from = place.empty() ? std::size_t{0} : std::stoul(place);
    auto const end = std::min(events.size(), from + 3);
    return bridge::News{std::to_string(end),
                        {events.begin() + static_cast<std::ptrdiff_t>(from),
                         events.begin() + static_cast<std::ptrdiff_t>(end)}};
  }

 private:
  std::map<std::string, std::vector<bridge::OutMessage>> answers_;
};

/// Telegram, a board, and a process between them that can be killed at each point.
class World {
 public:
  struct Killed {};

  FakeBotApi telegram;
  FakeBoard board;
  FakeClock clock;
  bridge::Settings settings{
      .chats = {{.place = {kUser, 0}, .users = {kUser}, .board = {}, .worker = {}, .notify = {}},
                {.place = {kGroup, 0}, .users = {kUser}, .board = {}, .worker = {}, .notify = {}}},
      .quiet = {}};
  int points = 0;
  std::set<int> kills;  ///< at which points the process dies

  World() {
    telegram.point = board.point = [this] { pass_point(); };
  }

  bridge::telegram::TelegramBridge& bridge() {
    if (!bridge_) start();
    return *bridge_;
  }
  void start() {
    if (!content_.empty()) os::write_passing_file(file(), content_);
    bridge_ = std::make_unique<bridge::telegram::TelegramBridge>(
        settings, account_, os::time_zones(), bridge::telegram::read_state(file(), "123456"),
        bridge::telegram::Ports{
            .take = [this](bridge::InMessage const& message) { return board.take(message); },
            .news_since = [this](std::string const& place) { return board.news_since(place); },
            .receive = [this](os::OutgoingRequest const& request) { return telegram(request); },
            .send = [this](os::OutgoingRequest const& request) { return telegram(request); },
            .write =
                [this](std::string_view content) {
                  pass_point();
                  content_ = content;
                  pass_point();
                }});
  }
  /// Steps every loop once and lets a second pass. A killed process is started again.
  void round() {
    try {
      bridge().receive(clock.reading());
      bridge().news(clock.reading());
      for (int i = 0; i < 3; ++i) bridge().send(clock.reading());
    } catch (Killed const&) {
      bridge_.reset();
    }
    clock.advance(std::chrono::seconds{1});
  }
  void rounds(int count) {
    for (int i = 0; i < count; ++i) round();
  }

  std::filesystem::path file() const { return scratch_ / "telegram.state"; }

 private:
  void pass_point() {
    if (kills.contains(++points)) throw Killed{};
  }

  Scratch scratch_;
  std::string content_;  ///< of the state file, which is written when a process reads it
  bridge::telegram::Account account_{.api = "https://api.example", .token = "123456:AAbbCCddEEffGGhhIIjj"};
  std::unique_ptr<bridge::telegram::TelegramBridge> bridge_;
};

}  // namespace andon::test
