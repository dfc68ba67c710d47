#include <algorithm>
#include <filesystem>
#include <thread>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "runner/profiles/detect.hpp"
#include "runner/profiles/expand.hpp"
#include "runner/profiles/profiles.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

void check_refusal(std::string_view text, std::string_view field) {
  auto const profile = test::profile_from(text);
  REQUIRE_FALSE(profile);
  CHECK(profile.error().field == field);
}

}  // namespace

TEST_CASE("Profile.ErrorsNameTheirPlace") {
  check_refusal(R"({"schema":2,"id":"a"})", "schema");
  check_refusal(R"({"schema":1,"id":"a b"})", "id");
  check_refusal(R"({"schema":1,"id":"a","colour":"red"})", "colour");
  check_refusal(R"({"schema":1,"id":"a","argv":["x","{modle}"]})", "argv/1");
  check_refusal(R"({"schema":1,"id":"a","argv":["x",{"if":"model","than":[]}]})", "argv/1/than");
  check_refusal(R"({"schema":1,"id":"a","argv":["x",{"each":"add_dirs","then":["{item}","{dir}"]}]})",
                "argv/1/then/1");
  check_refusal(R"({"schema":1,"id":"a","argv":["x","{item}"]})", "argv/1");
  check_refusal(R"({"schema":1,"id":"a","output":{"kind":"xml"}})", "output/kind");
  check_refusal(R"({"schema":1,"id":"a","output":{"kind":"text","rules":[{"emit":"usage"}]}})",
                "output/rules/0");
  check_refusal(R"({"schema":1,"id":"a","output":{"kind":"text","rules":[{"regex":"(","emit":"usage"}]}})",
                "output/rules/0/regex");
  check_refusal(
      R"({"schema":1,"id":"a","output":{"kind":"jsonl","rules":[{"when":[{"ptr":"x"}],"emit":"text"}]}})",
      "output/rules/0/when/0/ptr");
  check_refusal(
      R"({"schema":1,"id":"a","output":{"kind":"text","rules":[{"regex":"x","emit":"text","set":{"a":"/b"}}]}})",
      "output/rules/0/set/a");
  check_refusal(R"({"schema":1,"id":"a","stop":[["INT",1],["BOOM",1]]})", "stop/1/0");
  check_refusal(R"({"schema":1,"id":"a","exit":{"300":"ok"}})", "exit/300");
  check_refusal(R"({"schema":1,"id":"a","permissions":{"edit":[]},"mcp":{"pass_at":["edit","ask"]}})",
                "mcp/pass_at/1");
  check_refusal(R"({"schema":1,"id":"a","files":[{"path":"../x","template":"y"}]})", "files/0/path");
  check_refusal(R"({"schema":1,"id":"a","env":{"A":{"yaml":1}}})", "env/A");
}

TEST_CASE("Profile.OnePlaceholderIsOneArgumentWhateverItHolds") {
  auto const profile = test::profile_from(
      R"({"schema":1,"id":"a","argv":["run","--title={task.title}",{"if":"model","then":["-m","{model}"],"else":["-d"]},
          {"each":"add_dirs","then":["-I","{item}"]},"{not a name}"],"env":{"T":"<{task.id}>","J":{"json":{"k":["{model}"]}}},
          "permissions":{"full":["--all"]}})");
  REQUIRE(profile);
  Variables variables;
  variables.texts = {{"task.id", "42"}, {"task.title", "a b; rm -rf $HOME \"{model}\""}, {"prompt", "do it"}};
  variables.lists = {{"add_dirs", {"/x y", "/z"}}};
  auto const plain = expand(*profile, variables, "edit");
  REQUIRE(plain);
  CHECK(plain->argv == std::vector<std::string>{"run", "--title=a b; rm -rf $HOME \"{model}\"", "-d", "-I",
                                                "/x y", "-I", "/z", "{not a name}"});
  CHECK(plain->stdin_text == "do it");
  variables.texts["model"] = "big\"one";
  auto const full = expand(*profile, variables, "full");
  REQUIRE(full);
  CHECK(full->argv.back() == "--all");
  CHECK(full->env[0].second == "{\"k\":[\"big\\\"one\"]}");
  CHECK(full->env[1].second == "<42>");
}

TEST_CASE("Profile.AnArgumentTheKernelWouldRefuseIsRefusedFirst") {
  auto const profile =
      test::profile_from(R"({"schema":1,"id":"a","argv":["run","{prompt}"],"prompt":{"via":"arg"}})");
  REQUIRE(profile);
  Variables variables;
  variables.texts["prompt"] = std::string(131'071, 'x');
  CHECK(expand(*profile, variables, "edit"));
  variables.texts["prompt"] += 'x';
  auto const refused = expand(*profile, variables, "edit");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("131072 bytes") != std::string::npos);
}

TEST_CASE("Profile.ClaudeRunsWithoutAnMcpServer") {
  Variables variables;
  variables.texts = {{"new_session", "u-u"}, {"file.role", "/r/role.md"}, {"prompt", "hi"}};
  auto const fresh = expand(test::built_in("claude"), variables, "edit");
  REQUIRE(fresh);
  for (auto const& argument : fresh->argv) CHECK(argument != "--mcp-config");
  CHECK(fresh->argv[0] == "claude");
  CHECK(fresh->stdin_text == "hi");
  variables.texts["session"] = "old";
  auto const resumed = expand(test::built_in("claude"), variables, "edit");
  REQUIRE(resumed);
  CHECK(std::ranges::find(resumed->argv, "--resume") != resumed->argv.end());
  CHECK(std::ranges::find(resumed->argv, "--session-id") == resumed->argv.end());
}

TEST_CASE("ProfileBook.ABadFileIsReportedAndTheOthersStay") {
  test::Scratch const scratch;
  os::write_file(
      scratch / "a.json",
      R"({"schema":1,"id":"tests","argv":["make","test"],"prompt":{"via":"stdin"},"output":{"kind":"text"}})");
  os::write_file(scratch / "b.json", "{");
  os::write_file(scratch / "c.json", R"({"schema":1,"id":"c","argv":[7]})");
  os::write_file(scratch / "d.json", R"({"schema":1,"id":"d","extends":"nobody"})");
  os::write_file(scratch / "notes.txt", "not a profile");
  ProfileBook const book{scratch.path()};
  REQUIRE(book.find("tests"));
  CHECK(book.find("claude"));
  CHECK_FALSE(book.find("c"));
  REQUIRE(book.problems().size() == 3);
  CHECK(book.problems()[0].file == (scratch / "b.json").native());
  CHECK(book.problems()[1].pointer == "/argv/0");
  CHECK(book.problems()[2].pointer == "/extends");
}

TEST_CASE("Expand.NoValueBecomesAnOption") {
  auto const profile = test::profile_from(
      R"({"schema":1,"id":"p","argv":["p","--model","{model}","{task.title}","{prompt}"]})");
  Variables variables;
  variables.texts = {{"model", "opus"}, {"task.title", "-rf"}, {"prompt", "--do it"}};
  auto const filled = expand(*profile, variables, "edit");
  REQUIRE(filled);
  CHECK(filled->argv == std::vector<std::string>{"p", "--model", "opus", " -rf", " --do it"});
  for (auto const* name : {"-c", "--dangerously-skip-permissions"}) {
    variables.texts["model"] = name;
    auto const refused = expand(*profile, variables, "edit");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find(name) != std::string::npos);
  }
}

TEST_CASE("ProfileBook.ChangedFilesAreReadAgain") {
  test::Scratch const scratch;
  ProfileBook book{scratch.path()};
  CHECK_FALSE(book.reload());
  os::write_file(scratch / "mine.json", R"({"schema":1,"id":"mine","argv":["a"]})");
  CHECK(book.reload());
  REQUIRE(book.find("mine"));
  os::write_file(scratch / "mine.json", R"({"schema":1,"id":"mine","argv":["a","b"]})");
  CHECK(book.reload());
  CHECK(book.find("mine")->argv.size() == 2);
  std::filesystem::remove(scratch / "mine.json");
  CHECK(book.reload());
  CHECK_FALSE(book.find("mine"));
}

TEST_CASE("ProfileBook.AFileThatGoesAwayWhileItIsReadIsNotThere") {
  test::Scratch const scratch;
  std::jthread const others{[&](std::stop_token const& over) {
    while (!over.stop_requested()) {
      os::write_file(scratch / "mine.new", R"({"schema":1,"id":"mine","argv":["a"]})");
      std::filesystem::rename(scratch / "mine.new", scratch / "mine.json");
      std::filesystem::remove(scratch / "mine.json");
    }
  }};
  for (int i = 0; i < 300; ++i) CHECK(ProfileBook{scratch.path()}.problems().empty());
}

TEST_CASE("ProfileBook.AnExtendedProfileKeepsTheRulesOfItsBase") {
  test::Scratch const scratch;
  os::write_file(scratch / "x.json",
                 R"({"schema":1,"id":"x","extends":"claude","argv":["other"],"env":{"MORE":"1"},
    "output":{"rules":[{"when":[{"ptr":"/type","eq":"tool_call"}],"emit":"tool_start"}]}})");
  ProfileBook const book{scratch.path()};
  auto const* profile = book.find("x");
  REQUIRE(profile);
  CHECK(profile->argv.size() == 1);
  CHECK(profile->env.size() == 5);
  CHECK(profile->output.rules.size() == test::built_in("claude").output.rules.size() + 1);
  CHECK(profile->output.rules[0].emit == EventKind::tool_start);
}

TEST_CASE("Detect.TellsWhetherTheProgramIsThere") {
  auto const shell = test::profile_from(
      R"~({"schema":1,"id":"a","argv":["sh"],"detect":{"version_argv":["-c","echo tool 1.2.3"],"version_regex":"tool ([0-9.]+)"}})~");
  REQUIRE(shell);
  auto const found = detect(*shell, "/bin:/usr/bin");
  CHECK(found.found);
  CHECK(found.version == "1.2.3");
  auto const missing = detect(*shell, "/nowhere");
  CHECK_FALSE(missing.found);
  CHECK(missing.problem == "the program \"sh\" is not on the PATH");
  CHECK_FALSE(detect(test::built_in("generic"), "/bin").found);
}

TEST_CASE("Detect.AScriptThatMayNotBeExecutedSaysHowToAllowIt") {
  test::Scratch const place;
  auto const script = (place / "tidy").native();
  auto const tidy = test::profile_from(R"({"schema":1,"id":"a","argv":[")" + script + R"("]})");
  REQUIRE(tidy);
  CHECK(detect(*tidy, "/bin").problem == "the program \"" + script + "\" is not there");
  os::write_file(place / "tidy", "#!/bin/sh\n", 0600);
  CHECK(detect(*tidy, "/bin").problem ==
        "the program \"" + script + "\" may not be executed; allow it with: chmod +x " + script);
}

TEST_CASE("Detect.AProgramThatHangsIsGivenUp") {
  auto const hangs = test::profile_from(
      R"({"schema":1,"id":"a","argv":["sh"],"detect":{"version_argv":["-c","while :; do sleep 60; done"],"version_regex":"."}})");
  REQUIRE(hangs);
  auto const found = detect(*hangs, "/bin:/usr/bin", {.time = core::Duration{50}});
  CHECK(found.found);
  CHECK(found.version.empty());
}
