#pragma once

#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::api {

/// A server of the store, as others see it.
struct ServerLine {
  std::string name;
  std::string url;
  std::string version;
  core::Instant started;
  core::Instant seen;
  bool alive = false;
  bool leads = false;
  bool own = false;
};
void describe(auto& field, ServerLine const*) {
  field(&ServerLine::name, "name", "Its name among the servers of the store", core::always);
  field(&ServerLine::url, "url", "Address that it listens on");
  field(&ServerLine::version, "version", "Version of its program", core::always);
  field(&ServerLine::started, "started", "When it started", core::always);
  field(&ServerLine::seen, "seen", "Its last heartbeat", core::always);
  field(&ServerLine::alive, "alive", "Whether the heartbeat is younger than ten seconds", core::always);
  field(&ServerLine::leads, "leads", "Whether it runs automations, sweeps and landing", core::always);
  field(&ServerLine::own, "own", "Whether it is the server that answers", core::always);
}

/// Tells whether this server can do its work.
struct Readiness {
  std::string status;
  std::string store;
  std::string server;
  std::string reason;
  std::vector<ServerLine> servers;
  bool is_ready() const { return status == "ok"; }
};
void describe(auto& field, Readiness const*) {
  field(&Readiness::status, "status", "`ok`, or `unavailable` while the store does not answer", core::always);
  field(&Readiness::store, "store",
        "`own` for a store of this server alone, `shared` for one of many servers", core::always);
  field(&Readiness::server, "server", "Name of this server", core::always);
  field(&Readiness::reason, "reason", "Why the store does not answer");
  field(&Readiness::servers, "servers", "The servers of a shared store that were heard of today");
}

}  // namespace andon::api
