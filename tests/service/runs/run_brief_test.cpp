#include "service/runs/run_brief.hpp"

#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using test::agent;
using test::House;
using test::on;

namespace {

core::Result<service::RunBrief> brief(House& house, std::string worker = {},
                                      service::Caller const& caller = test::ann(), std::string id = "1") {
  core::Result<service::RunBrief> out = core::refuse(core::Code::kInternalError, "not asked");
  house.executor.read(
      [&](service::Unit& u) { out = service::prompt_of(u, {service::TaskRef{id}, std::move(worker)}); },
      caller);
  return out;
}

std::string text_of(std::vector<std::string> const& feedback) {
  std::string out;
  for (auto const& one : feedback) out += one + "\n";
  return out;
}

}  // namespace

TEST_CASE("Brief.IsForWhoeverWouldGetTheTask") {
  House house;
  house.add_worker("any", R"("takes_unassigned":true)");
  house.add_worker("dev", R"("role":"coder")");
  house.create("Open", R"("status":"todo")");
  house.create("For coders", R"("status":"todo","role":"coder")");
  house.create("For a person", R"("status":"todo","assignee":"ann")");
  CHECK(brief(house)->worker.name == "any");
  CHECK(brief(house, "dev")->worker.name == "dev");
  CHECK(brief(house, "", test::ann(), "2")->worker.name == "dev");
  CHECK(brief(house, "", test::ann(), "3").error().field == "worker");
  CHECK(brief(house, "nobody").error().field == "worker");
  CHECK(brief(house)->task.attempt == 1);
}

TEST_CASE("Brief.ARunSeesOnlyThoseOfItsOwnWorker") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.add_worker("qa");
  house.create("Task", R"("status":"todo")");
  auto const run = house.start("dev");
  CHECK(brief(house, "", agent(run))->worker.name == "dev");
  CHECK(brief(house, "", agent(run))->task.attempt == 1);
  CHECK(brief(house, "qa", agent(run)).error().code == core::Code::kForbidden);
}

TEST_CASE("Brief.TellsHowEarlierAttemptsEndedWhatReviewersSaidAndNotes") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.create("Task", R"("status":"todo")");
  auto run = house.start("dev");
  house.answer("add_note", on(1, R"("text":"mind the cache")"));
  house.clock.advance(std::chrono::seconds{1});
  house.finish(run, R"("has_result":true,"result_is_error":true,"result":"cannot build","exit":{"code":1})");
  house.clock.advance(std::chrono::hours{2});
  run = house.start("dev");
  auto const text = text_of(brief(house)->feedback);
  CHECK(text.find("mind the cache") < text.find("Attempt 1 by dev failed: cannot build"));
  CHECK(text.find("cannot build") == text.rfind("cannot build"));
  CHECK(text.find("{") == std::string::npos);
}

TEST_CASE("Brief.TellsOfWorkBesideIt") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.create("Other", R"("status":"todo","touches":["src/**"])");
  house.start("dev");
  house.create("Task", R"("status":"todo","assignee":"dev")");
  auto const beside = brief(house, "", test::ann(), "2")->beside;
  REQUIRE(beside.size() == 1);
  CHECK(beside[0].title == "Other");
  CHECK(brief(house)->beside.empty());
}

TEST_CASE("Brief.NamesTheConversationThatGoesOn") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true,"conversation":"task")");
  house.create("Task", R"("status":"todo")");
  CHECK_FALSE(brief(house)->earlier);
  auto const run = house.start("dev");
  house.finish(run, R"("exit":{"code":1},"session":"s-1","usage":{"input":280,"output":42})");
  auto const earlier = brief(house)->earlier;
  REQUIRE(earlier);
  CHECK(earlier->run == run.id);
  CHECK(earlier->session == "s-1");
  CHECK(earlier->used.input == 280);
  house.answer("edit_worker", R"({"name":"dev","conversation":"fresh"})");
  CHECK_FALSE(brief(house)->earlier);
}

TEST_CASE("Brief.HoldsTheAnswerToWhatTheAgentAsked") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.create("Task", R"("status":"todo")");
  auto const run = house.start("dev");
  house.answer("block_task", on(1, R"("reason":"Which colour?","choices":["red","blue"])"), agent(run));
  house.finish(run);
  auto const asked = house.stored(1).question;
  REQUIRE(asked);
  CHECK(asked->asked_by == "worker:dev");
  CHECK(asked->choices == std::vector<std::string>{"red", "blue"});
  house.answer("answer_task", on(1, R"("text":"blue")"));
  CHECK(house.get(1).stage == core::Stage::ready);
  CHECK(text_of(brief(house)->feedback).contains("Question: Which colour?\nAnswer by user:ann: blue"));
}
