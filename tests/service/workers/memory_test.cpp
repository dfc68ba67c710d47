#include "service/workers/memory.hpp"

#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using test::agent;
using test::TestApp;

namespace {

/// Runs a question of the memory as somebody.
template <auto F, class Request>
auto ask(TestApp& app, Request const& request, service::Caller const& caller = test::ann()) {
  decltype(F(std::declval<service::OperationContext&>(), request)) answer =
      core::refuse(core::Code::kInternalError, "not asked");
  app.executor.read([&](service::OperationContext& u) { answer = F(u, request); }, caller);
  return answer;
}

service::AddMemoryRequest note(std::string text, std::string topic = {}, std::string worker = {}) {
  return {std::move(text), std::move(topic), std::move(worker)};
}

struct AtWork {
  AtWork() {
    app.add_worker("dev", {.takes_unassigned = true});
    app.add_worker("qa");
    app.create("Task", {.status = "todo", .tags = {"api"}});
    run = app.start("dev");
  }
  TestApp app;
  core::Run run;
};

}  // namespace

TEST_CASE("Memory.ARunAddsToItsOwnWorkersTopicAlone") {
  AtWork at;
  for (auto const& request :
       {note("fact"), note("fact", "own"), note("fact", "workers/dev.md"), note("fact", "", "dev")}) {
    auto const entry = ask<&service::add_memory>(at.app, request, agent(at.run));
    REQUIRE(entry);
    CHECK(entry->topic == "workers/dev.md");
    CHECK(entry->text.ends_with(" #1: fact"));
    CHECK(entry->rolls);
  }
  for (auto const& request : {note("fact", "workers/qa.md"), note("fact", "hosting"), note("fact", "", "qa")})
    CHECK(ask<&service::add_memory>(at.app, request, agent(at.run)).error().code == core::Code::kForbidden);
}

TEST_CASE("Memory.PeopleAddToAnyTopic") {
  AtWork at;
  auto const shared = ask<&service::add_memory>(at.app, note("fact", "team/hosting"));
  REQUIRE(shared);
  CHECK(shared->topic == "team/hosting.md");
  CHECK_FALSE(shared->rolls);
  CHECK(ask<&service::add_memory>(at.app, note("fact", "", "qa"))->topic == "workers/qa.md");
  CHECK(ask<&service::add_memory>(at.app, note("fact")).error().field == "topic");
  CHECK(ask<&service::add_memory>(at.app, note("fact", "a", "qa")).error().field == "topic");
  CHECK(ask<&service::add_memory>(at.app, note("fact", "", "nobody")).error().field == "worker");
}

TEST_CASE("Memory.NamesAndTextsAreChecked") {
  AtWork at;
  for (auto const* topic : {"../token", "a/../b", "/etc/a", ".hidden", "a//b", "a\\b", "a b", "team/"}) {
    CAPTURE(topic);
    CHECK(ask<&service::add_memory>(at.app, note("fact", topic)).error().field == "topic");
    CHECK(ask<&service::show_memory>(at.app, service::MemoryTopicRequest{topic}).error().field == "topic");
  }
  for (auto const& text : {std::string{}, std::string{" \n"}, std::string(2'049, 'x'),
                           std::string{"a\x1b[2J"}, std::string{"a\xFF"}})
    CHECK(ask<&service::add_memory>(at.app, note(text, "a")).error().field == "text");
}

TEST_CASE("Memory.ARunSeesWhatItWasGivenAndPeopleSeeAll") {
  AtWork at;
  auto const own = ask<&service::list_memory>(at.app, service::NoRequest{}, agent(at.run));
  REQUIRE(own);
  CHECK_FALSE(own->sees_all);
  CHECK(own->workers.size() == 1);
  CHECK(own->tags == std::vector<std::string>{"api"});
  auto const all = ask<&service::list_memory>(at.app, service::NoRequest{});
  CHECK(all->workers.size() == 2);
  CHECK(all->sees_all);
  CHECK(ask<&service::show_memory>(at.app, service::MemoryTopicRequest{"own"}, agent(at.run))->topic ==
        "workers/dev.md");
}
