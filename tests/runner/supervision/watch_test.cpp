#include "runner/supervision/watch.hpp"

#include <csignal>

#include <doctest/doctest.h>

#include "runner/supervision/stopper.hpp"

using namespace andon;
using namespace andon::runner;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr core::Duration kStart{1'000'000};

WatchLimits limits() {
  return {.lease = seconds{60}, .total = hours{4}, .first_event = seconds{60}, .silence = minutes{20}};
}

}  // namespace

TEST_CASE("Watch.TheLeaseCountsFromTheBeginOfTheLastHeartbeatThatHeld") {
  Watch watch{{.lease = seconds{60}}, kStart};
  watch.note_heartbeat(HeartbeatAnswer::held, kStart + seconds{15});
  watch.note_heartbeat(HeartbeatAnswer::unreachable, kStart + seconds{30});
  CHECK(watch.next() == kStart + seconds{75});
  CHECK_FALSE(watch.verdict(kStart + seconds{74}));
  CHECK(watch.verdict(kStart + seconds{75}) == StopReason::lease_lost);
}

TEST_CASE("Watch.OutputDoesNotRenewTheLease") {
  Watch watch{{.lease = seconds{60}}, kStart};
  watch.progress();
  watch.output(kStart + seconds{59});
  CHECK(watch.verdict(kStart + seconds{60}) == StopReason::lease_lost);
}

TEST_CASE("Watch.TheServersWordIsFinal") {
  Watch watch{limits(), kStart};
  watch.note_heartbeat(HeartbeatAnswer::stale, kStart);
  watch.note_heartbeat(HeartbeatAnswer::held, kStart + seconds{15});
  CHECK(watch.verdict(kStart) == StopReason::stale);
}

TEST_CASE("Watch.WhoHasReportedHasAMomentToEnd") {
  Watch watch{{.lease = hours{5}, .exit = seconds{60}}, kStart};
  watch.note_heartbeat(HeartbeatAnswer::held, kStart);
  CHECK_FALSE(watch.has_reported());
  CHECK_FALSE(watch.verdict(kStart + hours{1}));
  watch.note_heartbeat(HeartbeatAnswer::reported, kStart + hours{1});
  watch.note_heartbeat(HeartbeatAnswer::reported, kStart + hours{1} + seconds{15});
  CHECK(watch.has_reported());
  CHECK(watch.next() == kStart + hours{1} + seconds{60});
  CHECK_FALSE(watch.verdict(kStart + hours{1} + seconds{59}));
  CHECK(watch.verdict(kStart + hours{1} + seconds{60}) == StopReason::reported);
  watch.agent_ended();
  CHECK_FALSE(watch.verdict(kStart + hours{2}));
}

TEST_CASE("Watch.AReportRenewsTheLeaseLikeEveryHeartbeat") {
  Watch watch{{.lease = seconds{60}, .exit = hours{1}}, kStart};
  watch.note_heartbeat(HeartbeatAnswer::reported, kStart + seconds{30});
  CHECK_FALSE(watch.verdict(kStart + seconds{89}));
  CHECK(watch.verdict(kStart + seconds{90}) == StopReason::lease_lost);
}

TEST_CASE("Watch.SilenceInsideAToolCallDoesNotCount") {
  Watch watch{{.lease = hours{5}, .silence = minutes{20}}, kStart};
  watch.progress();
  watch.output(kStart + minutes{1});
  watch.set_in_tool(true);
  CHECK_FALSE(watch.verdict(kStart + hours{1}));
  watch.output(kStart + hours{1});
  watch.set_in_tool(false);
  CHECK_FALSE(watch.verdict(kStart + hours{1} + minutes{19}));
  CHECK(watch.verdict(kStart + hours{1} + minutes{20}) == StopReason::silence);
}

TEST_CASE("Watch.WhoWritesToTheBoardIsNotSilent") {
  Watch watch{{.lease = hours{5}, .silence = minutes{35}}, kStart};
  watch.note_heartbeat(HeartbeatAnswer::held, kStart + minutes{20});
  CHECK(watch.verdict(kStart + minutes{35}) == StopReason::silence);
  watch.note_heartbeat(HeartbeatAnswer::advanced, kStart + minutes{30});
  CHECK_FALSE(watch.verdict(kStart + minutes{64}));
  CHECK(watch.verdict(kStart + minutes{65}) == StopReason::silence);
}

TEST_CASE("Watch.AFrozenAgentsClocksStandButThatOfItsClaim") {
  Watch watch{{.lease = hours{9}, .total = hours{4}, .silence = minutes{20}}, kStart};
  watch.progress();
  CHECK(watch.freeze(kStart + minutes{10}));
  CHECK_FALSE(watch.freeze(kStart + minutes{11}));
  CHECK_FALSE(watch.verdict(kStart + hours{8}));
  CHECK(watch.next() == kStart + hours{9});
  CHECK(watch.verdict(kStart + hours{9}) == StopReason::lease_lost);
  CHECK(watch.thaw(kStart + hours{8}));
  CHECK_FALSE(watch.thaw(kStart + hours{8}));
  CHECK_FALSE(watch.verdict(kStart + hours{8} + minutes{9}));
  CHECK(watch.verdict(kStart + hours{8} + minutes{10}) == StopReason::silence);
}

TEST_CASE("Watch.TheFirstEventHasItsOwnLimit") {
  Watch watch{{.lease = hours{5}, .first_event = seconds{60}}, kStart};
  watch.output(kStart + seconds{50});
  CHECK(watch.verdict(kStart + seconds{60}) == StopReason::no_first_event);
  watch.progress();
  CHECK_FALSE(watch.verdict(kStart + seconds{60}));
}

TEST_CASE("Watch.AfterSleepTheServerGetsAMoment") {
  Watch watch{limits(), kStart};
  watch.progress();
  auto const woken = kStart + hours{1};
  watch.woke(woken);
  CHECK_FALSE(watch.verdict(woken));
  watch.note_heartbeat(HeartbeatAnswer::held, woken);
  CHECK_FALSE(watch.verdict(woken + seconds{59}));
}

TEST_CASE("Stopper.WalksThroughItsSignals") {
  Stopper stopper{{{SIGINT, seconds{4}}, {SIGTERM, seconds{5}}}, seconds{1}};
  CHECK_FALSE(stopper.step(kStart));
  stopper.stop(kStart);
  CHECK(stopper.step(kStart) == SIGINT);
  CHECK_FALSE(stopper.step(kStart + seconds{3}));
  CHECK(stopper.next() == kStart + seconds{4});
  CHECK(stopper.step(kStart + seconds{4}) == SIGTERM);
  stopper.stop(kStart + seconds{5});
  CHECK_FALSE(stopper.step(kStart + seconds{5}));
  CHECK(stopper.step(kStart + seconds{9}) == SIGKILL);
  CHECK_FALSE(stopper.next());
}

TEST_CASE("Stopper.KillDoesNotWaitForPoliteness") {
  Stopper stopper{{{SIGINT, hours{1}}, {SIGKILL, {}}}, seconds{1}};
  stopper.stop(kStart);
  CHECK(stopper.step(kStart) == SIGINT);
  stopper.kill(kStart + seconds{1});
  CHECK(stopper.step(kStart + seconds{1}) == SIGTERM);
  stopper.kill(kStart + seconds{1});
  stopper.stop(kStart + seconds{1});
  CHECK(stopper.step(kStart + seconds{2}) == SIGKILL);
}
