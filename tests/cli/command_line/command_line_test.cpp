#include <algorithm>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "cli/commands/cli.hpp"

using andon::test::Cli;

TEST_CASE("CommandLine.WithoutACommandIsHelp") {
  Cli cli;
  auto const help = cli({});
  CHECK(help.code == 0);
  CHECK(help.out.contains("Usage:"));
  CHECK(cli({"--version"}).out == "andon version dev\n");
  CHECK(cli({"list", "-v"}).out == "andon version dev\n");
}

TEST_CASE("CommandLine.RefusesWordsThatACommandDoesNotTake") {
  Cli cli;
  for (auto const* command : {"init", "agent-name", "version", "config"})
    CHECK(cli({command, "x"}).err == "Error: accepts 0 arg(s), received 1\n");
}

TEST_CASE("CommandLine.EveryCommandHasHelp") {
  Cli cli;
  for (auto const& command : andon::cli::all_commands({})) {
    std::vector<std::string> words;
    for (std::string_view rest = command.words; !rest.empty();) {
      auto const word = rest.substr(0, rest.find(' '));
      words.emplace_back(word);
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
    words.emplace_back("--help");
    auto const help = cli(words);
    INFO(command.words);
    CHECK(help.code == 0);
    CHECK(help.out.starts_with(command.summary));
    CHECK(help.out.contains("andon " + std::string{command.words}));
  }
}

TEST_CASE("CommandLine.EveryFirstWordOfACommandHasHelp") {
  Cli cli;
  for (auto const& command : andon::cli::all_commands({})) {
    auto const first = std::string{command.words.substr(0, command.words.find(' '))};
    INFO(command.words);
    auto const help = cli({first, "--help"});
    CHECK(help.code == 0);
    CHECK(help.out.contains("Usage:"));
  }
}

TEST_CASE("CommandLine.EverySpellingFillsAFieldThatExists") {
  for (auto const& command : andon::cli::all_commands({})) {
    std::vector<std::string> names;
    for (auto const& flag : andon::cli::flags_of(command)) {
      INFO(command.words << " --" << flag.name);
      CHECK(std::ranges::find(names, flag.name) == names.end());
      CHECK_FALSE(flag.help.empty());
      names.push_back(flag.name);
    }
  }
}

TEST_CASE("CommandLine.SentencesNameOnlyWhatEveryAnswerHas") {
  for (auto const& command : andon::cli::all_commands({})) {
    if (!command.operation) continue;
    auto const says = command.operation->command.says;
    for (auto at = says.find('{'); at != says.npos; at = says.find('{', at + 1)) {
      auto const field = says.substr(at + 1, says.find('}', at) - at - 1);
      INFO(command.words << ": " << field);
      auto const members = command.operation->response->members();
      auto const member = std::ranges::find(members, field, &andon::reflect::Member::name);
      REQUIRE(member != members.end());
      // The act itself sets these three.
      bool const is_set = field == "claimed_by" || field == "claim_expires" || field == "directory";
      CHECK((member->presence != andon::core::Presence::optional || is_set));
    }
  }
}

TEST_CASE("CommandLine.SuggestsWhatWasMeant") {
  Cli cli;
  auto const command = cli({"crate", "x"});
  CHECK(command.code == 1);
  CHECK(command.err == "Error: unknown command \"crate\" for \"andon\"; did you mean \"create\"?\n");
  CHECK(cli({"create", "x", "--priorty", "high"}).err ==
        "Error: unknown flag: --priorty; did you mean --priority?\n");
  CHECK(cli({"workers", "lst"}).code == 1);
}

TEST_CASE("CommandLine.TakesGlobalFlagsAnywhere") {
  Cli cli;
  cli.with_board().with_task("A");
  CHECK(cli({"--json", "list"}).out.starts_with("["));
  CHECK(cli({"boards", "--json", "list"}).out.starts_with("["));
  CHECK(cli({"list", "--board", "shop", "--oneline"}).out == "#1 [backlog/medium] A\n");
  CHECK(cli({"list", "--board", "nowhere", "--json"}).json().at("code") == "BOARD_NOT_FOUND");
}

TEST_CASE("CommandLine.ErrorsAreTextUntilJsonWasRead") {
  Cli cli;
  CHECK(cli({"list", "--nope", "--json"}).code == 1);
  auto const after = cli({"list", "--json", "--nope"});
  CHECK(after.code == 2);
  CHECK(after.json().at("code") == "INTERNAL_ERROR");
  cli.variables["ANDON_OUTPUT"] = "json";
  CHECK(cli({"show", "9"}).json().at("code") == "TASK_NOT_FOUND");
}

TEST_CASE("CommandLine.RefusesTooManyWords") {
  Cli cli;
  CHECK(cli({"show", "1", "2"}).err.contains("accepts at most 1 arg(s), received 2"));
  CHECK(cli({"list", "--limit", "x"}).err.contains("invalid argument \"x\""));
}

TEST_CASE("CommandLine.RunsCommandsOfMain") {
  Cli cli;
  cli.commands.push_back({"serve",
                          "",
                          "Serve.",
                          {{"listen", 0, andon::cli::Takes::value, "Address"}},
                          [](andon::cli::Invocation&) { return andon::core::Result<int>{7}; }});
  CHECK(cli({"serve", "--listen", ":0"}).code == 7);
  CHECK(cli({"help"}).out.contains("serve"));
}

TEST_CASE("Completion.NamesEveryCommand") {
  Cli cli;
  for (auto const* shell : {"bash", "zsh", "fish"}) {
    auto const script = cli({"completion", shell});
    CHECK(script.code == 0);
    CHECK(script.out.contains("heartbeat"));
    CHECK(script.out.contains("group-by"));
  }
  CHECK(cli({"completion", "tcsh"}).code == 1);
}

TEST_CASE("AgentName.IsTwoWords") {
  auto const name = Cli{}({"agent-name"}).out;
  CHECK(name.contains('-'));
  CHECK(name.ends_with('\n'));
}
