#pragma once

#include <string>
#include <string_view>

namespace andon::os {

enum class Level { debug, info, warning, error };

/// Writes one line to stderr: time, level, message. Control characters are escaped, so that no text can forge
/// a line.
void log(Level level, std::string_view message);
/// Messages below this level are not written; `info` at the start.
void set_log_level(Level lowest);

/// The line without its end, for tests and other sinks.
std::string log_line(std::string_view time, Level level, std::string_view message);

}  // namespace andon::os
