#include <array>
#include <span>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "os/random.hpp"

namespace andon::cli {
namespace {

constexpr std::array<std::string_view, 32> kFirst{
    "amber", "bold",   "brave", "brisk", "calm",   "clear",  "clever", "copper", "cosmic", "crisp", "eager",
    "early", "fair",   "fleet", "fresh", "frosty", "gentle", "golden", "humble", "jolly",  "keen",  "lively",
    "lucky", "mellow", "noble", "proud", "quick",  "quiet",  "silver", "steady", "swift",  "vivid"};
constexpr std::array<std::string_view, 32> kSecond{
    "badger", "beacon", "birch", "canyon",  "cedar",  "comet",   "condor", "coral",
    "crane",  "delta",  "ember", "falcon",  "fern",   "finch",   "harbor", "heron",
    "lark",   "lynx",   "maple", "meadow",  "otter",  "pebble",  "pine",   "raven",
    "reef",   "river",  "robin", "sparrow", "summit", "thistle", "valley", "willow"};

}  // namespace

core::Result<int> run_agent_name(Invocation& in) {
  std::array<unsigned char, 2> jitter{};
  os::random_bytes(std::as_writable_bytes(std::span{jitter}));
  in.screen().print(std::string{kFirst[jitter[0] % kFirst.size()]} + "-" +
                    std::string{kSecond[jitter[1] % kSecond.size()]} + "\n");
  return 0;
}

}  // namespace andon::cli
