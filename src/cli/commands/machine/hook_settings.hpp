#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "core/error.hpp"

namespace andon::cli {

enum class HookEvent { tool_used, stop, session_end };

/// An event of Claude Code that calls `andon hooks run WORD`.
struct HookRow {
  HookEvent event;
  std::string_view name;  ///< in the settings
  std::string_view word;
  bool has_matcher;  ///< whether its entries name the tools they are for
};
std::span<HookRow const> hook_rows();
std::optional<HookEvent> hook_event_of(std::string_view word);

/// The member `hooks` of the settings. `arguments` follow the event in each command line.
boost::json::object hook_entries(std::string const& arguments);

/// The settings with exactly these hooks of Andon; every other byte stays. Refuses a text that is no JSON
/// object, or whose hooks have another form. An empty text counts as an empty object.
core::Result<std::string> with_hooks(std::string settings, std::string const& arguments);
/// The settings without hooks of Andon, and without the lists that this leaves empty.
core::Result<std::string> without_hooks(std::string settings);

}  // namespace andon::cli
