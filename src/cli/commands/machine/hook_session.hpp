#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "cli/command_line/environment.hpp"
#include "core/field.hpp"

namespace andon::cli {

/// The memory of the hooks of one conversation. The file may hold anything; a wrong one counts as empty.
struct HookMemory {
  std::string name;        ///< under which the agent claims
  bool is_caller = false;  ///< the agent claims without a name
  std::int64_t asked = 0;  ///< when the board was asked last, in seconds since 1970
  bool unanswered = false;
  bool reminded = false;
};
void describe(auto& field, HookMemory const*) {
  field(&HookMemory::name, "name", "Name");
  field(&HookMemory::is_caller, "is_caller", "Without a name");
  field(&HookMemory::asked, "asked", "Asked at");
  field(&HookMemory::unanswered, "unanswered", "Got no answer");
  field(&HookMemory::reminded, "reminded", "Has reminded");
}

/// The memory of one session, a file in `andon/hooks` of `$XDG_STATE_HOME` or `~/.local/state`.
class HookSession {
 public:
  /// The session's name is hashed, so any text will do.
  HookSession(Environment const& env, std::string const& session);

  HookMemory load() const;
  /// Whether it was written.
  bool save(HookMemory const& memory) const;
  void forget() const;

 private:
  std::filesystem::path file_;  ///< empty without a place for it
  core::Instant now_;
};

}  // namespace andon::cli
