#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "runner/output/event.hpp"

namespace andon::runner {

/// The source of a line in a run log.
namespace stream {
inline constexpr std::string_view kText = "text";      ///< the agent's messages
inline constexpr std::string_view kTool = "tool";      ///< the agent's tool calls
inline constexpr std::string_view kNotice = "notice";  ///< retries, limits and refusals
inline constexpr std::string_view kOut = "stdout";
inline constexpr std::string_view kErr = "stderr";
inline constexpr std::string_view kRaw = "raw";  ///< lines of the agent's protocol without a rule
inline constexpr std::string_view kAndon = "andon";
}  // namespace stream

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
