#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"
#include "runner/output/event.hpp"
#include "runner/output/line_splitter.hpp"
#include "runner/output/readable.hpp"
#include "runner/output/rule_set.hpp"
#include "runner/output/usage_meter.hpp"

namespace andon::runner {

/// What a run's output came to.
struct Summary {
  std::string session;
  std::string model;
  std::string result;            ///< what the program said at the end, at most 64 KiB
  std::optional<bool> is_error;  ///< what its result event claims; nothing when there was none
  std::string status;            ///< the result event's own word
  std::string error;             ///< the last error it told
  std::string output_tail;  ///< last 4 KiB of the output of text profiles, or from before the first event
  std::optional<core::Usage> usage;
  core::Usage session_usage;
  std::optional<double> limit_resets_at;  ///< Unix seconds, after a usage limit was reached
  bool limit_reached = false;
  int api_status = 0;  ///< HTTP status of the model call that ended the run
};

/// Reads what a program prints: lines become events by the profile's rules, events become lines for people
/// and a summary. No bytes can make it fail, and what it holds in memory is bounded.
class Transcript {
 public:
  Transcript(Output output, RuleSet rules, UsageRule usage, std::vector<FatalRule> fatal,
             core::Usage used_before);

  void feed(OutputStream from, std::string_view bytes, OnLine const& on_line);
  /// Takes what came after the last line end.
  void finish(OnLine const& on_line);
  /// Books a usage report the program left behind.
  void add_usage(Event const& event) { meter_.add(event); }

  Summary summary() const;
  /// Rises with every sign of progress: with every event but a failed call of the model that is tried again.
  std::uint64_t progress() const { return progress_; }
  /// How many lines came, and how many of them told of nothing but another try.
  std::uint64_t lines() const { return lines_; }
  std::uint64_t retries() const { return retries_; }
  bool is_in_tool() const { return !open_calls_.empty(); }
  /// The rule that says the run should be ended now, or null.
  FatalRule const* fatal() const { return broken_ ? &fatal_[*broken_] : nullptr; }

 private:
  void read_line(OutputStream from, std::string_view line, bool is_cut, OnLine const& on_line);
  void read_other_line(OutputStream from, std::string const& text, OnLine const& on_line);
  void read_json_line(OutputStream from, std::string_view line, OnLine const& on_line);
  void read_text_line(std::string_view line, OnLine const& on_line);
  void take(Event const& event, OnLine const& on_line);
  void note_tool(Event const& event);
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
  std::set<std::string> open_calls_;
  std::uint64_t progress_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t retries_ = 0;
  std::optional<std::size_t> broken_;  ///< index of the fatal rule that was met
};

}  // namespace andon::runner
