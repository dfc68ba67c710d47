#include "bridge/conversation/watches.hpp"

#include <doctest/doctest.h>

#include "bridge/conversation/chat_app.hpp"

using namespace andon;
using namespace andon::bridge;

namespace {

/// A run that prints what the test says.
struct Printed : api::RunOutput {
  std::vector<std::string> lines;

  core::Result<api::OutputPage> read(core::RunId, std::string_view since) override {
    std::size_t const from = since.empty() ? 0 : std::stoul(std::string{since});
    api::OutputPage page;
    for (auto i = from; i < lines.size() && page.items.size() < 10; ++i)
      page.items.push_back({{}, "stdout", lines[i]});
    page.next = std::to_string(from + page.items.size());
    return page;
  }
  core::Result<api::OutputTaken> mirror(core::RunId, api::OutputReport const& report) override {
    return api::OutputTaken{report.next};
  }
};

/// No run is known, so each has ended.
struct NoBoard : api::Executor {
  bool is_running = true;
  core::Result<api::Answer> run(api::Call call) override {
    return api::Answer{.operation = call.operation,
                       .json = is_running ? R"({"id":7,"state":"running"})" : R"({"id":7,"state":"ended"})"};
  }
};

core::Task task_at_work() {
  core::Task task;
  task.id = 3;
  task.title = "Mend <b>it</b>";
  task.run = core::RunId{7};
  return task;
}

std::string text_of(OutMessage const& message) {
  std::string out;
  for (auto const& span : message.text) out += span.text;
  return out;
}

core::Instant at(int seconds) { return core::Instant{} + std::chrono::seconds{seconds}; }

}  // namespace

TEST_CASE("Watches.TellWhatIsNewNotMoreOftenThanEveryFewSeconds") {
  Printed printed;
  NoBoard board;
  Watches watches(board, printed);
  Chat const chat{.place = {42, 0}, .users = {1}, .board = {}, .worker = {}, .notify = {}};
  auto const first = watches.begin(chat, task_at_work(), "Developer");
  CHECK(first.key == "output 7");
  printed.lines = {"one", "two\x1b[2J"};
  auto told = watches.step(at(10));
  REQUIRE(told.size() == 1);
  CHECK(told[0].replaces == first.key);
  CHECK(text_of(told[0]).ends_with("two\\x1b[2J"));
  printed.lines.push_back("three");
  CHECK(watches.step(at(12)).empty());
  CHECK(watches.step(at(14)).size() == 1);
  CHECK(watches.step(at(20)).empty());
  for (int i = 0; i < 400; ++i) printed.lines.push_back("line " + std::to_string(i));
  told = watches.step(at(30));
  REQUIRE(told.size() == 1);
  CHECK(told[0].text.size() == 16);
  CHECK(text_of(told[0]).ends_with("line 399"));
}

TEST_CASE("Watches.EndWithTheirRunOrOnRequest") {
  Printed printed;
  NoBoard board;
  Watches watches(board, printed);
  Chat const chat{.place = {42, 0}, .users = {1}, .board = {}, .worker = {}, .notify = {}};
  watches.begin(chat, task_at_work(), "Developer");
  board.is_running = false;
  auto const told = watches.step(at(10));
  REQUIRE(told.size() == 1);
  CHECK(text_of(told[0]).ends_with("It has ended."));
  CHECK(told[0].buttons.empty());
  CHECK(watches.step(at(20)).empty());
  board.is_running = true;
  watches.begin(chat, task_at_work(), "Developer");
  watches.end(chat.place, 7);
  printed.lines = {"one"};
  CHECK(watches.step(at(30)).empty());
}
