#include "cli/commands/machine/runner_findings.hpp"

#include "cli/views/task_views.hpp"

namespace andon::cli {
namespace {

using service::RunnerView;
using store::Finding;

/// A runner that was heard of once and is silent now, although somebody counts on it.
bool is_missed(RunnerView const& runner) {
  if (runner.alive || !runner.status.seen || runner.state == core::RunnerState::revoked) return false;
  return runner.running > 0 || runner.state == core::RunnerState::active;
}

std::string runs(std::int64_t count) { return std::to_string(count) + (count == 1 ? " run" : " runs"); }

std::string missed(RunnerView const& runner) {
  auto out = "\"" + runner.name + "\" on host \"" + runner.host + "\" was last heard of at " +
             minute_of(*runner.status.seen) + " (UTC)";
  if (runner.running > 0) out += ", and " + runs(runner.running) + " of it have not ended";
  return out + "; start it again with: andon runner. If the host is gone, use: andon runners revoke " +
         runner.name;
}

std::string other_version(RunnerView const& runner, std::string_view version) {
  return "\"" + runner.name + "\" has version " + runner.version + ", this program has " +
         std::string{version} + "; install " + std::string{version} + " on host \"" + runner.host + "\"";
}

void add_problems(RunnerView const& runner, std::vector<Finding>& out) {
  for (auto const& agent : runner.agents)
    if (!agent.problem.empty())
      out.push_back(
          {Finding::Kind::fault, "runners",
           "\"" + runner.name + "\" cannot start the agent \"" + agent.id + "\": " + agent.problem});
  for (auto const& repository : runner.unusable)
    out.push_back({Finding::Kind::fault, "runners",
                   "\"" + runner.name + "\" cannot work in the repository of board \"" + repository.board +
                       "\": " + repository.problem});
}

}  // namespace

std::vector<Finding> runner_findings(service::Runners const& runners, std::string_view version) {
  std::vector<Finding> out;
  int alive = 0;
  int known = 0;
  for (auto const& runner : runners.items) {
    if (runner.own) continue;
    ++known;
    if (is_missed(runner)) out.push_back({Finding::Kind::fault, "runners", missed(runner)});
    if (!runner.alive) continue;
    ++alive;
    if (!runner.version.empty() && runner.version != version)
      out.push_back({Finding::Kind::fault, "runners", other_version(runner, version)});
    add_problems(runner, out);
  }
  if (known > 0)
    out.insert(out.begin(),
               {Finding::Kind::fact, "runners",
                std::to_string(alive) + " of " + std::to_string(known) + " on other hosts are alive"});
  return out;
}

}  // namespace andon::cli
