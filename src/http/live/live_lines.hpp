#pragma once

#include <map>
#include <mutex>
#include <string>

#include "api/call.hpp"
#include "core/model/run.hpp"

namespace andon::http {

/// The last output line of a run, for the card of its task.
struct RunLine {
  std::string board;
  core::TaskId task = 0;
  core::RunId run = 0;
  std::string text;
};

/// The last line of each run at work. The stream sends a line once, and a client that reads the cards later
/// finds it here. Thread-safe.
class LiveLines {
 public:
  /// The lines of a board by task.
  using ByBoard = std::map<std::string, std::map<core::TaskId, std::string>>;

  /// Keeps the lines of the newest runs only.
  void keep(RunLine line);
  /// True when a line came that nobody has taken.
  bool has_new() const;
  /// The lines since the last call, the last one of each task.
  ByBoard take_new();
  /// Writes the lines onto the cards in the answer, where it has cards.
  void fill(api::Answer& answer) const;

 private:
  mutable std::mutex mutex_;
  std::map<core::RunId, std::string> lines_;
  ByBoard new_;
};

}  // namespace andon::http
