#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/field.hpp"
#include "core/time/time.hpp"
#include "os/files/descriptor.hpp"
#include "runner/output/redact.hpp"

namespace andon::runner {

/// One line of a run's output.
struct LogItem {
  core::Instant at{};
  std::string stream;
  std::string text;
};
void describe(auto& field, LogItem const*) {
  field(&LogItem::at, "at", "When it was written", core::always);
  field(&LogItem::stream, "stream", "text, tool, notice, stdout, stderr, raw or andon", core::always);
  field(&LogItem::text, "text", "The line, without secrets", core::always);
}

/// The log is a sequence of files `output.OFFSET.jsonl`, where OFFSET counts all bytes ever written. The
/// first file is small and always kept; of the others only the newest are kept. So the begin and the end of
/// any output remain.
struct LogLimits {
  std::uint64_t first = 64U << 10U;
  std::uint64_t part = 10U << 20U;
  std::size_t parts = 5;
};

/// The place at which a writer begins. Only the sole writer of a log may go on in its last part.
enum class LogBegin { new_part, last_part };

/// Writes a run's log. A full disk loses lines but never stops the run.
class RunLogWriter {
 public:
  RunLogWriter(std::filesystem::path run_dir, Redactor redactor, LogLimits limits = {},
               LogBegin begin = LogBegin::new_part);

  /// Shortens lines beyond 16 KiB.
  void write(core::Instant at, std::string_view stream, std::string_view text);
  /// Passes the buffered lines to the kernel.
  void flush();
  /// False after bytes could not be written.
  bool is_whole() const { return is_whole_; }

 private:
  void rotate();
  void open_part();

  std::filesystem::path dir_;
  Redactor redactor_;
  LogLimits limits_;
  os::Descriptor file_;
  std::string buffer_;
  std::uint64_t begin_ = 0;    ///< the offset of the current file
  std::uint64_t written_ = 0;  ///< in the current file
  std::uint64_t lost_ = 0;     ///< bytes that could not be written, since the last that could
  bool is_whole_ = true;
};

struct LogPage {
  std::vector<LogItem> items;
  std::string next;   ///< the cursor for the next page; unchanged when there is nothing new
  bool more = false;  ///< whether the next page has lines already
};
/// Reads from the cursor of an earlier page, or from the start with an empty one; about `max_bytes` of log.
/// If the log no longer has that place, an item of the stream `andon` states how much is missing.
LogPage read_log(std::filesystem::path const& run_dir, std::string_view cursor, std::size_t max_bytes);

/// The last readable line, for the card of the task; empty when there is none.
std::string last_line(std::filesystem::path const& run_dir);

}  // namespace andon::runner
