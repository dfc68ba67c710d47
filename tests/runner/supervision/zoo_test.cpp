#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <doctest/doctest.h>

#include "runner/supervision/supervised_run.hpp"
#include "runner/supervision/sweep.hpp"

using namespace andon;
using namespace andon::runner;
using test::SupervisedRun;

namespace {

/// A program that misbehaves in one way.
struct Species {
  std::string_view program;
  std::size_t processes;  ///< how many say that they are there
  bool stays;             ///< else it ends by itself, whatever is done to it
};
constexpr std::array kZoo{
    Species{"ignores_term", 1, true},       Species{"double_forks", 2, false},
    Species{"setsid_grandchild", 3, true},  Species{"holds_pipe", 2, false},
    Species{"stops_itself", 1, true},       Species{"storms", 1, true},
    Species{"closes_pipes", 1, true},       Species{"floods", 1, true},
    Species{"prints_binary", 0, false},     Species{"hangs", 1, true},
    Species{"exits_at_once", 0, false},     Species{"dies_by_signal", 0, false},
    Species{"changes_title", 1, true},      Species{"moves_away", 0, false},
    Species{"never_reads_stdin", 0, false},
};

/// A way in which a run comes to its end, and what its record says of those that stayed until then.
struct End {
  std::string_view name;
  void (*prepare)(SupervisedRun&);
  void (*act)(SupervisedRun&);
  StopReason reason;
};
constexpr std::array kEnds{
    End{"kill", [](SupervisedRun&) {}, [](SupervisedRun& run) { run.signal(SIGTERM); }, StopReason::killed},
    End{"time limit", [](SupervisedRun& run) { run.spec.limits.total = core::Duration{150}; },
        [](SupervisedRun&) {}, StopReason::total_time},
    End{"lease loss",
        [](SupervisedRun& run) {
          run.spec.limits.lease = core::Duration{150};
          run.answer("unreachable");
        },
        [](SupervisedRun&) {}, StopReason::lease_lost},
    End{"claim of another", [](SupervisedRun&) {}, [](SupervisedRun& run) { run.answer("stale"); },
        StopReason::stale},
};

/// How often each is tried; `ANDON_ZOO_ROUNDS=17` makes about a thousand ends.
int rounds() {
  auto const* text = std::getenv("ANDON_ZOO_ROUNDS");
  std::string_view const digits = text ? text : "1";
  int count = 1;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return count;
}

}  // namespace

TEST_CASE("Zoo.NothingSurvivesAnyEnd") {
  for (int round = 0; round < rounds(); ++round)
    for (auto const& end : kEnds)
      for (auto const& species : kZoo) {
        CAPTURE(end.name);
        CAPTURE(species.program);
        SupervisedRun run{species.program};
        if (species.stays) end.prepare(run);
        run.start();
        run.wait_for(species.processes);
        if (species.stays) end.act(run);
        auto const record = run.end();
        CHECK(run.survivors() == 0);
        CHECK(record.stopped == (species.stays ? std::optional{end.reason} : std::nullopt));
        if (species.stays) CHECK(record.exit->signal.has_value());
      }
}

TEST_CASE("Zoo.NothingSurvivesItsSupervisor") {
  for (int round = 0; round < rounds(); ++round)
    for (auto const& species : kZoo) {
      CAPTURE(species.program);
      SupervisedRun run{species.program};
      run.start();
      run.wait_for(species.processes);
      run.kill_supervisor();
      CHECK(sweep_run(run.target()).is_empty);
      CHECK(run.survivors() == 0);
    }
}

TEST_CASE("Zoo.NobodyElseIsHit") {
  SupervisedRun bystander{"hangs"};
  bystander.start();
  auto const pid = bystander.wait_for(1).front();
  auto const identity = *os::identify(pid);
  for (auto const& species : kZoo) {
    CAPTURE(species.program);
    SupervisedRun run{species.program};
    run.start();
    run.wait_for(species.processes);
    if (species.stays) run.signal(SIGTERM);
    run.end();
    CHECK(os::is_alive(identity));
  }
}
