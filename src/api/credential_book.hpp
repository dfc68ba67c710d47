#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "service/access/access.hpp"

namespace andon::api {

/// The principal of a credential after a unit of work.
struct ChangedCredential {
  std::string hash;
  core::Result<service::Principal> principal;
};

/// The principals of credentials. Each is kept in memory after the first read from the store. The book learns
/// every change before its answer is sent, so that no request has to wait for the store. Thread-safe.
class CredentialBook {
 public:
  /// For a store of this process alone.
  CredentialBook() = default;
  /// For a store whose credentials others change too: what is known lasts only so long.
  explicit CredentialBook(core::Duration known_for) : known_for_(known_for) {}

  /// Nothing when the store has to be asked.
  std::optional<service::Principal> find(std::string const& hash, core::Instant now) const;
  /// Rises with every change.
  std::uint64_t generation() const;
  /// Keeps what the store told of a credential. Does nothing when a credential has changed since
  /// `generation`.
  void learn(std::string const& hash, service::Principal const& principal, std::uint64_t generation,
             core::Instant now);
  void change(std::vector<ChangedCredential> const& changed, core::Instant now);
  /// The store has to be asked again for these, because the unit of work that changed them has failed, and
  /// its result may be unknown.
  void forget(std::vector<ChangedCredential> const& changed);

 private:
  struct Known {
    service::Principal principal;
    core::Instant until;
  };
  void keep(std::string const& hash, service::Principal const& principal, core::Instant now);

  static constexpr core::Duration kKnownFor = std::chrono::hours{1};

  /// The time after which a change that was missed has no effect any more.
  core::Duration const known_for_ = kKnownFor;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Known> known_;  ///< guarded by mutex_
  std::uint64_t generation_ = 1;                  ///< guarded by mutex_
};

}  // namespace andon::api
