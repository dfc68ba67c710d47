#include "service/teams/team.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/pick.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using test::TestApp;

namespace {

constexpr std::string_view kTeam = R"("boards":[
    {"name":"hosting","template":"queue","title":"Hosting","prefix":"WQ","trusted":["planner","lead"],
     "columns":[{"name":"pending","stage":"backlog"},{"name":"ready","stage":"ready","wip_limit":5},
                {"name":"in_progress","stage":"active"},{"name":"completed","stage":"done"}]}],
  "workers":[{"name":"coder","role":"coder","agent":"claude","model":"opus"},
             {"name":"qa","role":"qa","agent":"claude","boards":["hosting"]}])";

std::string team(std::string_view members = kTeam, std::string_view more = {}) {
  return "{" + std::string{members} + std::string{more} + "}";
}

service::TeamChanges applied(TestApp& app, std::string const& request) {
  return app.call_of_json<&service::apply_team>(request);
}

std::string told(service::TeamChanges const& changes) {
  std::string out;
  for (auto const& change : changes.changes) {
    out += std::string{service::kTeamActionNames[static_cast<std::size_t>(change.action)]} + " " +
           change.what + " " + change.name + "\n";
    if (change.action != service::TeamAction::change) continue;
    for (auto const& field : change.fields)
      out +=
          "  " + field.field + " " + reflect::to_json(field.from) + " " + reflect::to_json(field.to) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("Team.IsMadeAsDescribedAndTheSecondTimeNothingIsWritten") {
  TestApp app;
  CHECK(told(applied(app, team())) == "create board hosting\ncreate worker coder\ncreate worker qa\n");
  auto const before = app.digest();
  CHECK(told(applied(app, team())) == "");
  CHECK(app.digest() == before);
}

TEST_CASE("Team.DryRunTellsTheSameAndKeepsNothing") {
  TestApp app;
  auto const before = app.digest();
  CHECK(told(applied(app, team(kTeam, R"(,"dry_run":true)"))) ==
        "create board hosting\ncreate worker coder\ncreate worker qa\n");
  CHECK(app.digest() == before);
}

TEST_CASE("Team.ChangesOnlyWhatDiffersAndTellsFromWhatToWhat") {
  TestApp app;
  applied(app, team());
  auto const changes = applied(app, R"({"boards":[{"name":"hosting","title":"Hosting Portal",
     "columns":[{"name":"pending","stage":"backlog"},{"name":"ready","stage":"ready","wip_limit":8},
                {"name":"in_progress","stage":"active"},{"name":"checking","stage":"review"},
                {"name":"completed","stage":"done"}]}],
    "workers":[{"name":"coder","model":"sonnet"}]})");
  CHECK(told(changes) ==
        "change board hosting\n"
        "  title \"Hosting\" \"Hosting Portal\"\n"
        "  columns/ready/wip_limit 5 8\n"
        "  columns/checking null {\"name\":\"checking\",\"title\":\"checking\",\"stage\":\"review\","
        "\"require_claim\":false}\n"
        "change worker coder\n"
        "  model \"opus\" \"sonnet\"\n");
}

TEST_CASE("Team.IsAppliedAsAWholeOrNotAtAll") {
  TestApp app;
  auto const before = app.digest();
  auto const error = app.error<&service::apply_team>(
      {{.boards = std::vector<service::TeamBoard>{{{}, "one"}, {{.prefix = "7x"}, "two"}},
        .workers = std::vector<service::PutWorkerRequest>{{.name = "w"}}}});
  CHECK(error.field == "boards/1/prefix");
  CHECK(
      app.error<&service::apply_team>({{.boards = std::vector<service::TeamBoard>{{{}, "one"}, {{}, "one"}}}})
          .field == "boards/1/name");
  CHECK(app.error<&service::apply_team>(
               {{.workers =
                     std::vector<service::PutWorkerRequest>{
                         {.name = "w", .boards = std::vector<std::string>{"nowhere"}}}}})
            .field == "workers/0/boards");
  CHECK(app.error_of_json<&service::apply_team>(R"({"boards":[{"name":"one","colums":[]}]})").field ==
        "boards/0/colums");
  CHECK(
      app.error<&service::apply_team>({{.boards = std::vector<service::TeamBoard>{{{}, "classic", "flow"}}}})
          .field == "boards/0/template");
  CHECK(app.digest() == before);
}

TEST_CASE("Team.ColumnsWithTasksGoOnlyWithAPlaceForTheTasks") {
  TestApp app;
  app.create("Task", {.status = "blocked"});
  constexpr std::string_view kColumns =
      R"("boards":[{"name":"classic","columns":[{"name":"todo","stage":"ready"},{"name":"done","stage":"done"}])";
  CHECK(app.error_of_json<&service::apply_team>(team(kColumns, "}]")).field == "boards/0/move_tasks");
  applied(app, team(kColumns, R"(,"move_tasks":{"blocked":"todo"}}])"));
  CHECK(app.get(1).status == "todo");
}

TEST_CASE("Team.PruneRemovesWhatIsNotNamedAndSaysWhatStays") {
  TestApp app;
  app.create("Task");
  app.add_worker("idle");
  app.add_worker("busy", {.takes_unassigned = true});
  app.create("Held", {.status = "todo"});
  app.call<&service::pick_task>({.worker = "busy"});
  app.call<&service::create_board>({{}, "empty"});
  applied(app, team());
  auto const changes = applied(app, team(kTeam, R"(,"prune":true)"));
  CHECK(told(changes) == "keep worker busy\nremove worker idle\nkeep board classic\nremove board empty\n");
  CHECK(changes.changes.at(0).reason == "it holds task #2");
  CHECK(changes.changes.at(2).reason == "it has 2 tasks");
  CHECK(told(applied(app, R"({"workers":[],"prune":true})")) ==
        "keep worker busy\nremove worker coder\nremove worker qa\n");
}

TEST_CASE("Team.AutomationsAreMadeChangedAndRemovedToo") {
  TestApp app;
  auto const with = [](std::string_view automation) {
    return R"({"automations":[)" + std::string{automation} + R"(],"prune":true})";
  };
  constexpr std::string_view kMorning =
      R"({"name":"morning","board":"classic","cron":"0 7 * * 1-5","tz":"Europe/Berlin","template":{"title":"Plan"}})";
  CHECK(told(applied(app, with(kMorning))) == "create automation morning\n");
  auto const before = app.digest();
  CHECK(told(applied(app, with(kMorning))) == "");
  CHECK(app.digest() == before);
  CHECK(told(applied(app,
                     with(R"({"name":"morning","cron":"0 8 * * *","template":{"title":"Plan the day"}})"))) ==
        "change automation morning\n  cron \"0 7 * * 1-5\" \"0 8 * * *\"\n"
        "  template/title \"Plan\" \"Plan the day\"\n");
  CHECK(app.error<&service::apply_team>(
               {{.automations =
                     std::vector<service::AddAutomationRequest>{
                         {.name = "x", .cron = "never", .template_ = {.title = "y"}}}}})
            .field == "automations/0/cron");
  auto const exported = app.answer<&service::export_team>();
  TestApp other;
  other.call_of_json<&service::apply_team>(exported);
  CHECK(other.answer<&service::export_team>() == exported);
  CHECK(told(applied(app, with(""))) == "remove automation morning\n");
}

TEST_CASE("Team.PruneLeavesKindsAloneThatAreNotDescribed") {
  TestApp app;
  app.add_worker("idle");
  applied(app, R"({"boards":[{"name":"classic"}],"prune":true})");
  CHECK(app.answer<&service::list_workers>().contains("idle"));
}

TEST_CASE("Team.ExportedIntoAnEmptyStoreIsTheSameTeam") {
  TestApp app;
  applied(app, team());
  app.call<&service::edit_board>(
      {{.trusted = std::vector<std::string>{}, .max_concurrent = 0, .chains = std::vector<core::ChainRule>{}},
       "hosting"});
  auto const exported = app.answer<&service::export_team>();
  TestApp other{"queue"};
  other.call<&service::delete_board>({.board = "queue"});
  other.call_of_json<&service::apply_team>(exported);
  CHECK(other.answer<&service::export_team>() == exported);
  CHECK(exported.contains(R"("trusted":[])"));
}

TEST_CASE("Team.WhatOnlyTheAdministratorMaySetIsRefusedToOthers") {
  TestApp app;
  auto const refused = app.ask<&service::apply_team>(
      {{.boards = std::vector<service::TeamBoard>{{{.repo = "/tmp"}, "classic"}}}}, test::person("bob"));
  REQUIRE(!refused);
  CHECK(refused.error().code == core::Code::kForbidden);
  CHECK(refused.error().field == "boards/0/repo");
}
