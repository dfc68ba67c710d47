#include "api/credential_book.hpp"

#include <algorithm>

namespace andon::api {
namespace {

constexpr std::size_t kMostKnown = 10'000;
/// Bounds how long the token of an ended run is known beyond its time.
constexpr core::Duration kEndedKnownFor = std::chrono::minutes{1};

}  // namespace

std::optional<service::Principal> CredentialBook::find(std::string const& hash, core::Instant now) const {
  std::scoped_lock const lock(mutex_);
  auto const found = known_.find(hash);
  if (found == known_.end() || now >= found->second.until) return std::nullopt;
  return found->second.principal;
}

std::uint64_t CredentialBook::generation() const {
  std::scoped_lock const lock(mutex_);
  return generation_;
}

void CredentialBook::learn(std::string const& hash, service::Principal const& principal,
                           std::uint64_t generation, core::Instant now) {
  std::scoped_lock const lock(mutex_);
  if (generation == generation_) keep(hash, principal, now);
}

void CredentialBook::change(std::vector<ChangedCredential> const& changed, core::Instant now) {
  if (changed.empty()) return;
  std::scoped_lock const lock(mutex_);
  ++generation_;
  for (auto const& [hash, principal] : changed) {
    known_.erase(hash);
    if (principal) keep(hash, *principal, now);
  }
}

void CredentialBook::forget(std::vector<ChangedCredential> const& changed) {
  if (changed.empty()) return;
  std::scoped_lock const lock(mutex_);
  ++generation_;
  for (auto const& each : changed) known_.erase(each.hash);
}

void CredentialBook::keep(std::string const& hash, service::Principal const& principal, core::Instant now) {
  if (known_.size() >= kMostKnown) known_.clear();
  auto const until = now + std::min(known_for_, principal.ended ? kEndedKnownFor : known_for_);
  known_.insert_or_assign(hash, Known{principal, std::min(until, principal.expires.value_or(until))});
}

}  // namespace andon::api
