#pragma once

#include <map>
#include <set>
#include <string>

#include "runner/output/event.hpp"

namespace andon::runner {

/// Counts the work that a program has begun and not ended: calls of tools, and work in the background such as
/// shells, sub-agents and wake-ups. Its memory is bounded.
class OpenWork {
 public:
  void take(Event const& event);
  bool is_in_tool() const { return !calls_.empty(); }
  /// The work that was open at the last result, and since then, as a sentence; empty for none. Work in the
  /// background that the program stopped counts as open unless the agent went on after that.
  std::string unfinished() const;

 private:
  std::set<std::string> calls_;
  std::map<std::string, std::string> background_;  ///< id → name
  std::map<std::string, std::string> given_up_;    ///< stopped since the agent's last words
  std::size_t open_at_result_ = 0;                 ///< calls of tools
  bool has_ends_ = false;                          ///< the program reports the ends of its tools
};

}  // namespace andon::runner
