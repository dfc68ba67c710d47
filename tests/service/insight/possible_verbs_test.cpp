#include "service/insight/possible_verbs.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <doctest/doctest.h>

#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// An app whose answers tell verbs.
struct TellingApp : TestApp {
  explicit TellingApp(std::string_view board_template = "classic") : TestApp(board_template) {
    tells_verbs = true;
  }
};

bool can(core::Task const& task, std::string_view verb) {
  return std::ranges::find(task.can, verb) != task.can.end();
}

struct VerbCase {
  std::string_view verb;
  AnyCall (*act)(core::TaskId id);
};
constexpr std::array kVerbs{
    VerbCase{"approve", [](core::TaskId id) { return call_of<&service::approve_task>({.id = id}); }},
    VerbCase{"claim", [](core::TaskId id) { return call_of<&service::claim_task>({.id = id}); }},
    VerbCase{"release", [](core::TaskId id) { return call_of<&service::release_task>({.id = id}); }},
    VerbCase{"start", [](core::TaskId id) { return call_of<&service::start_task>({.id = id}); }},
    VerbCase{"submit", [](core::TaskId id) { return call_of<&service::submit_task>({.id = id}); }},
    VerbCase{"complete", [](core::TaskId id) { return call_of<&service::complete_task>({.id = id}); }},
    VerbCase{"fail",
             [](core::TaskId id) { return call_of<&service::fail_task>({.id = id, .reason = "no"}); }},
    VerbCase{"handoff", [](core::TaskId id) { return call_of<&service::handoff_task>({.id = id}); }},
    VerbCase{"block",
             [](core::TaskId id) { return call_of<&service::block_task>({.id = id, .reason = "no"}); }},
    VerbCase{"unblock", [](core::TaskId id) { return call_of<&service::unblock_task>({.id = id}); }},
    VerbCase{"answer",
             [](core::TaskId id) { return call_of<&service::answer_task>({.id = id, .text = "yes"}); }},
    VerbCase{"accept", [](core::TaskId id) { return call_of<&service::accept_task>({.id = id}); }},
    VerbCase{"reject",
             [](core::TaskId id) { return call_of<&service::reject_task>({.id = id, .reason = "no"}); }},
    VerbCase{"retry", [](core::TaskId id) { return call_of<&service::retry_task>({.id = id}); }},
    VerbCase{"kill", [](core::TaskId id) { return call_of<&service::kill_task>({.id = id}); }},
    VerbCase{"archive", [](core::TaskId id) { return call_of<&service::archive_task>({.id = id}); }},
    VerbCase{"note", [](core::TaskId id) { return call_of<&service::note_task>({.id = id, .text = "hm"}); }},
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
      TellingApp told{board};
      auto const task = told.call<&service::get_task>({.id = arrange(told, situation)});
      for (auto const& verb : kVerbs) {
        CAPTURE(board);
        CAPTURE(situation.name);
        CAPTURE(verb.verb);
        TestApp app{board};
        auto const id = arrange(app, situation);
        auto const before = app.get(id).rev;
        auto const done = app.ask(verb.act(id));
        bool const had_effect = done.has_value() && app.get(id).rev != before;
        CHECK(can(task, verb.verb) == had_effect);
        CHECK(task.cannot.contains(std::string{verb.verb}) != had_effect);
      }
    }
  }
}

TEST_CASE("PossibleVerbs.NameTheAgentThatWorksAndNoFlag") {
  TellingApp app;
  app.add_worker("ada", {.takes_unassigned = true});
  auto const id = app.create("Task", {.status = "todo"}).id;
  app.start("ada");
  auto const task = app.call<&service::get_task>({.id = id});
  CHECK(can(task, "kill"));
  CHECK(task.cannot.at("block") == "\"ada\" works on it; stop the run first");
  for (auto const& [verb, why] : task.cannot) CHECK(why.find("--") == std::string::npos);
}

TEST_CASE("PossibleVerbs.AreToldToThoseWhoAskForThemAndInATaskOnly") {
  TellingApp app;
  auto const id = app.create("Task").id;
  CHECK(app.answer<&service::get_task>({.id = id}).contains("\"cannot\""));
  CHECK_FALSE(app.answer<&service::list_tasks>().contains("\"can\""));
  app.tells_verbs = false;
  CHECK_FALSE(app.answer<&service::get_task>({.id = id}).contains("\"can\""));
  CHECK_FALSE(app.answer<&service::approve_task>({.id = id}).contains("\"can\""));
}

TEST_CASE("PossibleVerbs.StandInTheAnswersOfVerbsToo") {
  TellingApp app;
  auto const id = app.create("Task").id;
  CHECK_FALSE(can(app.call<&service::approve_task>({.id = id}), "approve"));
  CHECK(can(app.call<&service::block_task>({.id = id, .reason = "no"}), "unblock"));
}

TEST_CASE("Verbs.AFullColumnBehindTheWorkIsSaidBeforeTheVerbIsTried") {
  TellingApp app;
  app.call<&service::edit_board>(board_edit("classic", [](auto& edit) { edit.wip_limits = {{"done", 1}}; }));
  app.create("First", {.status = "done"});
  app.create("Second", {.status = "in_progress"});
  auto const task = app.call<&service::get_task>({.id = 2});
  CHECK_FALSE(can(task, "complete"));
  CHECK(task.cannot.at("complete").starts_with("done is full"));
  CHECK(app.refusal<&service::complete_task>({.id = 2}) == "WIP_LIMIT_EXCEEDED");
}
