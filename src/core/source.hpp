#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace andon::core {

/// The interface or the part of Andon through which an operation or a task came.
enum class Source {
  api,
  cli,
  tui,
  web,
  mcp,
  worker,  ///< the agent of a run
  runner,
  telegram,
  automation,  ///< of a schedule; as a caller also the engine itself
  import,
  chain,  ///< the task follows from another task
  file,   ///< the task was found in a directory of files
};
inline constexpr std::array<std::string_view, 12> kSourceNames{"api",        "cli",    "tui",    "web",
                                                               "mcp",        "worker", "runner", "telegram",
                                                               "automation", "import", "chain",  "file"};
constexpr auto const& wire_names(Source) { return kSourceNames; }
constexpr std::string_view to_text(Source source) { return kSourceNames[static_cast<std::size_t>(source)]; }

}  // namespace andon::core
