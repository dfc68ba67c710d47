#include "service/boards/machine_commands.hpp"

#include <array>

#include <doctest/doctest.h>

#include "service/teams/team.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace andon::test;

namespace {

using Names = std::vector<std::string>;

/// An administrator who asks over the network.
service::Caller far_administrator() {
  auto out = ann();
  out.role = service::Role::admin;
  return out;
}

/// A setting that runs something, as a request has it, and the line for people.
struct Setting {
  std::string_view field;
  std::string_view json;
  std::string_view line;
};
constexpr std::array kSettings{
    Setting{"checks", R"({"unit":["make","the test"]})", "checks/unit: make 'the test'"},
    Setting{"sources", R"({"sales":["sh","-c","it's"]})", R"(sources/sales: sh -c 'it'\''s')"},
    Setting{"setup", R"([["npm","ci"]])", "setup: npm ci"},
    Setting{"teardown", R"([["docker","compose","down"]])", "teardown: docker compose down"},
    Setting{"preview", R"(["npm","run","dev"])", "preview: npm run dev"},
    Setting{"env", R"(["LD_PRELOAD=/tmp/x.so"])", "env: LD_PRELOAD=/tmp/x.so"},
};

std::string edit_of(Setting const& setting) {
  std::string const ports = setting.field == "preview" ? R"("ports":1,)" : "";
  return R"({"board":"classic",)" + ports + "\"" + std::string{setting.field} +
         "\":" + std::string{setting.json} + "}";
}

std::vector<std::string> lines_of(core::Error const& error) {
  for (auto const& [name, detail] : error.details)
    if (name == "commands") return std::get<std::vector<std::string>>(detail);
  return {};
}

}  // namespace

TEST_CASE("MachineCommands.ComeFromTheMachineOnly") {
  for (auto const& setting : kSettings) {
    CAPTURE(setting.field);
    TestApp app;
    auto const refused = app.error_of_json<&service::edit_board>(edit_of(setting), far_administrator());
    CHECK(refused.code == core::Code::kUnconfirmedCommand);
    CHECK(refused.field == setting.field);
    CHECK(lines_of(refused) == std::vector{std::string{setting.line}});
    app.call_of_json<&service::edit_board>(edit_of(setting));
  }
}

TEST_CASE("MachineCommands.OfABoardMayBeSentAgainAndTakenAway") {
  for (auto const& setting : kSettings) {
    CAPTURE(setting.field);
    TestApp app;
    app.call_of_json<&service::edit_board>(edit_of(setting));
    app.call_of_json<&service::edit_board>(edit_of(setting), far_administrator());
    auto const none = setting.json.front() == '{' ? "{}" : "[]";
    app.call_of_json<&service::edit_board>(
        R"({"board":"classic",")" + std::string{setting.field} + "\":" + none + "}", far_administrator());
    CHECK(app.refusal_of_json<&service::edit_board>(edit_of(setting), far_administrator()) ==
          "UNCONFIRMED_COMMAND");
  }
}

TEST_CASE("MachineCommands.OfANewBoardAreRefusedWithTheWholeBoard") {
  TestApp app;
  CHECK(app.refusal_of_json<&service::create_board>(R"({"name":"shop","checks":{"unit":["make"]}})",
                                                    far_administrator()) == "UNCONFIRMED_COMMAND");
  CHECK(app.call<&service::list_boards>().items.size() == 1);
}

TEST_CASE("MachineCommands.OfATeamAreRefusedToo") {
  TestApp app;
  CHECK(app.refusal_of_json<&service::apply_team>(R"({"boards":[{"name":"shop","setup":[["npm","ci"]]}]})",
                                                  far_administrator()) == "UNCONFIRMED_COMMAND");
}

TEST_CASE("MachineCommands.AnotherCommandUnderTheSameNameIsNew") {
  TestApp app;
  app.call_of_json<&service::edit_board>(R"({"board":"classic","checks":{"unit":["make"]}})");
  CHECK(app.refusal_of_json<&service::edit_board>(R"({"board":"classic","checks":{"unit":["make","all"]}})",
                                                  far_administrator()) == "UNCONFIRMED_COMMAND");
  CHECK(app.refusal_of_json<&service::edit_board>(R"({"board":"classic","setup":[["make"]]})",
                                                  far_administrator()) == "UNCONFIRMED_COMMAND");
}

TEST_CASE("MachineCommands.AreTakenByTheirNames") {
  service::BoardPolicies request;
  request.defined = core::MachineCommands{
      {"unit", Names{"make", "test"}}, {"install", Names{"npm", "ci"}}, {"serve", Names{"npm", "start"}}};
  request.commands.emplace();
  request.commands->checks = Names{"unit"};
  request.commands->setup = Names{"install"};
  request.commands->preview = "serve";
  auto const taken = service::with_named_commands(request);
  REQUIRE(taken);
  CHECK(taken->checks->at("unit") == core::Command{"make", "test"});
  CHECK(taken->setup == std::vector<core::Command>{Names{"npm", "ci"}});
  CHECK(taken->preview == core::Command{"npm", "start"});
  CHECK_FALSE(taken->sources);

  request.commands->setup = Names{"install", "evil"};
  auto const unknown = service::with_named_commands(request);
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().field == "commands/setup");
  CHECK(unknown.error().message.contains("install, serve, unit"));

  request.commands->setup = Names{"install"};
  request.setup.emplace();
  CHECK_FALSE(service::with_named_commands(request));
}

TEST_CASE("MachineCommands.MayBeNamedOverTheNetwork") {
  TestApp app;
  app.call<&service::edit_board>(board_edit("classic",
                                            [](auto& r) {
                                              r.defined = core::MachineCommands{{"unit", Names{"make"}}};
                                              r.commands.emplace();
                                              r.commands->checks = Names{"unit"};
                                            }),
                                 far_administrator());
  CHECK(app.call<&service::get_board>({"classic"}).checks.at("unit") == core::Command{"make"});
  CHECK(app.refusal_of_json<&service::edit_board>(R"({"board":"classic","commands":{"checks":["unit"]}})",
                                                  person("bob")) == "FORBIDDEN");
}
