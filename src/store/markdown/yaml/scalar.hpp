#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/time/time.hpp"
#include "reflect/yaml.hpp"

namespace andon::store::markdown {

/// How go-yaml v3, with which kanban-md writes these files, writes a text as the value of a key: plain, in
/// quotes, or as a block of lines with four blanks in front. A block begins with its `|`; it has no last line
/// end.
std::string yaml_text(std::string_view text);
/// The same inside `[` and `]`, where more marks need quotes and everything stands on one line.
std::string yaml_item(std::string_view text);
/// A value that stands for none.
bool is_yaml_null(reflect::YamlNode const& node);
/// What a word says where yes or no is wanted, as go-yaml v3 reads it.
std::optional<bool> yaml_flag(std::string_view word);
/// RFC 3339 with as many digits as it takes: `2026-11-21T08:00:00.25Z`.
std::string yaml_time(core::Instant at);

}  // namespace andon::store::markdown
