#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "mcp/protocol/message.hpp"

namespace andon::mcp {

/// The capabilities that a client of the older form declared, and the resources that it watches. Thread-safe.
class Session {
 public:
  /// Notes the handshake of the client, who may ask for anything from then on.
  void begin(json::object capabilities);
  bool has_begun() const;
  json::object capabilities() const;

  /// False when the client watches as many resources as it may.
  bool watch(std::string uri);
  void unwatch(std::string_view uri);
  std::set<std::string, std::less<>> watched() const;

 private:
  mutable std::mutex mutex_;
  bool has_begun_ = false;
  json::object capabilities_;
  std::set<std::string, std::less<>> watched_;
};

/// The most resources that one client or one subscription watches.
inline constexpr std::size_t kMostWatched = 256;

}  // namespace andon::mcp
