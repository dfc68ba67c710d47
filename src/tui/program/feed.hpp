#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "tui/model/messages.hpp"

namespace andon::tui {

/// Reads a server's stream of a board line by line (server-sent events, docs/reference and interfaces: `ops`
/// batches, `reset`, `bye`).
class FeedReader {
 public:
  /// The result of a line: changes that it completed, or the need for a fresh snapshot.
  struct Step {
    std::optional<BoardChanged> changes{};
    bool is_reset = false;
  };
  Step take(std::string_view line);
  /// The place in the stream at which the next connection continues.
  std::string const& cursor() const { return cursor_; }
  void begin_at(std::string cursor) { cursor_ = std::move(cursor); }

 private:
  Step finish();
  void apply(boost::json::object const& op, BoardChanged& out);
  void apply_worker(boost::json::object const& op, BoardChanged& out);

  std::string cursor_;
  std::string event_;
  std::string data_;
  std::string id_;
  std::map<std::string, boost::json::object> workers_;  ///< as sent so far: later ops tell what differs
};

}  // namespace andon::tui
