#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/time/time.hpp"
#include "reflect/yaml.hpp"

namespace andon::store::markdown {

/// A text as the value of a key, written as go-yaml v3 writes it, which kanban-md uses. The style is plain,
/// quoted, or a block of lines with four blanks in front. A block begins with its `|` and has no last line
/// end.
std::string yaml_text(std::string_view text);
/// A text inside `[` and `]`, where more characters need quotes and the text must stay on one line.
std::string yaml_item(std::string_view text);
/// Whether a value stands for no value.
bool is_yaml_null(reflect::YamlNode const& node);
/// The meaning of a word where true or false is expected, as go-yaml v3 reads it.
std::optional<bool> yaml_flag(std::string_view word);
/// RFC 3339 with as few digits of the second as the time needs: `2026-11-21T08:00:00.25Z`.
std::string yaml_time(core::Instant at);

}  // namespace andon::store::markdown
