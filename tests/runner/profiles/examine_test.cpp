#include "runner/profiles/examine.hpp"

#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/event.hpp"
#include "runner/profiles/profiles.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

/// A directory with one program, `tool`, that understands --old and tells so.
struct Place {
  Place() {
    auto const program = scratch / "tool";
    os::write_file(program, R"(#!/bin/sh
case $1 in
  --version) echo "tool 3.1.4" ;;
  --help) echo "usage: tool [--old] [--oldest=N]" ;;
  status) exit 1 ;;
esac
)");
    REQUIRE(::chmod(program.c_str(), 0700) == 0);
  }
  Examination look(std::string_view more, std::vector<std::string> own = {}) const {
    auto const profile = test::profile_from(
        R"x({"schema":1,"id":"tool","argv":["tool","--old",{"if":"model","then":["--new={model}"]}],"detect":{"version_argv":["--version"],"version_regex":"tool ([0-9.]+)")x" +
        std::string{more} + "}}");
    REQUIRE(profile);
    own.push_back("PATH=" + scratch.path().native() + ":/usr/bin:/bin");
    own.push_back("HOME=" + scratch.path().native());
    return examine(*profile, own);
  }

  test::Scratch scratch;
};

}  // namespace

TEST_CASE("Examine.NamesTheFlagsThatTheHelpDoesNotKnow") {
  Place const place;
  auto const found = place.look("");
  CHECK(found.version == "3.1.4");
  CHECK(found.flags == std::vector<std::string>{"--new", "--old"});
  CHECK(found.unknown_flags == std::vector<std::string>{"--new"});
  CHECK_FALSE(found.ready);
  CHECK_FALSE(found.signed_in);
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0] == "its help does not tell of --new: the profile is for another version of it");
}

TEST_CASE("Examine.EndsItsProgramsWhenItIsStopped") {
  test::Scratch const scratch;
  auto const program = scratch / "tool";
  os::write_file(program, "#!/bin/sh\nexec sleep 600\n");
  REQUIRE(::chmod(program.c_str(), 0700) == 0);
  auto const* const asked = R"({"schema":1,"id":"tool","argv":["tool"],"detect":)";
  os::Event const ending;
  ending.set();
  for (
      auto const* each :
      {R"({"version_argv":["--version"]}})", R"({"must_match":"tool"}})",
       R"({"understood":"no prompt"},"permissions":{"ask":["-a"],"work":["-w"]},"resume_argv":["tool","-r"]})",
       R"({"version_argv":["--version"],"sign_in":{"status_argv":["status"],"how":"sign in"}}})"}) {
    auto const profile = test::profile_from(std::string{asked} + each);
    REQUIRE(profile);
    auto const began = os::SteadyClock::now();
    auto const found = examine(*profile, std::vector{"PATH=" + scratch.path().native() + ":/usr/bin:/bin"},
                               {.time = std::chrono::minutes{5}, .stop = ending.handle()});
    CHECK_FALSE(found.ready);
    CHECK(os::SteadyClock::now() - began < std::chrono::minutes{1});
  }
}

TEST_CASE("Examine.AHiddenFlagIsTrusted") {
  Place const place;
  CHECK(place.look(R"(,"hidden_flags":["--new"])").ready);
}

TEST_CASE("Examine.OneSignOfASignInIsEnough") {
  Place const place;
  std::string_view const rule =
      R"(,"hidden_flags":["--new"],"sign_in":{"env":["TOOL_KEY"],"files":["~/.tool/login"],"status_argv":["status"],"how":"set TOOL_KEY"})";
  auto found = place.look(rule);
  CHECK(found.signed_in == false);
  CHECK(found.problems == std::vector<std::string>{"nobody has signed in to it: set TOOL_KEY"});
  found = place.look(rule, {"TOOL_KEY=x"});
  CHECK(found.signed_in == true);
  CHECK(found.sign == "TOOL_KEY is set");
  CHECK(found.ready);
  std::filesystem::create_directory(place.scratch / ".tool");
  os::write_file(place.scratch / ".tool/login", "secret");
  CHECK(place.look(rule).sign == "~/.tool/login is there");
}

TEST_CASE("Examine.AMissingProgramIsASentenceThatHelps") {
  auto const profile = test::profile_from(
      R"({"schema":1,"id":"x","argv":["no-such-program"],"detect":{"install":"apt install it"}})");
  REQUIRE(profile);
  std::vector<std::string> const own{"PATH=/usr/bin:/bin"};
  auto const found = examine(*profile, own);
  CHECK_FALSE(found.ready);
  CHECK(found.problems ==
        std::vector<std::string>{
            "the program \"no-such-program\" is not on the PATH; get it with: apt install it"});
}

TEST_CASE("Examine.AStartWithAnEmptyPromptTellsWhatTheHelpDoesNot") {
  test::Scratch const scratch;
  auto const program = scratch / "tool";
  os::write_file(program, R"(#!/bin/sh
case "$*" in
  --version) echo "tool 2" ;;
  *--root*) echo "may not be used by root" ;;
  *--bogus*) echo "unknown option" ;;
  *) echo "a standing warning"; echo "no prompt" ;;
esac
)");
  REQUIRE(::chmod(program.c_str(), 0700) == 0);
  auto const look = [&](std::string const& option) {
    auto const profile = test::profile_from(
        R"({"schema":1,"id":"tool","argv":["tool",")" + option +
        R"("],"permissions":{"edit":[],"full":["--root"]},"detect":{"version_argv":["--version"],"understood":"no prompt"},"usage":{"told":"never"},"output":{"kind":"text","noise":["^a standing"]},"failures":[{"regex":"by root","class":"config","remedy":"use the level edit"}]})");
    REQUIRE(profile);
    return examine(*profile, std::vector{"PATH=" + scratch.path().native() + ":/usr/bin:/bin"});
  };
  auto const good = look("--quiet");
  CHECK(good.ready);
  REQUIRE(good.notes.size() == 2);
  CHECK(good.notes[0] ==
        "at the level \"full\" it does not start: may not be used by root; use the level edit");
  CHECK(good.notes[1] == "it never tells its tokens: token budgets do not hold for it");
  CHECK(look("--bogus").problems == std::vector<std::string>{"unknown option"});
}
