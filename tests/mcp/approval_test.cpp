#include "mcp/tools/approval.hpp"

#include <deque>

#include <doctest/doctest.h>

#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace andon::mcp;
using test::TestApp;

namespace {

struct NeverCancelled : Exchange {
  void notify(std::string_view, json::object) override {}
  void ask(std::string_view, json::object, Respond) override {}
  bool is_cancelled() const override { return false; }
  Session* session() override { return nullptr; }
  std::string principal() const override { return {}; }
};

/// An agent that asks for permissions. Each request waits in a queue of its own until it is let look again.
struct AskingAgent {
  struct Request {
    std::deque<std::move_only_function<void()>> due;
    std::string decision;
  };

  TestApp& app;
  service::Caller caller;

  void ask(Request& request, std::string command) {
    RequestContext context;
    context.exchange = std::make_shared<NeverCancelled>();
    context.later = [&request](core::Duration, auto act) { request.due.push_back(std::move(act)); };
    run_approval([this](api::Call call, api::Reply reply) { reply(app.executor.run(std::move(call))); },
                 caller, {{"tool_name", "Bash"}, {"input", json::object{{"command", command}}}},
                 std::move(context),
                 [&request](Outcome<json::object> result) {
                   auto const& content = result->at("content").at(0).at("text").as_string();
                   request.decision = json::parse(content).at("behavior").as_string();
                 });
  }

  static void look_again(Request& request) {
    auto act = std::move(request.due.front());
    request.due.pop_front();
    act();
  }
};

AskingAgent agent_at_work(TestApp& app) {
  app.add_worker("ada");
  app.create("Task", {.status = "todo", .assignee = "ada"});
  auto caller = test::agent(app.start("ada"));
  caller.run->asks = true;
  return {app, caller};
}

void answer(TestApp& app, std::string_view text) {
  app.clock.advance(std::chrono::milliseconds{1});
  app.call<&service::answer_task>({.id = 1, .text = std::string{text}});
  app.clock.advance(std::chrono::milliseconds{1});
}

}  // namespace

TEST_CASE("Approval.GetsItsOwnAnswerAlsoWhenALaterQuestionWasAnsweredBeforeItLooked") {
  TestApp app;
  auto agent = agent_at_work(app);
  AskingAgent::Request first, second;
  agent.ask(first, "make");
  agent.ask(second, "git push");
  answer(app, "Allow");
  AskingAgent::look_again(second);
  answer(app, "Deny");

  AskingAgent::look_again(first);
  AskingAgent::look_again(second);
  CHECK(first.decision == "allow");
  CHECK(second.decision == "deny");
}

TEST_CASE("Approval.IsNotGivenByTheAnswerToALaterQuestionWithTheSameText") {
  TestApp app;
  auto agent = agent_at_work(app);
  AskingAgent::Request first, second;
  agent.ask(first, "make");
  answer(app, "Deny");
  agent.ask(second, "make");
  answer(app, "Allow");

  AskingAgent::look_again(first);
  AskingAgent::look_again(second);
  CHECK(first.decision == "deny");
  CHECK(second.decision == "allow");
}
