#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace andon::reflect {

enum class YamlQuotes { none, single_quotes, double_quotes };

/// The text of a scalar that is no block, by YAML 1.2.2 §7.3: `bytes` are those between its quotes. Lines are
/// folded; only `\n`, `\r\n` and `\r` end a line. Between single quotes the blanks behind U+2028 and U+2029
/// are no text, because go-yaml indents there. Nothing for an escape that says no character.
std::optional<std::string> text_of_scalar(std::string_view bytes, YamlQuotes quotes);

}  // namespace andon::reflect
