#include <algorithm>
#include <array>

#include <doctest/doctest.h>

#include "service/insight/why.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace andon::test;
using core::Stage;

namespace {

service::AskRequest asks(core::TaskId id) {
  return {.id = id, .text = "May I run make?", .choices = {"Allow", "Deny", "Allow always"}};
}

/// A task in work, whose agent may ask.
core::Run working(TestApp& app) {
  app.add_worker("ada");
  app.create("Task", {.status = "todo", .assignee = "ada"});
  return app.start("ada");
}

/// A task in work, whose agent waits for an answer.
core::Run waiting(TestApp& app) {
  auto const run = working(app);
  app.call<&service::ask_permission>(asks(run.task), agent(run));
  return run;
}

bool can_answer(TestApp& app, core::TaskId id) {
  app.tells_verbs = true;
  auto const task = app.get(id);
  app.tells_verbs = false;
  return std::ranges::find(task.can, "answer") != task.can.end();
}

}  // namespace

TEST_CASE("AskPermission.PutsAQuestionOnATaskThatStaysInWork") {
  TestApp app;
  auto const run = working(app);
  auto const before = app.stored(run.task);
  auto const task = app.call<&service::ask_permission>(asks(run.task), agent(run));
  REQUIRE(task.question);
  CHECK(task.question->text == "May I run make?");
  CHECK(task.question->choices == std::vector<std::string>{"Allow", "Deny", "Allow always"});
  CHECK(task.question->asked_by == "worker:ada");
  CHECK(task.question->asked_at == app.clock.now());
  CHECK(task.question->run == run.id);
  CHECK(task.stage == Stage::active);
  CHECK(task.epoch == before.epoch);
  CHECK_FALSE(task.blocked);
  CHECK(app.get(run.task).question == task.question);
}

TEST_CASE("AskPermission.OffersToAllowAndToDeny") {
  TestApp app;
  auto const run = working(app);
  auto const task = app.call<&service::ask_permission>({.id = run.task, .text = "May I?"}, agent(run));
  CHECK(task.question->choices == std::vector<std::string>{"Allow", "Deny"});
}

TEST_CASE("AskPermission.StandsInTheHistoryWithItsChoices") {
  TestApp app;
  auto const run = waiting(app);
  auto const event = app.events().back();
  CHECK(event.kind == core::EventKind::task_asked);
  CHECK(event.run == run.id);
  CHECK(event.data == R"({"text":"May I run make?","choices":"Allow\nDeny\nAllow always"})");
}

TEST_CASE("AskPermission.AgainIsTheQuestionThatStands") {
  TestApp app;
  auto const run = waiting(app);
  auto const before = app.get(run.task);
  app.clock.advance(std::chrono::seconds{5});
  auto const digest = app.digest();
  CHECK(app.call<&service::ask_permission>(asks(run.task), agent(run)).question == before.question);
  CHECK(app.digest() == digest);
}

TEST_CASE("AskPermission.ForSomethingElseWaitsForTheFirstAnswer") {
  TestApp app;
  auto const run = waiting(app);
  service::AskRequest const other{.id = run.task, .text = "May I push?"};
  auto const error = app.error<&service::ask_permission>(other, agent(run));
  CHECK(error.code == core::Code::kConflict);
  CHECK(error.message == "task #1 has an open question already; ask again when it is answered");
  app.call<&service::answer_task>({.id = run.task, .text = "Allow"});
  CHECK(app.call<&service::ask_permission>(other, agent(run)).question->text == "May I push?");
}

TEST_CASE("AskPermission.IsForRunsOnTheirOwnTask") {
  TestApp app;
  auto const run = working(app);
  auto const other = app.create("Other", {.status = "todo"});
  CHECK(app.refusal<&service::ask_permission>(asks(run.task)) == "FORBIDDEN");
  CHECK(app.refusal<&service::ask_permission>(asks(other.id), agent(run)) == "FORBIDDEN");
}

TEST_CASE("AskPermission.OfAnEarlierClaimIsRefused") {
  TestApp app;
  auto const run = working(app);
  CHECK(app.refusal<&service::ask_permission>(
            {.id = run.task, .text = "May I?", .epoch = core::next(run.epoch)}, agent(run)) == "STALE_CLAIM");
  app.finish(run);
  CHECK(app.refusal<&service::ask_permission>(asks(run.task), agent(run)) == "STALE_CLAIM");
}

TEST_CASE("AskPermission.NeedsAShortTextAndTenChoicesAtMost") {
  TestApp app;
  auto const run = working(app);
  CHECK(app.error<&service::ask_permission>({.id = run.task, .text = ""}, agent(run)).field == "text");
  CHECK(app.error<&service::ask_permission>({.id = run.task, .text = std::string(70'000, 'x')}, agent(run))
            .field == "text");
  std::vector<std::string> choices;
  for (int i = 0; i < 11; ++i) choices.push_back(std::to_string(i));
  service::AskRequest const many{.id = run.task, .text = "Which?", .choices = choices};
  CHECK(app.error<&service::ask_permission>(many, agent(run)).field == "choices");
}

TEST_CASE("AskPermission.OfAnAgentThatIsBeingStoppedIsRefused") {
  TestApp app;
  auto const run = working(app);
  app.call<&service::kill_task>({.id = run.task});
  CHECK(app.refusal<&service::ask_permission>(asks(run.task), agent(run)) == "STALE_CLAIM");
}

TEST_CASE("Answer.ToALiveRunLeavesTheTaskInWork") {
  TestApp app;
  auto const run = waiting(app);
  CHECK(can_answer(app, run.task));
  auto const asked_at = core::to_text(app.get(run.task).question->asked_at);
  auto const task = app.call<&service::answer_task>({.id = run.task, .text = "Allow"}, person("ben"));
  CHECK_FALSE(task.question);
  CHECK(task.stage == Stage::active);
  CHECK(task.epoch == run.epoch);
  CHECK(app.stored(run.task).state.supervised);
  CHECK_FALSE(can_answer(app, run.task));
  auto const event = app.events().back();
  CHECK(event.kind == core::EventKind::task_answered);
  CHECK(event.run == run.id);
  CHECK(event.data == R"({"text":"Allow","question":"May I run make?","asked_at":")" + asked_at + R"("})");
  CHECK(app.finish(run).outcome == core::Outcome::succeeded);
}

TEST_CASE("Answer.ToAnEarlierQuestionAllowsNothingElse") {
  TestApp app;
  auto const run = waiting(app);
  service::AnswerRequest const answer{.id = run.task, .text = "Allow", .question = "May I run make?"};
  app.call<&service::answer_task>(answer);
  app.call<&service::ask_permission>({.id = run.task, .text = "May I push?"}, agent(run));
  auto const error = app.error<&service::answer_task>(answer);
  CHECK(error.code == core::Code::kConflict);
  CHECK(error.message == "task #1 asks something else by now; read it again");
  CHECK(app.get(run.task).question->text == "May I push?");
}

TEST_CASE("Answer.ToALiveRunIsNotForRuns") {
  TestApp app;
  auto const run = waiting(app);
  CHECK(app.refusal<&service::answer_task>({.id = run.task, .text = "Allow"}, agent(run)) == "FORBIDDEN");
}

TEST_CASE("Answer.IsRefusedWhereTheAgentHasAskedNothing") {
  TestApp app;
  auto const run = working(app);
  CHECK(app.refusal<&service::answer_task>({.id = run.task, .text = "Allow"}) == "STATUS_CONFLICT");
}

TEST_CASE("Question.OfALiveRunOutlivesEditsNotesAndHeartbeats") {
  TestApp app;
  auto const run = waiting(app);
  app.call<&service::edit_task>({.id = run.task, .priority = service::PriorityName{"high"}, .force = true});
  app.call<&service::note_task>({.id = run.task, .text = "I look at it"});
  app.call<&service::heartbeat>({.id = run.task, .epoch = run.epoch}, agent(run));
  CHECK(app.get(run.task).question);
}

TEST_CASE("Question.OfALiveRunIsTakenBackByItsOwnWordsAlone") {
  TestApp app;
  auto const run = waiting(app);
  app.call<&service::ask_permission>({.id = run.task, .text = "May I run rm?", .withdraw = true}, agent(run));
  CHECK(app.get(run.task).question);
  app.call<&service::ask_permission>({.id = run.task, .text = "May I run make?", .withdraw = true},
                                     agent(run));
  CHECK_FALSE(app.get(run.task).question);
  auto const rev = app.get(run.task).rev;
  app.call<&service::ask_permission>({.id = run.task, .text = "May I run make?", .withdraw = true},
                                     agent(run));
  CHECK(app.get(run.task).rev == rev);
  CHECK(app.get(run.task).stage == core::Stage::active);
}

TEST_CASE("Question.OfALiveRunEndsWithItsHold") {
  struct Ending {
    std::string_view name;
    void (*happens)(TestApp& app, core::Run const& run);
  };
  constexpr std::array kEndings{
      Ending{"it ended", [](TestApp& app, core::Run const& run) { app.finish(run); }},
      Ending{"it failed", [](TestApp& app, core::Run const& run) { app.finish(run, {.exit = {.code = 1}}); }},
      Ending{"it timed out",
             [](TestApp& app, core::Run const& run) {
               app.finish(run, {.stopped_because = core::StopReason::timed_out, .exit = {.signal = 15}});
             }},
      Ending{"it is being killed",
             [](TestApp& app, core::Run const& run) { app.call<&service::kill_task>({.id = run.task}); }},
      Ending{"the task is being moved",
             [](TestApp& app, core::Run const& run) {
               app.call<&service::move_task>({.id = run.task, .status = "backlog", .force = true});
             }},
      Ending{"its claim is being ended",
             [](TestApp& app, core::Run const& run) { app.call<&service::release_task>({.id = run.task}); }},
      Ending{"it was lost",
             [](TestApp& app, core::Run const& run) {
               app.finish(run, {.stopped_because = core::StopReason::lost, .exit = {.signal = 9}});
             }},
  };
  for (auto const& ending : kEndings) {
    CAPTURE(ending.name);
    TestApp app;
    auto const run = waiting(app);
    ending.happens(app, run);
    CHECK_FALSE(app.get(run.task).question);
  }
}

TEST_CASE("Why.NamesTheQuestionOfALiveRun") {
  TestApp app;
  auto const run = waiting(app);
  auto const why = app.call<&service::why_not_running>({.id = run.task});
  CHECK(why.running);
  REQUIRE(why.hindrances.size() == 1);
  CHECK(why.hindrances.front().code == "question");
  CHECK(why.hindrances.front().text == "its agent waits for your answer: May I run make?");
  CHECK(why.hindrances.front().remedy == "answer");
}
