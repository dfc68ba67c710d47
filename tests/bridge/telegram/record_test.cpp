#include "bridge/telegram/record.hpp"

#include <doctest/doctest.h>

#include "bridge/telegram/outbox.hpp"
#include "os/files/file.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace std::chrono_literals;
using namespace andon::bridge;
using namespace andon::bridge::telegram;

namespace {

constexpr core::Instant kNow{core::Duration{1'800'000'000'000}};

/// A record whose file is a text.
struct Kept {
  std::string content;
  Record record{State{}, [this](std::string_view text) { content = text; }};
};

OutMessage asking(int number) {
  return {.place = {7, 0},
          .text = {{"message " + std::to_string(number)}},
          .buttons = {{{"Yes", "yes " + std::to_string(number)}, {"No", "no"}}}};
}

}  // namespace

TEST_CASE("TelegramRecord.IsReadBackAsItWasWritten") {
  test::Scratch const scratch;
  Kept kept;
  kept.record.change([](State& state) {
    state.bot = "5";
    state.offset = 12;
    state.handled = {10, 11};
    state.handling =
        Handling{.update = 12,
                 .message = {.key = "k", .place = {-7, 3}, .user = 4, .text = "täxt\n", .act = "a"},
                 .keyboard = "kb",
                 .message_id = 9,
                 .callback_id = "c"};
    add_message(state, asking(1), {.now = kNow, .due = kNow + 1min});
    state.sent = {{.chat = 7, .message = 8, .about = "task 1", .key = "run 1"}};
    state.moved = {{1, 2}};
    state.place = "here";
  });
  os::write_file(scratch / "state", kept.content);
  auto state = read_state(scratch / "state", "5");
  CHECK(state.handling->message.place == Place{-7, 3});
  CHECK(state.handling->message.text == "täxt\n");
  CHECK(state.outbox.at(0).due == kNow + 1min);
  Kept again;
  again.record.change([&](State& other) { other = state; });
  CHECK(again.content == kept.content);
}

TEST_CASE("TelegramRecord.OfAnotherBotIsSetAsideButItsPlaceStays") {
  test::Scratch const scratch;
  Kept kept;
  kept.record.change([](State& state) {
    state.bot = "5";
    state.offset = 12;
    state.place = "here";
  });
  os::write_file(scratch / "state", kept.content);
  auto const state = read_state(scratch / "state", "6");
  CHECK(state.bot == "6");
  CHECK(state.offset == 0);
  CHECK(state.place == "here");
  CHECK_FALSE(std::filesystem::exists(scratch / "state"));
}

TEST_CASE("TelegramRecord.IsUnchangedWhenTheWriteFails") {
  Record record{State{}, [](std::string_view) { throw std::runtime_error("no space"); }};
  CHECK_THROWS(record.change([](State& state) { state.offset = 5; }));
  CHECK(record.read([](State const& state) { return state.offset; }) == 0);
}

TEST_CASE("TelegramRecord.ForgetsTheOldestBeyondItsBounds") {
  Kept kept;
  kept.record.change([](State& state) {
    for (int i = 0; i < 3000; ++i) {
      state.keyboards.push_back({std::to_string(i), 7, {"a", "b"}, kNow});
      state.sent.push_back({.chat = 7, .message = i, .about = "a"});
      state.handled.push_back(i);
    }
  });
  kept.record.read([](State const& state) {
    CHECK(state.keyboards.size() == 1000);
    CHECK(state.keyboards.front().id == "2000");
    CHECK(state.sent.size() == 2000);
    CHECK(state.sent.back().message == 2999);
    CHECK(state.handled.size() == 1000);
    CHECK(state.handled.front() == 2000);
    return 0;
  });
}

TEST_CASE("TelegramRecord.KnowsWhatAButtonDoes") {
  State state;
  add_message(state, asking(1), {.now = kNow});
  auto const& id = state.outbox.at(0).id;
  CHECK(act_of(state, handle_of(id, 0), 7, kNow) == "yes 1");
  CHECK(act_of(state, handle_of(id, 1), 7, kNow) == "no");
  CHECK_FALSE(act_of(state, handle_of(id, 2), 7, kNow));
  CHECK_FALSE(act_of(state, id, 7, kNow));
  CHECK_FALSE(act_of(state, handle_of(id, 0), 8, kNow));
  CHECK_FALSE(act_of(state, handle_of(id, 0), 7, kNow + 7 * 24h));
  remove_keyboard(state, id);
  CHECK_FALSE(act_of(state, handle_of(id, 0), 7, kNow));
}

TEST_CASE("TelegramOutbox.GivesALongMessageItsButtonsOnce") {
  State state;
  auto message = asking(1);
  message.text = {{std::string(9000, 'x')}};
  message.about = "task 1";
  add_message(state, message, {.now = kNow});
  REQUIRE(state.outbox.size() == 3);
  CHECK(state.outbox[0].labels.empty());
  CHECK(state.outbox[2].labels.size() == 1);
  CHECK(state.outbox[0].about == "task 1");
}

TEST_CASE("TelegramOutbox.FoldsNewsWithButtonsLater") {
  State state;
  for (int i = 0; i < 31; ++i) {
    auto message = asking(i);
    message.news = "news " + std::to_string(i);
    add_message(state, message, {.now = kNow});
    if (i == 29) CHECK(state.outbox.size() == 30);
  }
  REQUIRE(state.outbox.size() == 1);
  CHECK(state.keyboards.empty());
  CHECK(state.outbox[0].lines.size() == 30);
  CHECK(state.outbox[0].left_out == 1);
  CHECK(html_of(state.outbox[0]).find("1 earlier message") != std::string::npos);
}
