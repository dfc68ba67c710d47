#include "service/workers/workers.hpp"

#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

namespace {

std::string edit(TestApp& app, service::PutWorkerRequest request) {
  request.name = "ada";
  return app.refusal<&service::edit_worker>(request);
}

}  // namespace

TEST_CASE("Worker.ServesBoardsByTheNamesTheyHave") {
  TestApp app;
  app.add_worker("ada", {.boards = std::vector<std::string>{"Classic", "1", "*"}});
  auto const worker = reflect::read_json<core::Worker>(app.answer<&service::get_worker>({.name = "ada"}));
  CHECK(worker->boards == std::vector<std::string>{"classic", "*"});
  CHECK(edit(app, {.boards = std::vector<std::string>{"nowhere"}}) == "BOARD_NOT_FOUND");
  CHECK(edit(app, {.boards = std::vector<std::string>{""}}) == "INVALID_INPUT");
}

TEST_CASE("Worker.TakesTextsThatCanBeShownAndHandedOn") {
  TestApp app;
  app.add_worker("ada");
  auto const seq = app.last_seq();
  CHECK(edit(app, {.prompt = std::string{"a\0b", 3}}) == "INVALID_INPUT");
  CHECK(edit(app, {.prompt_file = "roles/\033[31m.md"}) == "INVALID_INPUT");
  CHECK(edit(app, {.memory = std::vector<std::string>{""}}) == "INVALID_INPUT");
  CHECK(edit(app, {.tools = std::vector<std::string>{"a\nb"}}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::pause_worker>({.name = "ada", .reason = "a\033[31m"}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::pause_worker>({.name = "ada", .reason = std::string(65'537, 'x')}) ==
        "INVALID_INPUT");
  CHECK(app.last_seq() == seq);
  app.call<&service::pause_worker>({.name = "ada", .reason = "lunch"});
}

TEST_CASE("Worker.HasOneOfTheFourLevels") {
  TestApp app;
  app.add_worker("ada", {.permissions = "ask"});
  auto const worker = reflect::read_json<core::Worker>(app.answer<&service::get_worker>({.name = "ada"}));
  CHECK(worker->permissions == core::Permissions::ask);
  auto const error = app.error_of_json<&service::edit_worker>(R"({"name":"ada","permissions":"everything"})");
  CHECK(error.code == core::Code::kInvalidInput);
  CHECK(error.field == "permissions");
  CHECK(error.message == "\"permissions\" must be one of readonly, edit, full, ask");
}

TEST_CASE("Worker.HasANameThatNobodyTakesForAnother") {
  TestApp app;
  app.add_worker("dev-1");
  for (auto const* name : {"dev-1", "DEV-1", "Dev_1", "dev1"}) {
    auto const refused = app.error<&service::add_worker>({.name = std::string{name}, .agent = "claude"});
    CHECK(refused.code == core::Code::kWorkerAlreadyExists);
    CHECK(refused.field == "name");
    CHECK(refused.message.contains("\"dev-1\""));
  }
  app.add_worker("dev-2");
}
