#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"
#include "runner/output/event.hpp"
#include "runner/output/line_splitter.hpp"
#include "runner/output/open_work.hpp"
#include "runner/output/readable.hpp"
#include "runner/output/rule_set.hpp"
#include "runner/output/usage_meter.hpp"

namespace andon::runner {

/// The last report of a program on one window of use of its account. It names the end in one of three ways.
struct LimitReport {
  std::string window;
  std::optional<double> resets_at{};  ///< Unix seconds or milliseconds
  std::optional<double> resets_in{};  ///< seconds
  std::string words{};                ///< see `core::time_in_words`
  std::optional<double> used{};       ///< from 0 to 1
  bool is_reached = false;
};

/// The summary of a run's output.
struct Summary {
  std::string session;
  std::string model;
  std::string result;            ///< the program's final message, at most 64 KiB
  std::optional<bool> is_error;  ///< the claim of the result event; nothing without one
  std::string status;            ///< the status in the result event
  std::string error;             ///< the last reported error
  std::string output_tail;  ///< the last 4 KiB of output: all of it in a text profile, otherwise before the
                            ///< first event
  std::optional<core::Usage> usage;
  core::Usage session_usage;
  std::vector<LimitReport> limits;  ///< one of each window
  std::string unfinished;           ///< the work that the program began and did not end, as a sentence
  int api_status = 0;               ///< HTTP status of the model call that ended the run

  bool has_reached_limit() const;
};

/// Reads a program's output: the profile's rules turn lines into events, and events become readable lines and
/// a summary. No input makes it fail, and its memory is bounded.
class Transcript {
 public:
  Transcript(Output output, RuleSet rules, UsageRule usage, std::vector<FatalRule> fatal,
             core::Usage used_before);

  void feed(OutputStream from, std::string_view bytes, OnLine const& on_line);
  /// Reads the rest after the last line end.
  void finish(OnLine const& on_line);
  /// Counts a usage report that the program left in a file.
  void add_usage(Event const& event) { meter_.add(event); }

  Summary summary() const;
  /// Rises with every sign of progress: every event except a failed model call that is retried.
  std::uint64_t progress() const { return progress_; }
  /// The number of lines, and the number of lines that are no sign of life: noise, or the report of a retry.
  std::uint64_t lines() const { return lines_; }
  std::uint64_t quiet_lines() const { return quiet_lines_; }
  bool is_in_tool() const { return open_.is_in_tool(); }
  /// The rule that requires the end of the run, or null.
  FatalRule const* fatal() const { return broken_ ? &fatal_[*broken_] : nullptr; }

 private:
  bool is_quiet_noise(std::string_view line);
  void read_line(OutputStream from, std::string_view line, bool is_cut, OnLine const& on_line);
  void read_other_line(OutputStream from, std::string const& text, OnLine const& on_line);
  void read_json_line(OutputStream from, std::string_view line, OnLine const& on_line);
  void read_text_line(std::string_view line, OnLine const& on_line);
  void take(Event const& event, OnLine const& on_line);
  void note_text(Event const& event);
  void note_result(Event const& event);
  void note_error(Event const& event);
  void note_api_status(Event const& event);
  void note_limit(Event const& event);
  void count_fatal(Event const& event);

  Output output_;
  RuleSet rules_;
  std::vector<FatalRule> fatal_;
  std::vector<int> fatal_counts_;
  LineSplitter out_;
  LineSplitter err_;
  Readable readable_;
  UsageMeter meter_;
  Summary summary_;
  std::string last_text_;
  std::string text_pieces_;
  OpenWork open_;
  std::uint64_t progress_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t quiet_lines_ = 0;
  std::optional<std::size_t> broken_;  ///< index of the fatal rule that was met
};

}  // namespace andon::runner
