#include "runner/profiles/sandbox_trial.hpp"

#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>

#include "os/processes/confinement.hpp"
#include "os/processes/own_terminals.hpp"
#include "runner/profiles/profiles.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

std::vector<SandboxTrial> trials_of(Profile const& profile) {
  test::Scratch const scratch;
  auto const home = (scratch / "home").native();
  std::filesystem::create_directories(home);
  std::vector<std::string> const own{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home};
  return try_sandbox(
      profile,
      {.program = "/usr/bin/env", .andon_directory = "/usr/bin", .data = scratch / "home/.local/share/andon"},
      own);
}

SandboxTrial const& trial(std::vector<SandboxTrial> const& trials, std::string_view name) {
  auto const found = std::ranges::find(trials, name, &SandboxTrial::name);
  REQUIRE(found != trials.end());
  return *found;
}

}  // namespace

TEST_CASE("SandboxTrial.OfEveryBuiltInProfileAllowsTheWorkOfAnAgent") {
  ProfileBook const book{"/nowhere"};
  for (auto const* profile : book.profiles()) {
    CAPTURE(profile->id);
    auto const trials = trials_of(*profile);
    CHECK(trials.size() == 4);
    for (auto const& each : trials) {
      CAPTURE(each.name);
      CAPTURE(each.said);
      bool const may_be_refused = each.name == "terminal" && !os::can_have_own_terminals();
      CHECK((each.ok || may_be_refused));
      CHECK((each.hint.empty() || may_be_refused));
    }
  }
}

TEST_CASE("SandboxTrial.NamesTheSettingThatRefusesATerminal") {
  auto profile = test::built_in("claude");
  profile.terminals = Terminals::off;
  auto const trials = trials_of(profile);
  bool const is_closed = os::confinement_version() > 0;
  CHECK(trial(trials, "terminal").ok != is_closed);
  CHECK(trial(trials, "terminal").hint.contains("agent profile \"claude\"") == is_closed);
  CHECK(trial(trials, "commit").ok);
}

TEST_CASE("SandboxTrial.WithoutASandboxHasNoHints") {
  auto profile = test::built_in("claude");
  profile.sandbox = Sandbox::off;
  for (auto const& each : trials_of(profile)) CHECK(each.hint.empty());
}
