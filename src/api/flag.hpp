#pragma once

#include <optional>
#include <string_view>

namespace andon::api {

enum class Takes { nothing, value, list };

/// The use of a flag's value.
enum class FlagKind {
  field,       ///< it is the field's value
  file,        ///< it names a file, or `-` for the standard input, whose text is the field's value
  text,        ///< it is the field's value, `-` for the standard input
  json_value,  ///< JSON, or a file that holds it
  clears,      ///< the field becomes null
  blanks,      ///< the field becomes an empty text
  handled,     ///< the command's own work looks at it
};

/// A flag of a command that differs from the field it fills, or fills none. The other flags are derived from
/// the fields of the request.
struct Flag {
  std::string_view name;     ///< without the dashes
  char letter = 0;           ///< its shorthand; none when 0
  std::string_view field{};  ///< the field of its own name when empty
  FlagKind kind = FlagKind::field;
  std::optional<Takes> takes{};  ///< when absent: what the field takes, a value where it fills none
  std::string_view help{};       ///< the field's help when empty; the kind adds from where it is read
};

}  // namespace andon::api
