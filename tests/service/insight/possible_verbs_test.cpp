#include "service/insight/possible_verbs.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <doctest/doctest.h>

#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace andon::test;

namespace {

service::Caller in_browser() {
  auto caller = ann();
  caller.source = "web";
  return caller;
}

bool can(core::Task const& task, std::string_view verb) {
  return std::ranges::find(task.can, verb) != task.can.end();
}

struct VerbCase {
  std::string_view verb;
  std::string_view operation;
  std::string_view members{};
};
constexpr std::array kVerbs{
    VerbCase{"approve", "approve_task"},
    VerbCase{"claim", "claim_task"},
    VerbCase{"release", "release_task"},
    VerbCase{"start", "start_task"},
    VerbCase{"submit", "submit_task"},
    VerbCase{"complete", "complete_task"},
    VerbCase{"fail", "fail_task", R"("reason":"no")"},
    VerbCase{"handoff", "handoff_task"},
    VerbCase{"block", "block_task", R"("reason":"no")"},
    VerbCase{"unblock", "unblock_task"},
    VerbCase{"answer", "answer_task", R"("text":"yes")"},
    VerbCase{"accept", "accept_task"},
    VerbCase{"reject", "reject_task", R"("reason":"no")"},
    VerbCase{"retry", "retry_task"},
    VerbCase{"kill", "kill_task"},
    VerbCase{"archive", "archive_task"},
    VerbCase{"note", "add_note", R"("text":"hm")"},
};

struct Situation {
  std::string_view name;
  void (*arrange)(TestApp& app, core::TaskId id);
};
constexpr std::array kSituations{
    Situation{"new", [](TestApp&, core::TaskId) {}},
    Situation{"approved",
              [](TestApp& app, core::TaskId id) { app.call<&service::approve_task>({.id = id}); }},
    Situation{"held by another",
              [](TestApp& app, core::TaskId id) {
                app.call<&service::approve_task>({.id = id});
                app.call<&service::claim_task>({.id = id, .by = "bob"});
              }},
    Situation{"worked on by an agent",
              [](TestApp& app, core::TaskId id) {
                app.call<&service::approve_task>({.id = id});
                app.start("ada");
              }},
    Situation{"waiting for an answer to its agent",
              [](TestApp& app, core::TaskId id) {
                app.call<&service::approve_task>({.id = id});
                app.call<&service::ask_permission>({.id = id, .text = "May I?"}, agent(app.start("ada")));
              }},
    Situation{"reviewed",
              [](TestApp& app, core::TaskId id) {
                app.call<&service::approve_task>({.id = id});
                app.finish(app.start("ada"));
              }},
    Situation{"blocked", [](TestApp& app,
                            core::TaskId id) { app.call<&service::block_task>({.id = id, .reason = "no"}); }},
    Situation{"archived",
              [](TestApp& app, core::TaskId id) { app.call<&service::archive_task>({.id = id}); }},
};

core::TaskId arrange(TestApp& app, Situation const& situation) {
  app.add_worker("ada", {.takes_unassigned = true});
  auto const id = app.create("Task").id;
  situation.arrange(app, id);
  return id;
}

}  // namespace

TEST_CASE("PossibleVerbs.AgreeWithTheOperations") {
  for (auto const* board : {"classic", "queue", "flow"}) {
    for (auto const& situation : kSituations) {
      TestApp told{board};
      auto const task = told.call<&service::get_task>({.id = arrange(told, situation)}, in_browser());
      for (auto const& verb : kVerbs) {
        CAPTURE(board);
        CAPTURE(situation.name);
        CAPTURE(verb.verb);
        TestApp app{board};
        auto const id = arrange(app, situation);
        auto const before = app.get(id).rev;
        auto const done = app.ask(verb.operation, on(id, verb.members), in_browser());
        bool const had_effect = done.has_value() && app.get(id).rev != before;
        CHECK(can(task, verb.verb) == had_effect);
        CHECK(task.cannot.contains(std::string{verb.verb}) != had_effect);
      }
    }
  }
}

TEST_CASE("PossibleVerbs.NameTheAgentThatWorksAndNoFlag") {
  TestApp app;
  app.add_worker("ada", {.takes_unassigned = true});
  auto const id = app.create("Task", {.status = "todo"}).id;
  app.start("ada");
  auto const task = app.call<&service::get_task>({.id = id}, in_browser());
  CHECK(can(task, "kill"));
  CHECK(task.cannot.at("block") == "\"ada\" works on it; stop the run first");
  for (auto const& [verb, why] : task.cannot) CHECK(why.find("--") == std::string::npos);
}

TEST_CASE("PossibleVerbs.AreToldToPeopleOverHttpOnly") {
  TestApp app;
  auto const id = app.create("Task").id;
  auto in_terminal = ann();
  in_terminal.source = "cli";
  CHECK(app.answer<&service::get_task>({.id = id}, in_terminal).find("\"can\"") == std::string::npos);
  CHECK(app.answer<&service::get_task>({.id = id}, in_browser()).find("\"cannot\"") != std::string::npos);
  app.add_worker("ada");
  app.call<&service::edit_task>({.id = id, .assignee = "ada"});
  app.call<&service::approve_task>({.id = id});
  auto const run = app.start("ada");
  CHECK(app.answer<&service::get_task>({.id = id}, agent(run)).find("\"can\"") == std::string::npos);
  CHECK(app.answer<&service::list_tasks>({}, in_browser()).find("\"can\"") == std::string::npos);
}

TEST_CASE("PossibleVerbs.StandInTheAnswersOfVerbsToo") {
  TestApp app;
  auto const id = app.create("Task").id;
  CHECK_FALSE(can(app.call<&service::approve_task>({.id = id}, in_browser()), "approve"));
  CHECK(can(app.call<&service::block_task>({.id = id, .reason = "no"}, in_browser()), "unblock"));
}
