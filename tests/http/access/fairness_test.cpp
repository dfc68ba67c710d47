#include <future>
#include <latch>

#include <doctest/doctest.h>

#include "http/access/credentials.hpp"
#include "http/server/running_server.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// Occupies every thread for slow reads until it goes.
class SlowThreads {
 public:
  explicit SlowThreads(RunningServer& server) {
    auto const busy = std::make_shared<std::latch>(kThreads);
    for (int n = 0; n < kThreads; ++n)
      server.executor().on_reader(
          [busy, gate = opened_] {
            busy->count_down();
            gate.wait();
          },
          "another", api::Reading::slow);
    busy->wait();
  }
  ~SlowThreads() { open(); }
  void open() {
    if (!std::exchange(is_open_, true)) gate_.set_value();
  }

 private:
  static constexpr int kThreads = 2;

  std::promise<void> gate_;
  std::shared_future<void> opened_ = gate_.get_future().share();
  bool is_open_ = false;
};

}  // namespace

TEST_CASE("Fairness.BriefReadsAndWritesAreAnsweredWhileAllSlowReadersAreBusy") {
  RunningServer server;
  auto const task = server.add_task("One");
  SlowThreads busy{server};
  auto const run = server.add_run();
  server.add_token(core::TokenKind::run, "agent", run, task, 1);
  CHECK(server.call("GET", "/api/v1/boards").status == 200);
  CHECK(server.call("GET", "/api/v1/tasks/" + std::to_string(task)).status == 200);
  CHECK(server.call("GET", "/api/v1/boards", {}, {RunningServer::bearer("a-person")}).status == 200);
  CHECK(server.call("POST", "/api/v1/tasks/" + std::to_string(task) + "/note", R"({"text":"x"})").status ==
        200);
}

TEST_CASE("Fairness.ACredentialHasOnlySoManySlowReadsUnderWay") {
  RunningServer server;
  SlowThreads busy{server};
  std::vector<Wire> wires;
  for (int n = 0; n < 8; ++n) {
    wires.emplace_back(server.port());
    wires.back().send(server.text("GET", "/api/v1/search?q=cart"));
  }
  CHECK(
      eventually([&] { return server.call("GET", "/metrics").body.contains("andon_reads_in_flight 8\n"); }));
  auto refused = server.call("GET", "/api/v1/search?q=cart");
  CHECK(refused.status == 429);
  CHECK(member(refused.body, "code") == "RATE_LIMITED");
  CHECK(refused.headers["retry-after"] == "1");
  CHECK(server.call("GET", "/api/v1/boards").status == 200);
  busy.open();
  for (auto& wire : wires) CHECK(wire.answer().status == 200);
  CHECK(eventually([&] { return server.call("GET", "/api/v1/search?q=cart").status == 200; }));
}

TEST_CASE("Fairness.ARevokedTokenIsRefusedWhileAllSlowReadersAreBusy") {
  RunningServer server;
  SlowThreads busy{server};
  CHECK(server.call("GET", "/api/v1/boards", {}, {RunningServer::bearer("a-person")}).status == 200);
  server.revoke("a-person");
  CHECK(server.call("GET", "/api/v1/boards", {}, {RunningServer::bearer("a-person")}).status == 401);
}

TEST_CASE("Fairness.CredentialsAreKnownWithoutTheStore") {
  RunningServer server;
  server.add_token(core::TokenKind::person, "new");
  auto const found = server.executor().principal(http::hash_of("new"));
  REQUIRE(found);
  CHECK(found->caller.role == service::Role::person);
  server.revoke("new");
  CHECK_FALSE(server.executor().principal(http::hash_of("new")));
}

TEST_CASE("Fairness.TheTokenOfARunIsKnownToHaveEnded") {
  RunningServer server;
  server.add_token(core::TokenKind::run, "agent", 1, 1, 1);
  server.end_run("agent");
  auto const found = server.executor().principal(http::hash_of("agent"));
  REQUIRE(found);
  CHECK(found->ended);
}
