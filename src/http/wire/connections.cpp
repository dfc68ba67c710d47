#include "http/wire/connections.hpp"

#include <algorithm>
#include <vector>

namespace andon::http {

bool Connections::has_room(Peer const& peer) const {
  auto const found = by_peer_.find(peer.address);
  auto const of_peer = found == by_peer_.end() ? 0 : found->second;
  return total_ < limits_.connections && (peer.is_local || of_peer < limits_.connections_per_peer);
}

bool Connections::close_idle() {
  std::shared_ptr<Connection> oldest;
  auto since = SteadyTime::max();
  for (auto const& [key, connection] : open_)
    if (connection->idle_since() < since) {
      oldest = connection;
      since = connection->idle_since();
    }
  if (oldest) oldest->close();
  return oldest != nullptr;
}

std::optional<Connections::Place> Connections::admit(Peer const& peer) {
  if (!has_room(peer) && !(close_idle() && has_room(peer))) return std::nullopt;
  ++total_;
  ++by_peer_[peer.address];
  return Place{*this, peer.address};
}

void Connections::leave(std::string const& peer) {
  --total_;
  leave_peer(peer);
}

void Connections::leave_peer(std::string const& peer) {
  if (peer.empty()) return;
  auto const found = by_peer_.find(peer);
  if (--found->second == 0) by_peer_.erase(found);
}

void Connections::add(std::shared_ptr<Connection> connection) {
  auto const* key = connection.get();
  open_.emplace(key, std::move(connection));
}

/// Acts on a copy of the list, because a connection may be removed meanwhile.
template <class F>
void Connections::each(F const& act) {
  std::vector<std::shared_ptr<Connection>> all;
  all.reserve(open_.size());
  for (auto const& [key, connection] : open_) all.push_back(connection);
  for (auto const& connection : all) act(*connection);
}

void Connections::tick(SteadyTime now) {
  each([now](Connection& c) { c.tick(now); });
  if (is_full()) close_stalled(now);
}

/// Closes stalled connections until there is room. Those without progress for the longest time go first.
void Connections::close_stalled(SteadyTime now) {
  std::vector<std::shared_ptr<Connection>> stalled;
  for (auto const& [key, connection] : open_)
    if (connection->last_progress() <= now - limits_.stalled_time) stalled.push_back(connection);
  std::ranges::sort(stalled, {}, [](auto const& connection) { return connection->last_progress(); });
  for (auto const& connection : stalled) {
    if (!is_full()) return;
    connection->close();
  }
}

void Connections::drain() {
  each([](Connection& c) { c.drain(); });
}
void Connections::close() {
  each([](Connection& c) { c.close(); });
}

}  // namespace andon::http
