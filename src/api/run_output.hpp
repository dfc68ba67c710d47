#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/field.hpp"
#include "core/model/run.hpp"
#include "core/time/time.hpp"

namespace andon::api {

/// The source of a line in a run log.
namespace stream {
inline constexpr std::string_view kText = "text";      ///< the agent's messages
inline constexpr std::string_view kTool = "tool";      ///< the agent's tool calls
inline constexpr std::string_view kNotice = "notice";  ///< retries, limits and refusals
inline constexpr std::string_view kOut = "stdout";
inline constexpr std::string_view kErr = "stderr";
inline constexpr std::string_view kRaw = "raw";  ///< lines of the agent's protocol without a rule
inline constexpr std::string_view kAndon = "andon";
}  // namespace stream

/// One line of a run's output.
struct OutputItem {
  core::Instant at{};
  std::string stream;
  std::string text;
};
void describe(auto& field, OutputItem const*) {
  field(&OutputItem::at, "at", "When it was written", core::always);
  field(&OutputItem::stream, "stream", "text, tool, notice, stdout, stderr, raw or andon", core::always);
  field(&OutputItem::text, "text", "The line, without secrets", core::always);
}

struct OutputPage {
  std::vector<OutputItem> items;
  std::string next;
  std::optional<bool> more;
  std::string directory{};
};
void describe(auto& field, OutputPage const*) {
  field(&OutputPage::items, "items", "The lines in order", core::always);
  field(&OutputPage::next, "next", "Where to go on; the same as before when there is nothing new",
        core::always);
  field(&OutputPage::more, "more", "True when more was there already than fits a page");
  field(&OutputPage::directory, "directory",
        "Where the server keeps the files of the log; on the first page, and not for runs");
}

/// Lines of a log on another host, which its runner hands in. On the server's own host the supervisor of a
/// run writes the log, so that no run hands in anything.
struct OutputReport {
  std::vector<OutputItem> items;
  std::string since;
  std::string next;
};
void describe(auto& field, OutputReport const*) {
  field(&OutputReport::items, "items", "The lines in order", core::required);
  field(&OutputReport::since, "since",
        "Where they begin in the log on the host of the run; lines that do not follow the last ones are not "
        "taken",
        core::required);
  field(&OutputReport::next, "next", "Where they end there", core::required);
}

/// Up to where a server has the output of a run on another host.
struct OutputTaken {
  std::string next;
};
void describe(auto& field, OutputTaken const*) {
  field(&OutputTaken::next, "next", "Where to go on", core::always);
}

/// Refuses lines of an unknown stream.
core::Result<void> check_streams(std::vector<OutputItem> const& items);

/// The printed output of runs. Thread-safe. The caller has checked that the run may be seen.
class RunOutput {
 public:
  virtual ~RunOutput() = default;
  /// A page from a cursor of an earlier page, from the start when empty. Refuses a cursor it did not make.
  virtual core::Result<OutputPage> read(core::RunId run, std::string_view since) = 0;
  /// Appends the lines of a log on another host, each once: only those that begin where the last ones ended.
  virtual core::Result<OutputTaken> mirror(core::RunId run, OutputReport const& report) = 0;
};

}  // namespace andon::api
