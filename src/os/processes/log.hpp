#pragma once

#include <string>
#include <string_view>

namespace andon::os {

enum class Level { debug, info, warning, error };

/// Writes one line to stderr: time, level, message, or as the journal wants it where that reads. Control
/// characters are escaped, so that no text can forge a line.
void log(Level level, std::string_view message);
/// Messages below this level are not written; `info` at the start.
void set_log_level(Level lowest);

/// The line without its end, for tests and other sinks.
std::string log_line(std::string_view time, Level level, std::string_view message);
/// The same for the journal, which knows the time itself: a priority as in `<4>`, and the message.
std::string journal_line(Level level, std::string_view message);
/// Whether a file is the stream to the journal that `JOURNAL_STREAM` names as `DEVICE:INODE`.
bool is_journal(int file, std::string_view journal_stream);

}  // namespace andon::os
