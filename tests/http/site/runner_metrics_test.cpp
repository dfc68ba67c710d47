#include "http/site/runner_metrics.hpp"

#include <doctest/doctest.h>

using namespace andon;

TEST_CASE("RunnerMetrics.AreEmptyWithoutRunners") { CHECK(http::metrics_of({}, {}).empty()); }

TEST_CASE("RunnerMetrics.TellStatesAndOfEachRunnerWhatIsKnown") {
  core::Instant const now{std::chrono::seconds{1'000}};
  service::RunnerView build;
  build.name = "build\"1";
  build.alive = true;
  build.slots = 4;
  build.running = 2;
  build.status = {.seen = now - std::chrono::milliseconds{1'500}, .load = 0.25, .memory_free = 1};
  service::RunnerView spare;
  spare.name = "spare";
  spare.state = core::RunnerState::paused;
  auto const text = http::metrics_of({{build, spare}}, now);
  CHECK(text.contains("andon_runners{state=\"active\"} 1\nandon_runners{state=\"paused\"} 1\n"));
  CHECK(text.contains("andon_runner_up{runner=\"build\\\"1\"} 1\nandon_runner_up{runner=\"spare\"} 0\n"));
  CHECK(text.contains("andon_runner_slots{runner=\"build\\\"1\"} 4\n"));
  CHECK(text.contains("andon_runner_running{runner=\"build\\\"1\"} 2\n"));
  CHECK(text.contains("andon_runner_load{runner=\"build\\\"1\"} 0.250\n"));
  CHECK(text.contains("andon_runner_seen_seconds{runner=\"build\\\"1\"} 1.500\n"));
  CHECK_FALSE(text.contains("andon_runner_load{runner=\"spare\"}"));
}

TEST_CASE("WindowMetrics.TellWhatProvidersToldOfTheirWindows") {
  core::Instant const now{std::chrono::seconds{1'000}};
  CHECK(http::window_metrics_of({}, now).empty());
  core::Account claude;
  claude.name = "claude";
  claude.windows = {{.name = "five_hour", .ends = now + std::chrono::seconds{90}, .used = 0.82},
                    {.name = "seven_day", .used = 0.4}};
  core::Account other;
  other.name = "other";
  auto const text = http::window_metrics_of({{claude, other}}, now);
  CHECK(text ==
        "# TYPE andon_account_window_used gauge\n"
        "andon_account_window_used{account=\"claude\",window=\"five_hour\"} 0.820\n"
        "andon_account_window_used{account=\"claude\",window=\"seven_day\"} 0.400\n"
        "# TYPE andon_account_window_ends_seconds gauge\n"
        "andon_account_window_ends_seconds{account=\"claude\",window=\"five_hour\"} 90.000\n");
}
