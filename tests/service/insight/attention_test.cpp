#include "service/insight/attention.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "core/model/account.hpp"
#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/limits/budgets.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/meter.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;

namespace {

service::AttentionList attention(TestApp& app, service::AttentionRequest const& request = {}) {
  return app.call<&service::list_attention>(request);
}

/// The entries as `kind` and, for a task, its number.
std::string kinds_in(service::AttentionList const& list) {
  std::string out;
  for (auto const& entry : list.items) {
    out += (out.empty() ? "" : " ") + std::string{core::to_text(entry.kind)};
    if (entry.id) out += "#" + std::to_string(*entry.id);
  }
  return out;
}
std::string kinds_of(TestApp& app, service::AttentionRequest const& request = {}) {
  return kinds_in(attention(app, request));
}

core::Run with_agent(TestApp& app, std::string_view title) {
  app.create(title, {.status = "todo", .assignee = "developer"});
  return app.start("developer");
}

void change_task(TestApp& app, core::TaskId id, std::function<void(core::Task&)> const& change) {
  app.executor.write([&](service::OperationContext& u) {
    auto task = *u.tx.task(id);
    change(task);
    task.state.entered = u.now;
    u.tx.put(task);
    return true;
  });
}
void to_review(TestApp& app, core::TaskId id) {
  change_task(app, id, [](core::Task& task) { task.status = "review"; });
}

void change_run(TestApp& app, core::RunId id, std::function<void(core::Run&)> const& change) {
  app.executor.write([&](service::OperationContext& u) {
    auto run = *u.tx.run(id);
    change(run);
    u.tx.put(run);
    return true;
  });
}

std::string fixture() {
  auto const* source = std::getenv("ANDON_SOURCE");
  std::ifstream file{std::string{source ? source : "."} + "/tests/fixtures/attention.json"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("Attention.OfCardsIsWhatThePageSays") {
  auto const cases = boost::json::parse(fixture()).as_array();
  REQUIRE(cases.size() > 20);
  for (auto const& one : cases) {
    auto const card =
        reflect::read_json<service::Card>(boost::json::serialize(one.at("card")), reflect::Unknown::ignore);
    REQUIRE_MESSAGE(card, one.at("is").as_string().c_str());
    auto const kind = service::attention_of(*card);
    CHECK_MESSAGE((kind ? core::to_text(*kind) : "") == std::string_view{one.at("call").as_string()},
                  one.at("is").as_string().c_str());
  }
}

TEST_CASE("Attention.IsEmptyWhereNothingWaits") {
  TestApp app{"flow"};
  app.create("In the backlog");
  app.create("In the queue", {.status = "todo"});
  auto const list = attention(app);
  CHECK(list.items.empty());
  CHECK(list.counts.empty());
  CHECK(!list.more);
}

TEST_CASE("Attention.ListsQuestionsReviewsAndFailuresMostUrgentFirst") {
  TestApp app{"flow"};
  auto const review = app.create("To review");
  auto const asks = app.create("Asks", {.status = "todo"});
  to_review(app, review.id);
  app.call<&service::block_task>({.id = asks.id, .reason = "Which colour?", .choices = {"red", "blue"}});
  auto const failed = app.create("Fails", {.status = "todo"});
  change_task(app, failed.id, [](core::Task& task) {
    task.blocked = true;
    task.block_reason = "exit code 1";
    task.attempt = 3;
  });
  auto const list = attention(app);
  CHECK(list.items.size() == 3);
  CHECK(kinds_in(list) == "question#2 review#1 failed#3");
  CHECK(list.items.back().text == "exit code 1");
  auto const question = std::ranges::find(list.items, std::optional{asks.id}, &service::AttentionEntry::id);
  REQUIRE(question != list.items.end());
  CHECK(question->text == "Which colour?");
  CHECK(question->choices == std::vector<std::string>{"red", "blue"});
  CHECK(question->can == std::vector<std::string>{"answer"});
  CHECK(question->title == "Asks");
  auto const judged = std::ranges::find(list.items, std::optional{review.id}, &service::AttentionEntry::id);
  REQUIRE(judged != list.items.end());
  CHECK(judged->kind == core::AttentionKind::review);
  CHECK(judged->can == std::vector<std::string>{"accept", "reject"});
}

TEST_CASE("Attention.ListsAnAgentThatAsksWhileItWorksAndOneThatIsSilent") {
  TestApp app{"flow"};
  app.add_worker("developer", {.capacity = 2});
  auto const asking = with_agent(app, "Asks");
  auto const quiet = with_agent(app, "Is silent");
  change_run(app, asking.id, [](core::Run& run) { run.state = core::RunState::running; });
  change_task(app, asking.task, [&](core::Task& task) {
    task.question =
        core::Question{"May I?", {"Allow", "Deny"}, "worker:developer", app.clock.now(), asking.id};
  });
  CHECK(kinds_of(app) == "waiting#" + std::to_string(asking.task));
  app.clock.advance(48h);
  auto const list = attention(app);
  CHECK(kinds_in(list) == "waiting#" + std::to_string(asking.task) + " silent#" + std::to_string(quiet.task));
  CHECK(list.items.back().worker == "developer");
}

TEST_CASE("Attention.ListsTheLandingsOfRuns") {
  TestApp app{"flow"};
  app.add_worker("developer");
  auto const asked = with_agent(app, "Exceeds limits");
  app.finish(asked);
  auto const back = with_agent(app, "Comes back");
  app.finish(back);
  auto const mark = [&](core::Run const& of, core::LandingState state, std::string reason) {
    app.executor.write([&](service::OperationContext& u) {
      auto run = *u.tx.run(of.id);
      run.landing = core::Landing{};
      service::mark_landing(u, run, state, std::move(reason));
      return true;
    });
  };
  mark(asked, core::LandingState::asked, "3 files of secrets");
  mark(back, core::LandingState::returned, "conflict in a.ts");
  app.move(back.task, "todo");
  auto const list = attention(app);
  CHECK(list.items.front().kind == core::AttentionKind::landing);
  CHECK(list.items.front().text == "3 files of secrets");
  auto const returned =
      std::ranges::find(list.items, core::AttentionKind::returned, &service::AttentionEntry::kind);
  REQUIRE(returned != list.items.end());
  CHECK(returned->text == "conflict in a.ts");
  mark(back, core::LandingState::landed, "");
  CHECK(!attention(app).counts.contains("returned"));
}

TEST_CASE("Attention.ListsWhatNobodyApproved") {
  TestApp app{"flow"};
  app.add_worker("developer");
  auto const run = with_agent(app, "Makes tasks");
  auto const made = app.create("By an agent", {}, agent(run));
  app.create("By a person");
  auto const list = attention(app);
  CHECK(kinds_in(list) == "approval#" + std::to_string(made.id));
  CHECK(list.items.front().can == std::vector<std::string>{"approve"});
  CHECK(list.items.front().text == "made by worker:developer");
  app.call<&service::approve_task>({.id = made.id});
  CHECK(attention(app).items.empty());
}

TEST_CASE("Attention.ListsSpentBudgetsAndAccountsAndWorkersThatRest") {
  TestApp app{"flow"};
  app.add_worker("developer", {.budget = core::Budget{.day = {.tokens = 10}}});
  app.executor.write([&](service::OperationContext& u) {
    core::Run before, after;
    before.worker = after.worker = "developer";
    after.usage = core::Usage{};
    after.usage->input = 20;
    service::count_spending(u, before, after);
    core::Account account;
    account.name = "shell";
    account.limited_until = u.now + 1h;
    u.tx.set_setting("account.shell", reflect::to_json(account));
    return true;
  });
  app.call<&service::pause_worker>({.name = "developer", .reason = "3 attempts failed at once"});
  auto const list = attention(app);
  CHECK(kinds_in(list) == "budget limit limit");
  CHECK(list.items[0].worker == "developer");
  CHECK(list.items[1].account == "shell");
  CHECK(list.items[1].until.has_value());
  CHECK(list.items[2].text == "paused: 3 attempts failed at once");
  app.call<&service::pause_worker>({.name = "developer"});
  CHECK(kinds_of(app, {.board = app.board}).empty());
}

TEST_CASE("Attention.CoversAllBoardsButArchivedOnes") {
  TestApp app{"flow"};
  app.call<&service::create_board>({.name = "other", .template_ = "flow"});
  auto const here = app.create("Here");
  auto const there = app.create("There", {.board = "other"});
  app.clock.advance(1min);
  to_review(app, there.id);
  app.clock.advance(1min);
  to_review(app, here.id);
  CHECK(kinds_of(app) == "review#" + std::to_string(there.id) + " review#" + std::to_string(here.id));
  CHECK(kinds_of(app, {.board = "other"}) == "review#" + std::to_string(there.id));
  CHECK(attention(app).items.front().board == "other");
  CHECK(app.refusal<&service::list_attention>({.board = "nowhere"}) == "BOARD_NOT_FOUND");
  app.call<&service::edit_board>(board_edit("other", [](auto& edit) { edit.archived = true; }));
  CHECK(kinds_of(app) == "review#" + std::to_string(here.id));
}

TEST_CASE("Attention.IsBoundedAndCountsWhatItLeavesOut") {
  TestApp app{"flow"};
  for (int i = 0; i < 5; ++i) to_review(app, app.create("Task").id);
  auto const list = attention(app, {.limit = 2});
  CHECK(list.items.size() == 2);
  CHECK(list.more);
  CHECK(list.counts.at("review") == 5);
  CHECK(app.refusal<&service::list_attention>({.limit = 0}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::list_attention>({.limit = 501}) == "INVALID_INPUT");
}

TEST_CASE("Attention.IsNotForRuns") {
  TestApp app{"flow"};
  app.add_worker("developer");
  auto const run = with_agent(app, "Task");
  CHECK(app.refusal<&service::list_attention>({}, agent(run)) == "FORBIDDEN");
}

TEST_CASE("Attention.CostsTheSameBesideManyDoneTasks") {
  auto const cost_beside = [](int done) {
    TestApp app{"flow"};
    to_review(app, app.create("To review").id);
    app.executor.write([&](service::OperationContext& u) {
      auto const* board = u.tx.board(app.board);
      for (int i = 0; i < done; ++i) {
        core::Task task;
        task.board = board->name;
        task.title = "Done";
        task.status = "done";
        task.completed = u.now;
        u.tx.add(task);
      }
      return true;
    });
    store::ActCost cost{};
    app.executor.write([&](service::OperationContext& u) {
      store::engine::Meter const meter{u.tx.session(), {}};
      CHECK(service::list_attention(u, {})->items.size() == 1);
      cost = meter.cost({});
      return true;
    });
    return cost;
  };
  auto const small = cost_beside(300), large = cost_beside(3000);
  CHECK(large.steps <= small.steps + 1);
}
