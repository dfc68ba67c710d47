#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>

#include "mcp/protocol/features.hpp"

namespace andon::mcp {

/// A client that is told of changes. Its functions are called on any thread.
struct Subscriber {
  std::function<void(std::string_view method, json::object params, std::string const& place)> tell;
  std::function<bool()> is_open;
  std::function<Filter()> filter;
  std::shared_ptr<Features> features;
  std::string place;  ///< in the history; what changes after it is told
};

/// The clients that are told of changes. Thread-safe.
class Subscriptions {
 public:
  void add(Subscriber subscriber);
  /// Looks for changes and tells them, without waiting for the answers. Without news, only those who are new
  /// or whose last look failed are looked after.
  void step(bool has_news);
  bool empty() const;

 private:
  struct Entry;

  mutable std::mutex mutex_;
  std::list<std::shared_ptr<Entry>> entries_;
};

}  // namespace andon::mcp
