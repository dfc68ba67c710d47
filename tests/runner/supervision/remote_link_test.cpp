#include "runner/supervision/remote_link.hpp"

#include <doctest/doctest.h>

#include "support/fake_clock.hpp"

using namespace andon;
using namespace std::chrono_literals;

namespace {

/// A server that takes everything while it is up.
class Server : public api::Transport {
 public:
  core::Result<api::HttpAnswer> call(api::HttpCall const& call) override {
    if (!is_up) return core::refuse(core::Code::kBusy, "connection refused");
    bodies.push_back(call.body);
    return api::HttpAnswer{200, {}, answer};
  }
  core::Result<void> stream(api::HttpCall const&, std::move_only_function<bool(std::string_view)>) override {
    return {};
  }

  bool is_up = true;
  std::string answer = "{}";
  std::vector<std::string> bodies;
};

struct Line {
  void spend(double usd) {
    core::Usage usage;
    usage.cost_usd = usd;
    link.progress({clock.now(), "", "", usage});
  }

  runner::RunSpec spec;
  Server server;
  test::FakeClock clock;
  runner::RemoteLink link{spec, server, clock};
};

}  // namespace

TEST_CASE("RemoteLink.TellsAtOnceWhatMoreWasSpent") {
  Line line;
  line.spend(0.4);
  line.clock.advance(1s);
  line.spend(1.1);
  REQUIRE(line.server.bodies.size() == 2);
  CHECK(line.server.bodies.back().find("\"cost_usd\":1.1") != std::string::npos);
}

TEST_CASE("RemoteLink.TellsOnlyNowAndThenThatItGoesOn") {
  Line line;
  for (int i = 0; i < 12; ++i) {
    line.spend(0.4);
    line.clock.advance(1s);
  }
  CHECK(line.server.bodies.size() == 2);
}

TEST_CASE("RemoteLink.TellsAgainWhatDidNotArrive") {
  Line line;
  line.server.is_up = false;
  line.spend(0.4);
  line.server.is_up = true;
  line.spend(0.4);
  CHECK(line.server.bodies.size() == 1);
}

TEST_CASE("RemoteLink.TellsAHeartbeatSinceWhichTheRunGotOn") {
  Line line;
  using enum runner::HeartbeatAnswer;
  auto const heartbeat = [&](std::string progress) {
    line.server.answer =
        R"({"cancelled":false,"paused":false,"priority":"low","progress":")" + progress + "\"}";
    return line.link.heartbeat();
  };
  CHECK(heartbeat("2026-01-01T00:00:00Z") == held);
  CHECK(heartbeat("2026-01-01T00:00:00Z") == held);
  CHECK(heartbeat("2026-01-01T00:00:10Z") == advanced);
  CHECK(heartbeat("2026-01-01T00:00:10Z") == held);
}
