#pragma once

#include "core/model/runner.hpp"
#include "service/requests.hpp"

namespace andon::core {
struct Run;
}

namespace andon::service {

// Runners on other hosts. Each has a token of its own, registers when its program starts, reports all the
// time, and takes work as the runner of a server does.

/// The version of what runners and servers say to each other. Both must have the same.
inline constexpr int kRunnerProtocol = 1;

/// A runner for people.
struct RunnerView : core::Runner {
  core::RunnerStatus status;
  bool alive = false;
  bool own = false;
  std::int64_t running = 0;
};
void describe(auto& field, RunnerView const*) {
  describe(field, static_cast<core::Runner const*>(nullptr));
  field(&RunnerView::status, "status", "What it reported last");
  field(&RunnerView::alive, "alive", "Whether it was heard of in the last 30 seconds", core::always);
  field(&RunnerView::own, "own", "Whether it is part of a server", core::set_only);
  field(&RunnerView::running, "running", "Runs that have not ended", core::always);
}

struct Runners {
  std::vector<RunnerView> items;
};
void describe(auto& field, Runners const*) {
  field(&Runners::items, "items", "The runners, by name; those of servers first", core::always);
}

struct AddRunnerRequest {
  std::string name;
  std::string hash;
};
void describe(auto& field, AddRunnerRequest const*) {
  field(&AddRunnerRequest::name, "name", "Name of the runner", core::required);
  field(&AddRunnerRequest::hash, "hash", "SHA-256 of its token, in hex", core::required);
}

struct RunnerRequest {
  std::string name;
};
void describe(auto& field, RunnerRequest const*) {
  field(&RunnerRequest::name, "name", "Name of the runner", core::required);
}

/// A runner whose program starts.
struct RegisterRunnerRequest {
  std::string name;
  int protocol = 0;
  std::string version;
  std::string host;
  std::string place;
  int slots = 1;
  std::vector<std::string> workers;
  std::vector<std::string> roles;
  std::vector<std::string> features;
  int processors = 0;
  std::int64_t memory = 0;
  core::RunId last_run = 0;
};
void describe(auto& field, RegisterRunnerRequest const*) {
  field(&RegisterRunnerRequest::name, "name", "Name of the runner; that of its token when left out");
  field(&RegisterRunnerRequest::protocol, "protocol", "Version of the protocol of runners", core::required);
  field(&RegisterRunnerRequest::version, "version", "Of its program");
  field(&RegisterRunnerRequest::host, "host", "Name of its host", core::required);
  field(&RegisterRunnerRequest::place, "place",
        "Tells its data directory on this boot of the host from every other one", core::required);
  field(&RegisterRunnerRequest::slots, "slots", "Most runs at once", core::required);
  field(&RegisterRunnerRequest::workers, "workers", "Whose work it takes; everybody's when left out");
  field(&RegisterRunnerRequest::roles, "roles", "Roles of workers whose work it takes; all when left out");
  field(&RegisterRunnerRequest::features, "features", "What its kernel can do");
  field(&RegisterRunnerRequest::processors, "processors", "Processors of its host");
  field(&RegisterRunnerRequest::memory, "memory", "Memory of its host, in bytes");
  field(&RegisterRunnerRequest::last_run, "last_run",
        "Highest number of a run that has files there; later runs get higher ones");
}

struct ReportRunnerRequest {
  std::string name;
  double load = 0;
  std::int64_t memory_free = 0;
  std::optional<std::vector<core::RunnerAgent>> agents;
  std::optional<std::vector<core::RunnerRepository>> unusable;
};
void describe(auto& field, ReportRunnerRequest const*) {
  field(&ReportRunnerRequest::name, "name", "Name of the runner; that of its token when left out");
  field(&ReportRunnerRequest::load, "load", "Load average of the last minute");
  field(&ReportRunnerRequest::memory_free, "memory_free", "Memory that programs may take, in bytes");
  field(&ReportRunnerRequest::agents, "agents", "Agent profiles on its host, when they have changed");
  field(&ReportRunnerRequest::unusable, "unusable",
        "Repositories that it cannot work in, when they have changed");
}

core::Result<Runners> list_runners(OperationContext& ctx, NoRequest const&);
/// Makes a runner and stores its token, whose secret the caller made. A revoked runner gets a new token.
core::Result<core::Runner> add_runner(OperationContext& ctx, AddRunnerRequest const& request);
/// Refuses `CONFLICT` while another host that was heard of lately has the name: the token was copied.
core::Result<core::Runner> register_runner(OperationContext& ctx, RegisterRunnerRequest const& request);
core::Result<core::Runner> report_runner(OperationContext& ctx, ReportRunnerRequest const& request);
core::Result<core::Runner> pause_runner(OperationContext& ctx, RunnerRequest const& request);
core::Result<core::Runner> resume_runner(OperationContext& ctx, RunnerRequest const& request);
core::Result<core::Runner> drain_runner(OperationContext& ctx, RunnerRequest const& request);
/// Makes its token worthless and stops its runs.
core::Result<core::Runner> revoke_runner(OperationContext& ctx, RunnerRequest const& request);
/// Forgets a runner that is revoked or was never there.
core::Result<core::Runner> remove_runner(OperationContext& ctx, RunnerRequest const& request);

/// Refuses what another start of the runner asks than the last one. Other callers pass.
core::Result<void> check_incarnation(OperationContext& ctx);
/// Live runs whose runner on another host is gone, or has lost their processes to another boot or copy of it.
/// They end when their leases have, and some time more.
std::vector<core::Run> runs_of_gone_runners(OperationContext& ctx);

}  // namespace andon::service
