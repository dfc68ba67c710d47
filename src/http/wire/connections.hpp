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

/// Something that holds a socket. Lives while it is in `Connections`; the I/O thread only.
class Connection {
 public:
  virtual ~Connection() = default;
  /// When the peer last took or sent a byte of what is under way; the end of time when nothing is.
  virtual SteadyTime last_progress() const = 0;
  /// Since when a peer that has shown no valid credential keeps it open for nothing; the end of time for
  /// others.
  virtual SteadyTime idle_since() const { return SteadyTime::max(); }
  /// Closes itself when a deadline has passed.
  virtual void tick(SteadyTime now) = 0;
  /// Ends when what is under way has been answered.
  virtual void drain() = 0;
  virtual void close() = 0;
};

/// All connections of the server, counted in total and, but for event streams, for each peer.
class Connections {
 public:
  /// The right to be connected, given back when it goes.
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
    /// Stays connected but counts in total only: an event stream has limits of its own.
    void leave_peer() {
      if (all_) all_->leave_peer(std::exchange(peer_, {}));
    }

   private:
    Connections* all_ = nullptr;
    std::string peer_;
  };

  /// The bytes that one connection holds for its peer, counted among those of all.
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

  /// Closes the idle connection of a stranger that is open for the longest time where there are too many, so
  /// that idle ones keep nobody out. Nothing when there is none.
  std::optional<Place> admit(Peer const& peer);
  void add(std::shared_ptr<Connection> connection);
  void remove(Connection const& connection) { open_.erase(&connection); }

  void tick(SteadyTime now);
  void drain();
  void close();
  bool empty() const { return open_.empty(); }
  /// Whether all connections together hold as much as they may. The slowest peers are disconnected then.
  bool is_full() const { return held_ > limits_.held; }
  std::size_t count() const { return total_; }

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
