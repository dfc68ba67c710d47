#pragma once

#include <span>
#include <string_view>

#include "cli/command_line/command.hpp"

namespace andon::cli {

/// The use of a flag's value.
enum class FlagKind {
  field,       ///< it is the field's value
  file,        ///< it names a file, or `-` for the standard input, whose text is the field's value
  text,        ///< it is the field's value, `-` for the standard input
  json_value,  ///< JSON, or a file that holds it
  clears,      ///< the field becomes null
  blanks,      ///< the field becomes an empty text
  handled,     ///< the command's own work looks at it
  hidden,      ///< there is no such flag: the command's own work sets the field
};

/// A flag that differs from the field it fills, or has a shorthand.
struct FlagOverride {
  void const* operation;  ///< its service function, see `api::of`
  std::string_view flag;
  char shorthand;
  std::string_view field;
  FlagKind how;
  Takes takes;
  std::string_view help;
};
/// The override of a flag of that operation, or null when the flag is a field's own name.
FlagOverride const* find_flag_override(api::Operation const& operation, std::string_view flag);
std::span<FlagOverride const> flag_overrides();

/// An operation whose command does more than call it, or is called differently than its row says.
struct CommandOverride {
  void const* operation;        ///< its service function, see `api::of`
  std::string_view words;       ///< empty: as in the row
  std::string_view positional;  ///< empty: as in the row
  CommandHandler handler;
  std::string_view summary{};  ///< empty: as in the row
};
std::span<CommandOverride const> command_overrides();

}  // namespace andon::cli
