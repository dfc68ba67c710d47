#pragma once

#include <string>
#include <string_view>

#include "core/model/worker.hpp"
#include "tui/model/attention.hpp"
#include "tui/screen/style.hpp"

namespace andon::tui {

// The looks of things by what they mean. A mark or a word always says the same as a colour.

inline constexpr Style kStrong{.bold = true};
inline constexpr Style kFaint{.text = Colour::of(242)};
inline constexpr Style kGood{.text = Colour::of(34)};
inline constexpr Style kBad{.text = Colour::of(196), .bold = true};
inline constexpr Style kCalling{.text = Colour::of(214), .bold = true};
inline constexpr Style kLink{.text = Colour::of(39)};
inline constexpr Style kAdded{.text = Colour::of(34)};
inline constexpr Style kRemoved{.text = Colour::of(196)};

/// A worker's light as a character of its own.
constexpr std::string_view light_mark(core::WorkerStatus light) {
  switch (light) {
    case core::WorkerStatus::working: return "●";
    case core::WorkerStatus::silent: return "◐";
    case core::WorkerStatus::stale: return "!";
    case core::WorkerStatus::paused: return "‖";
    case core::WorkerStatus::limited: return "$";
    case core::WorkerStatus::offline: return "×";
    case core::WorkerStatus::idle: break;
  }
  return "○";
}
constexpr Style look_of(core::WorkerStatus light) {
  switch (light) {
    case core::WorkerStatus::working: return kGood;
    case core::WorkerStatus::silent:
    case core::WorkerStatus::limited: return kCalling;
    case core::WorkerStatus::stale: return kBad;
    default: return kFaint;
  }
}
constexpr Style look_of(Call call) { return call == Call::failed || call == Call::silent ? kBad : kCalling; }
Style look_of_stream(std::string_view stream);

/// A line that a program printed: without the control sequences that would colour it (ECMA-48), tabs as
/// blanks, everything else that a terminal would obey made visible.
std::string printed_line(std::string_view text);

}  // namespace andon::tui
