#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <boost/describe.hpp>

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
BOOST_DESCRIBE_STRUCT(HookMemory, (), (name, is_caller, asked, unanswered, reminded))
inline constexpr std::array kHookMemoryFields{
    core::Field{"name", "Name"}, core::Field{"is_caller", "Without a name"}, core::Field{"asked", "Asked at"},
    core::Field{"unanswered", "Got no answer"}, core::Field{"reminded", "Has reminded"}};
constexpr auto const& fields(HookMemory const*) { return kHookMemoryFields; }

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
