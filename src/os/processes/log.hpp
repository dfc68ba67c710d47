#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace andon::os {

enum class Level { debug, info, warning, error };

/// Writes one line to stderr: time, level and message, or the journal's format if stderr is the journal.
/// Control characters are escaped, so that no text can forge a line.
void log(Level level, std::string_view message);
/// Messages below this level are dropped. The initial level is `info`.
void set_log_level(Level lowest);
/// Whether messages of a level are written, for callers whose messages cost something to make.
bool is_logged(Level level);
/// The level with the name `debug`, `info`, `warning` or `error`.
std::optional<Level> level_named(std::string_view name);

/// The line without its newline, for tests and other sinks.
std::string log_line(std::string_view time, Level level, std::string_view message);
/// Like `log_line`, for the journal, which adds the time: a priority such as `<4>`, and the message.
std::string journal_line(Level level, std::string_view message);
/// Whether a file is the stream to the journal that `JOURNAL_STREAM` names as `DEVICE:INODE`.
bool is_journal(int file, std::string_view journal_stream);

}  // namespace andon::os
