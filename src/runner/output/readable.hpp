#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "api/run_output.hpp"
#include "runner/output/event.hpp"

namespace andon::runner {

/// The source of a line in a run log.
namespace stream = api::stream;

/// Receives one readable line.
using OnLine = std::function<void(std::string_view stream, std::string_view text)>;

/// Turns events into readable lines. Text in pieces appears line by line. The whole text that follows it does
/// not appear again.
class Readable {
 public:
  void tell(Event const& event, OnLine const& on_line);
  /// Passes on the remaining text.
  void finish(OnLine const& on_line);

 private:
  void tell_text(Event const& event, OnLine const& on_line);
  void tell_pieces(std::string_view piece, OnLine const& on_line);
  void tell_whole(std::string_view whole, OnLine const& on_line);
  void tell_failure(Event const& event, OnLine const& on_line);
  void tell_tool_end(Event const& event, OnLine const& on_line);

  std::string printed_;  ///< the pieces since the last whole text
  std::string model_;    ///< the model of the last line about it
  std::string pending_;  ///< the begin of an incomplete line
};

}  // namespace andon::runner
