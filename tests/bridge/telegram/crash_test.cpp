#include <random>

#include <doctest/doctest.h>

#include "bridge/telegram/world.hpp"

using namespace andon;
using test::kAgain;
using test::kGroup;
using test::kUser;
using test::Texts;
using test::World;

namespace {

bool is_marked(std::string_view text) { return text.starts_with(kAgain); }

/// The first copies in their order, and whether only marked messages are copies.
struct Delivered {
  Texts texts;
  bool is_each_copy_marked = true;
};

Delivered delivered(World const& world, std::int64_t chat) {
  Delivered out;
  for (auto const& text : world.telegram.texts(chat)) {
    auto const plain = is_marked(text) ? text.substr(kAgain.size()) : text;
    bool const is_copy = std::ranges::find(out.texts, plain) != out.texts.end();
    if (!is_copy) out.texts.push_back(plain);
    if (is_copy && !is_marked(text)) out.is_each_copy_marked = false;
  }
  return out;
}

/// Texts, news and a press of a button, in two chats.
void play(World& world) {
  world.telegram.push_text(kUser, kUser, "one");
  world.telegram.push_text(kGroup, kUser, "two");
  world.board.events = {{.place = {kUser, 0}, .text = {{"news a"}}, .news = "a"},
                        {.place = {kGroup, 0}, .text = {{"news b"}}, .news = "b"}};
  world.rounds(8);
  auto const first = std::ranges::find_if(world.telegram.messages,
                                          [](auto const& message) { return !message.handles.empty(); });
  REQUIRE(first != world.telegram.messages.end());
  auto const message = *first;
  world.telegram.press(message, 0, kUser);
  world.telegram.press(message, 1, kUser);
  world.board.events.push_back({.place = {kUser, 0}, .text = {{"news c"}}, .news = "c"});
  world.rounds(8);
}

}  // namespace

TEST_CASE("TelegramCrash.AtAnyPointLosesNothingAndDoublesNoEffect") {
  World calm;
  play(calm);
  REQUIRE(calm.board.effects == Texts{"one", "two", "undo one"});
  REQUIRE(calm.telegram.messages.size() == 6);
  REQUIRE(calm.points > 50);
  for (int kill = 1; kill <= calm.points; ++kill) {
    CAPTURE(kill);
    World world;
    world.kills = {kill};
    play(world);
    CHECK(world.board.effects == calm.board.effects);
    for (auto const chat : {kUser, kGroup}) {
      auto const got = delivered(world, chat);
      auto expected = calm.telegram.texts(chat);
      CHECK(got.is_each_copy_marked);
      // A kill in between may let a news overtake an answer that was not there yet.
      auto texts = got.texts;
      std::ranges::sort(texts);
      std::ranges::sort(expected);
      CHECK(texts == expected);
    }
    CHECK(world.bridge().status().waiting == 0);
  }
}

TEST_CASE("TelegramCrash.OfManyUpdatesWithDuplicatesAndKills") {
  World world;
  std::minstd_rand random{7};  // NOLINT(cert-msc51-cpp): the same run each time
  for (int i = 0; i < 60; ++i) world.kills.insert(static_cast<int>(random() % 3000));
  Texts expected;
  for (int i = 0; i < 300; ++i) {
    expected.push_back(std::to_string(i));
    world.telegram.push_text(i % 2 ? kUser : kGroup, kUser, expected.back());
    if (random() % 10 == 0) world.telegram.repeat_last();
    if (i % 10 == 9) world.rounds(3);
  }
  world.rounds(700);
  CHECK(world.board.effects == expected);
  CHECK(delivered(world, kUser).texts.size() == 150);
  CHECK(delivered(world, kGroup).texts.size() == 150);
  CHECK(delivered(world, kUser).is_each_copy_marked);
  CHECK(delivered(world, kGroup).is_each_copy_marked);
}
