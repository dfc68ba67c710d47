#include "cli/views/runner_views.hpp"

#include <array>
#include <cstdio>

#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/views/task_views.hpp"
#include "core/model/byte_size.hpp"

namespace andon::cli {
namespace {

/// The state, or the reason why it does not matter now.
std::string state_of(service::RunnerView const& runner) {
  if (runner.state == core::RunnerState::draining && !runner.alive && runner.running == 0) return "drained";
  if (runner.state != core::RunnerState::revoked && !runner.alive)
    return runner.incarnation == 0 ? "never seen" : "gone";
  return std::string{core::kRunnerStateNames.at(static_cast<std::size_t>(runner.state))};
}

/// A server without a limit has no number of slots.
std::string slots_of(service::RunnerView const& runner) {
  auto const running = std::to_string(runner.running);
  return runner.slots > 0 ? running + "/" + std::to_string(runner.slots) : running;
}

std::string load_of(service::RunnerView const& runner) {
  if (!runner.alive || !runner.status.seen) return "";
  std::array<char, 64> text{};
  auto const length = std::snprintf(text.data(), text.size(), "%.2f", runner.status.load);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string memory_of(service::RunnerView const& runner) {
  if (runner.memory <= 0) return "";
  auto const all = core::rounded({runner.memory});
  bool const knows_free = runner.alive && runner.status.memory_free > 0;
  return knows_free ? core::rounded({runner.status.memory_free}) + " of " + all : all;
}

std::string seen_of(service::RunnerView const& runner) {
  return runner.status.seen ? minute_of(*runner.status.seen) : "";
}

std::string line_of(service::RunnerView const& runner) {
  std::string out = runner.name + " [" + state_of(runner) + "]";
  if (!runner.host.empty()) out += " host:" + runner.host;
  out += " slots:" + slots_of(runner);
  if (!runner.version.empty()) out += " version:" + runner.version;
  if (!load_of(runner).empty()) out += " load:" + load_of(runner);
  if (!seen_of(runner).empty()) out += " seen:" + seen_of(runner);
  return out;
}

std::string problems_of(service::RunnerView const& runner) {
  std::string out;
  for (auto const& agent : runner.agents)
    if (!agent.problem.empty())
      out += one_line(runner.name + ": cannot start the agent " + agent.id + ": " + agent.problem) + "\n";
  for (auto const& repository : runner.unusable)
    out += one_line(runner.name + ": cannot work in the repository of board " + repository.board + ": " +
                    repository.problem) +
           "\n";
  return out;
}

}  // namespace

std::string runner_list(service::Runners const& runners, Screen const& screen) {
  Table table({{"NAME", 0, 0},
               {"STATE", 0, 0},
               {"HOST", 0, 32},
               {"SLOTS", 0, 0},
               {"VERSION", 0, 24},
               {"LOAD", 0, 0},
               {"MEMORY", 0, 0},
               {"LAST SEEN", 0, 0}});
  std::string lines;
  std::string problems;
  for (auto const& runner : runners.items) {
    table.add({runner.name, state_of(runner), runner.host, slots_of(runner), runner.version, load_of(runner),
               memory_of(runner), seen_of(runner)});
    lines += one_line(line_of(runner)) + "\n";
    problems += problems_of(runner);
  }
  return (screen.is_compact() ? lines : screen.drawn(table)) + problems;
}

}  // namespace andon::cli
