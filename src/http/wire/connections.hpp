#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <boost/asio/generic/stream_protocol.hpp>

#include "http/options.hpp"
#include "http/wire/message.hpp"

namespace andon::http {

using Socket = boost::asio::generic::stream_protocol::socket;
using SteadyTime = std::chrono::steady_clock::time_point;

/// An object that holds a socket. It lives while it is in `Connections`. I/O thread only.
class Connection {
 public:
  virtual ~Connection() = default;
  /// The time at which the peer last sent or took a byte of the current exchange; the maximum without one.
  virtual SteadyTime last_progress() const = 0;
  /// The time since which a peer without a valid credential keeps the connection open idle; the maximum for
  /// other connections.
  virtual SteadyTime idle_since() const { return SteadyTime::max(); }
  /// Closes the connection when a deadline has passed.
  virtual void tick(SteadyTime now) = 0;
  /// Closes the connection after the current answer.
  virtual void drain() = 0;
  virtual void close() = 0;
};

/// All connections of the server, counted in total and per peer. Event streams do not count per peer.
class Connections {
 public:
  /// The right to be connected. The destructor returns it.
  class Place {
   public:
    Place() = default;
    Place(Connections& all, std::string peer) : all_(&all), peer_(std::move(peer)) {}
    Place(Place&& other) noexcept : all_(std::exchange(other.all_, nullptr)), peer_(std::move(other.peer_)) {}
    Place& operator=(Place&& other) noexcept {
      std::swap(all_, other.all_);
      peer_.swap(other.peer_);
      return *this;
    }
    ~Place() {
      if (all_) all_->leave(peer_);
    }
    /// Counts in the total only from now on, because event streams have limits of their own.
    void leave_peer() {
      if (all_) all_->leave_peer(std::exchange(peer_, {}));
    }

   private:
    Connections* all_ = nullptr;
    std::string peer_;
  };

  /// The bytes that one connection holds for its peer, as part of the total.
  class Held {
   public:
    explicit Held(Connections& all) : all_(all) {}
    Held(Held const&) = delete;
    Held& operator=(Held const&) = delete;
    ~Held() { set(0); }
    void set(std::size_t bytes) {
      all_.held_ += bytes;
      all_.held_ -= std::exchange(bytes_, bytes);
    }

   private:
    Connections& all_;
    std::size_t bytes_ = 0;
  };

  explicit Connections(Limits const& limits) : limits_(limits) {}

  /// Nothing when there are too many connections. First closes the oldest idle connection without a
  /// credential if that makes room, so that idle connections keep nobody out.
  std::optional<Place> admit(Peer const& peer);
  void add(std::shared_ptr<Connection> connection);
  void remove(Connection const& connection) { open_.erase(&connection); }

  void tick(SteadyTime now);
  void drain();
  void close();
  bool empty() const { return open_.empty(); }
  /// Whether all connections together exceed the limit of held bytes. Then the slowest peers are
  /// disconnected.
  bool is_full() const { return held_ > limits_.held; }
  std::size_t count() const { return total_; }
  /// The bytes that all connections together hold for their peers.
  std::size_t held() const { return held_; }

 private:
  bool has_room(Peer const& peer) const;
  bool close_idle();
  void leave(std::string const& peer);
  void leave_peer(std::string const& peer);
  void close_stalled(SteadyTime now);
  template <class F>
  void each(F const& act);

  Limits const& limits_;
  std::size_t total_ = 0;
  std::size_t held_ = 0;
  std::unordered_map<std::string, std::size_t> by_peer_;
  std::unordered_map<Connection const*, std::shared_ptr<Connection>> open_;
};

}  // namespace andon::http
