#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The work that a runner on another host may do.
enum class RunnerState {
  active,
  paused,    ///< it starts nothing; its runs go on
  draining,  ///< it starts nothing and ends its program after its last run
  revoked,   ///< its token is worth nothing
};
inline constexpr std::array<std::string_view, 4> kRunnerStateNames{"active", "paused", "draining", "revoked"};
constexpr auto const& wire_names(RunnerState) { return kRunnerStateNames; }

/// An agent profile on the host of a runner.
struct RunnerAgent {
  std::string id;
  std::string version;
  std::string problem;  ///< why no run of it can start there; empty where one can
};
void describe(auto& field, RunnerAgent const*) {
  field(&RunnerAgent::id, "id", "Agent profile", always);
  field(&RunnerAgent::version, "version", "Version of its program");
  field(&RunnerAgent::problem, "problem", "Why no run of it can start there");
}

/// A repository that a runner cannot work in.
struct RunnerRepository {
  std::string board;
  std::string problem;
};
void describe(auto& field, RunnerRepository const*) {
  field(&RunnerRepository::board, "board", "Board of the repository", always);
  field(&RunnerRepository::problem, "problem", "Why the runner cannot work in it", always);
}

/// A runner on another host: a program `andon runner` that takes work from the server.
struct Runner {
  std::string name;
  RunnerState state = RunnerState::active;
  std::int64_t incarnation = 0;  ///< rises with every registration; 0 before the first one
  std::string host;
  std::string place;    ///< tells its data directory on this boot of this host from every other one
  std::string version;  ///< of its program
  int slots = 0;        ///< most runs at once
  std::vector<std::string> workers;  ///< whose work it takes; everybody's when empty
  std::vector<std::string> roles;    ///< of workers whose work it takes; all when empty
  std::vector<RunnerAgent> agents;
  std::vector<RunnerRepository> unusable;
  std::vector<std::string> features;  ///< of its kernel: `landlock`, `cgroup`, `pressure`
  int processors = 0;
  std::int64_t memory = 0;  ///< bytes in all
  std::optional<Instant> registered;
};
void describe(auto& field, Runner const*) {
  field(&Runner::name, "name", "Its name", always);
  field(&Runner::state, "state", "active, paused, draining or revoked", always);
  field(&Runner::incarnation, "incarnation", "Rises with every start of its program", set_only);
  field(&Runner::host, "host", "Name of its host");
  field(&Runner::place, "place", "Tells its data directory on this boot of the host from every other one");
  field(&Runner::version, "version", "Of its program");
  field(&Runner::slots, "slots", "Most runs at once", set_only);
  field(&Runner::workers, "workers", "Whose work it takes; everybody's when left out");
  field(&Runner::roles, "roles", "Roles of workers whose work it takes; all when left out");
  field(&Runner::agents, "agents", "Agent profiles on its host");
  field(&Runner::unusable, "unusable", "Repositories that it cannot work in");
  field(&Runner::features, "features", "What its kernel can do: landlock, cgroup, pressure");
  field(&Runner::processors, "processors", "Processors of its host", set_only);
  field(&Runner::memory, "memory", "Memory of its host, in bytes", set_only);
  field(&Runner::registered, "registered", "When its program started last");
}

/// The state of a runner that it reports all the time.
struct RunnerStatus {
  std::optional<Instant> seen;   ///< the last report
  double load = 0;               ///< the load average of the last minute
  std::int64_t memory_free = 0;  ///< bytes that programs may take
  std::string server;            ///< the one that took the last report
};
void describe(auto& field, RunnerStatus const*) {
  field(&RunnerStatus::seen, "seen", "When it was last heard of");
  field(&RunnerStatus::load, "load", "Load average of the last minute", set_only);
  field(&RunnerStatus::memory_free, "memory_free", "Memory that programs may take, in bytes", set_only);
  field(&RunnerStatus::server, "server", "Server that it speaks to");
}

/// A runner that was not heard of for so long counts as gone.
inline constexpr Duration kRunnerSilence = std::chrono::seconds{30};

}  // namespace andon::core
