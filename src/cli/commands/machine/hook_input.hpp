#pragma once

#include <istream>
#include <optional>
#include <string>

namespace andon::cli {

/// The holder that an agent's own commands name.
struct ToolClaim {
  std::string name;
  bool is_caller = false;  ///< no name was given: the caller of the command holds the claim
};

/// The parts of a hook's input that count. The input is not trusted.
struct HookInput {
  std::string session;
  bool stop_hook_active = false;
  std::optional<ToolClaim> claim;
};

/// Reads all of the input, but looks at most at 1 MiB. Returns nothing for anything else than an object of
/// JSON with a session.
std::optional<HookInput> read_hook_input(std::istream& in);

/// The last claim that a line for the shell takes with `andon` or `kanban-md` as its program.
std::optional<ToolClaim> claim_in_shell_line(std::string_view line);

}  // namespace andon::cli
