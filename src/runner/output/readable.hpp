#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "runner/output/event.hpp"

namespace andon::runner {

/// Where a line of a run log comes from.
namespace stream {
inline constexpr std::string_view kText = "text";      ///< what the agent says
inline constexpr std::string_view kTool = "tool";      ///< what it does
inline constexpr std::string_view kNotice = "notice";  ///< what happens to it: retries, limits, refusals
inline constexpr std::string_view kOut = "stdout";
inline constexpr std::string_view kErr = "stderr";
inline constexpr std::string_view kRaw = "raw";  ///< lines of its protocol without a rule
inline constexpr std::string_view kAndon = "andon";
}  // namespace stream

/// Takes one line for people.
using OnLine = std::function<void(std::string_view stream, std::string_view text)>;

/// Tells events as lines that people read. Text that arrives in pieces appears line by line, and is not told
/// again when the whole arrives.
class Readable {
 public:
  void tell(Event const& event, OnLine const& on_line);
  /// Tells what is still held back.
  void finish(OnLine const& on_line);

 private:
  void tell_text(Event const& event, OnLine const& on_line);
  void tell_pieces(std::string_view piece, OnLine const& on_line);
  void tell_whole(std::string_view whole, OnLine const& on_line);
  void tell_failure(Event const& event, OnLine const& on_line);
  void tell_tool_end(Event const& event, OnLine const& on_line);

  std::string told_;     ///< of the pieces since the last whole text
  std::string model_;    ///< last told
  std::string pending_;  ///< begin of a line whose end has not come
};

}  // namespace andon::runner
