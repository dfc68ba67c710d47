#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "mcp/http_exchange.hpp"

namespace andon::mcp {

/// The sessions of clients of the older form. Each is good for the credential that opened it, and ends after
/// a day without use. Where there are too many, the one that was not used for longest ends. Thread-safe.
class HttpSessions {
 public:
  /// The clock outlives it.
  explicit HttpSessions(os::Clock const& clock) : clock_(clock) {}
  ~HttpSessions();
  HttpSessions(HttpSessions const&) = delete;
  HttpSessions& operator=(HttpSessions const&) = delete;

  /// Returns the id of a new session.
  std::pair<std::string, std::shared_ptr<HttpSession>> open(std::string const& credential);
  /// Null where there is none of this credential.
  std::shared_ptr<HttpSession> find(std::string_view id, std::string const& credential);
  bool end(std::string_view id, std::string const& credential);
  /// Ends waits for clients that do not answer.
  void step();

 private:
  struct Entry {
    std::shared_ptr<HttpSession> session;
    core::Duration used{};
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  /// The session that makes room for another one of the credential; the end where there is room.
  Entries::iterator oldest(std::string const& credential);

  os::Clock const& clock_;
  std::mutex mutex_;
  Entries entries_;
};

}  // namespace andon::mcp
