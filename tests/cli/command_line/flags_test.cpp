#include "cli/command_line/flags.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "cli/command_line/command.hpp"

using andon::cli::Flag;
using andon::cli::FlagReader;
using andon::cli::GivenFlag;
using andon::cli::Takes;

namespace {

std::vector<Flag> const kFlags{{"limit", 'n', Takes::value, ""},
                               {"reverse", 'r', Takes::nothing, ""},
                               {"quiet", 'q', Takes::nothing, ""},
                               {"tags", 0, Takes::list, ""}};

struct Line {
  std::string flags;  ///< `name=value` each
  std::string words;
  std::string refusal;
};

Line read(std::vector<std::string> arguments) {
  FlagReader reader(arguments, [](std::string_view name, char shorthand) -> Flag const* {
    auto const found = std::ranges::find_if(
        kFlags, [&](Flag const& f) { return name.empty() ? f.shorthand == shorthand : f.name == name; });
    return found == kFlags.end() ? nullptr : &*found;
  });
  Line line;
  std::vector<GivenFlag> given;
  while (!reader.at_end() && line.refusal.empty()) {
    if (reader.at_word())
      line.words += reader.take_word() + ";";
    else if (auto const taken = reader.take_flags(given); !taken)
      line.refusal = taken.error().message;
  }
  for (auto const& flag : given) line.flags += flag.name + "=" + flag.value + ";";
  return line;
}

}  // namespace

TEST_CASE("Flags.TakeValuesAfterAnEqualsSignOrABlank") {
  CHECK(read({"--limit=5"}).flags == "limit=5;");
  CHECK(read({"--limit", "5"}).flags == "limit=5;");
  CHECK(read({"-n5"}).flags == "limit=5;");
  CHECK(read({"-n=5"}).flags == "limit=5;");
  CHECK(read({"-n", "-5"}).flags == "limit=-5;");
}

TEST_CASE("Flags.BundleShorthands") {
  CHECK(read({"-rqn", "5"}).flags == "reverse=true;quiet=true;limit=5;");
  CHECK(read({"--reverse=false"}).flags == "reverse=false;");
}

TEST_CASE("Flags.StandBetweenWordsUntilTwoDashes") {
  auto const line = read({"a", "-r", "b", "--", "--limit", "-n"});
  CHECK(line.flags == "reverse=true;");
  CHECK(line.words == "a;b;--limit;-n;");
  CHECK(read({"-"}).words == "-;");
}

TEST_CASE("Flags.ListsAreRepeatedAndSplitAsOneRecord") {
  CHECK(read({"--tags", "a,b", "--tags=c"}).flags == "tags=a;tags=b;tags=c;");
  CHECK(read({"--tags", "a, b"}).flags == "tags=a;tags= b;");
  CHECK(read({"--tags", "\"a, b\",\"say \"\"hi\"\"\""}).flags == "tags=a, b;tags=say \"hi\";");
}

TEST_CASE("Flags.ListsMayBeJson") {
  CHECK(read({"--tags", R"(["a,b","c \"d\""])"}).flags == "tags=a,b;tags=c \"d\";");
  CHECK(read({"--tags=[]"}).flags == "tags=[];");
  CHECK(read({"--tags", "[bug],x"}).flags == "tags=[bug];tags=x;");
}

TEST_CASE("Flags.RefuseInTheWordsOfPflag") {
  CHECK(read({"--nope"}).refusal == "unknown flag: --nope");
  CHECK(read({"-rx"}).refusal == "unknown shorthand flag: 'x' in -rx");
  CHECK(read({"--limit"}).refusal == "flag needs an argument: --limit");
  CHECK(read({"-n"}).refusal == "flag needs an argument: 'n' in -n");
  CHECK(read({"--reverse=maybe"}).refusal ==
        "invalid argument \"maybe\" for \"-r, --reverse\" flag: must be true or false");
}

/// A global flag without a value takes the place of a derived one, so such a field needs a flag of its own.
TEST_CASE("Flags.EveryFieldCanBeGivenBesideTheGlobalFlags") {
  using namespace andon;
  for (auto const& command : cli::all_commands({})) {
    if (!command.operation) continue;
    for (auto const& member : command.operation->request->members()) {
      auto const name = cli::flag_name(member.name);
      auto const global = std::ranges::find(cli::global_flags(), name, &Flag::name);
      if (global == cli::global_flags().end() || global->takes != Takes::nothing) continue;
      CAPTURE(command.words);
      CAPTURE(name);
      auto const& listed = command.operation->command.flags;
      CHECK(std::ranges::find(listed, member.name, &api::Flag::field) != listed.end());
    }
  }
}
