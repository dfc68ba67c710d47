#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/actor.hpp"
#include "core/id.hpp"
#include "core/source.hpp"
#include "core/time/time.hpp"
#include "store/contract/tx.hpp"

namespace andon::core {
class TimeZones;
}

namespace andon::service {

/// The most that a caller may do. Single operations allow less.
enum class Role {
  run,     ///< an agent's run: its own task, new tasks, notes
  runner,  ///< a runner on another host: its own runs
  person,  ///< everything but what only the administrator may set
  admin,   ///< everything but what needs a proof from the machine: its commands
  machine  ///< everything: the machine's own user, through the store itself or the server's socket file
};

/// The run a run token stands for.
struct RunScope {
  core::RunId run = 0;
  core::TaskId task = 0;
  core::Epoch epoch = 0;
  std::string board;
  std::string worker;
  bool asks = false;      ///< its worker's level is `ask`: it may ask a person for permissions
  std::string process{};  ///< which process asks, as `Run::process`, where the machine vouches for it
};

/// The caller and its interface. Derived from the credential, never from the request.
struct Caller {
  core::Actor actor;
  Role role = Role::person;
  core::Source source = core::Source::api;
  std::optional<RunScope> run;
  std::int64_t incarnation = 0;  ///< of a runner: which of its starts asks
};

/// The facts about the process that answers contain.
struct Origin {
  std::string incarnation;  ///< of the store's data
  std::string build;        ///< of the page it serves
};

/// The name of a server that has its store for itself.
inline constexpr std::string_view kOnlyServer = "local";

/// One operation in progress: its transaction, the time it happens at, who asked.
struct OperationContext {
  store::Tx& tx;
  core::Instant now;
  Caller const& caller;
  double jitter = 0.5;                           ///< uniform in [0, 1), drawn once per operation
  std::string mutation{};                        ///< the client's mutation id, echoed in events
  std::optional<core::Revision> expected_rev{};  ///< from `If-Match`
  Origin const* origin = nullptr;
  core::TimeZones const* zones = nullptr;
  std::vector<std::string> changed_credentials{};  ///< hashes, noted by whatever adds or changes a token
  std::string_view answered_by = kOnlyServer;      ///< the server of the store that runs it
  /// The machine for which it acts: that server, or for the requests of a runner on another host that runner.
  std::string_view server = kOnlyServer;
  bool made_nothing = false;  ///< set where what was to be created stands already and is the answer
  bool dry_run = false;  ///< set by whatever only shows what it would do: it is answered, nothing is kept
};

/// The engine's own voice inside somebody's operation: the same transaction and time, the actor `system`.
inline OperationContext as_system(OperationContext const& ctx) {
  static Caller const system{{}, Role::admin, core::Source::automation, {}};
  OperationContext out{ctx.tx, ctx.now, system, ctx.jitter, ctx.mutation, {}, ctx.origin};
  out.answered_by = ctx.answered_by;
  out.server = ctx.server;
  return out;
}

/// The name under which the caller holds claims.
inline std::string const& holder(OperationContext const& ctx) { return ctx.caller.actor.name; }
inline bool is_run(OperationContext const& ctx) { return ctx.caller.role == Role::run; }
inline bool is_runner(OperationContext const& ctx) { return ctx.caller.role == Role::runner; }

}  // namespace andon::service
