#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/time/time.hpp"

namespace andon::store {

/// How a server introduces itself to the others on its store.
struct ServerName {
  std::string name;     ///< unique among the living servers of the store
  std::string url;      ///< for people; may be empty
  std::string version;  ///< of its program
};

/// A server that uses the store, as of its last heartbeat.
struct ServerState {
  ServerName server;
  core::Instant started;  ///< by the clock of the database, as all times here
  core::Instant seen;     ///< the last heartbeat
  bool leads = false;
  bool is_alive = false;  ///< the heartbeat is not old
  bool is_own = false;    ///< it is this process
};

/// The servers that work on one store. One of them leads: it does what only one may do, such as automations
/// and landing. Thread-safe.
class Servers {
 public:
  virtual ~Servers() = default;
  /// Makes this process one of the servers. Throws StoreError{refused} when a living server has the name.
  virtual void join(ServerName const& server) = 0;
  /// Ends the membership at once, so that another server can lead.
  virtual void leave() = 0;
  /// True while this server leads, or has not joined. Another server takes over at most five seconds after
  /// the leader was last heard of, and never while this is true.
  virtual bool leads() const = 0;
  /// The servers that were heard of during the last day, by name.
  virtual std::vector<ServerState> all() = 0;
  /// How far the clock of the database is ahead of the clock of this machine.
  virtual core::Duration clock_offset() const = 0;
};

}  // namespace andon::store
