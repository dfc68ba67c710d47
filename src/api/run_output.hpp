#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/describe.hpp>

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
BOOST_DESCRIBE_STRUCT(OutputItem, (), (at, stream, text))
inline constexpr std::array kOutputItemFields{
    core::Field{"at", "When it was written", core::always},
    core::Field{"stream", "text, tool, notice, stdout, stderr, raw or andon", core::always},
    core::Field{"text", "The line, without secrets", core::always}};
constexpr auto const& fields(OutputItem const*) { return kOutputItemFields; }

struct OutputPage {
  std::vector<OutputItem> items;
  std::string next;
  std::optional<bool> more;
};
BOOST_DESCRIBE_STRUCT(OutputPage, (), (items, next, more))
inline constexpr std::array kOutputPageFields{
    core::Field{"items", "The lines in order", core::always},
    core::Field{"next", "Where to go on; the same as before when there is nothing new", core::always},
    core::Field{"more", "True when more was there already than fits a page"}};
constexpr auto const& fields(OutputPage const*) { return kOutputPageFields; }

/// Lines that a runner on another machine hands in.
struct OutputReport {
  std::vector<OutputItem> items;
};
BOOST_DESCRIBE_STRUCT(OutputReport, (), (items))
inline constexpr std::array kOutputReportFields{core::Field{"items", "The lines in order", core::required}};
constexpr auto const& fields(OutputReport const*) { return kOutputReportFields; }

/// Refuses lines of an unknown stream. Lines of the stream `andon` are what Andon itself says about the run,
/// so only callers that may speak for it hand them in.
core::Result<void> check_streams(std::vector<OutputItem> const& items, bool may_speak_for_andon);

/// The printed output of runs. Thread-safe. The caller has checked that the run may be seen.
class RunOutput {
 public:
  virtual ~RunOutput() = default;
  /// A page from a cursor of an earlier page, from the start when empty. Refuses a cursor it did not make.
  virtual core::Result<OutputPage> read(core::RunId run, std::string_view since) = 0;
  virtual core::Result<void> append(core::RunId run, std::vector<OutputItem> const& items) = 0;
};

}  // namespace andon::api
