#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "core/model/run.hpp"

namespace andon::runner {

/// The kinds of events that the output of any program can contain.
enum class EventKind {
  session,
  text,
  thinking,
  tool_start,
  tool_output,
  tool_end,
  file,
  plan,
  usage,
  retry,
  limit,
  denied,
  notice,
  error,
  result,
  mcp,
  background_start,  ///< the program began work that goes on beside the conversation
  background_end,
};
inline constexpr std::array<std::string_view, 18> kEventKindNames{"session",
                                                                  "text",
                                                                  "thinking",
                                                                  "tool_start",
                                                                  "tool_output",
                                                                  "tool_end",
                                                                  "file",
                                                                  "plan",
                                                                  "usage",
                                                                  "retry",
                                                                  "limit",
                                                                  "denied",
                                                                  "notice",
                                                                  "error",
                                                                  "result",
                                                                  "mcp",
                                                                  "background_start",
                                                                  "background_end"};
constexpr auto const& wire_names(EventKind) { return kEventKindNames; }

/// The scope of reported numbers. Those of a step are added up, those of a run count as they are. Those of a
/// session include earlier runs, whose use is subtracted.
enum class UsageScope {
  step,
  run,
  session,
  seen  ///< of one call of the model; counts only until the program reports a sum
};
inline constexpr std::array<std::string_view, 4> kUsageScopeNames{"step", "run", "session", "seen"};
constexpr auto const& wire_names(UsageScope) { return kUsageScopeNames; }

/// True when every given test is true for the value at the pointer. `@…` points into the element of `each`.
struct Condition {
  std::string ptr;
  boost::json::value eq;
  boost::json::value ne;
  std::vector<boost::json::value> in;
  std::optional<bool> exists;
  std::string regex;
};
void describe(auto& field, Condition const*) {
  field(&Condition::ptr, "ptr");
  field(&Condition::eq, "eq");
  field(&Condition::ne, "ne");
  field(&Condition::in, "in");
  field(&Condition::exists, "exists");
  field(&Condition::regex, "regex");
}

/// Turns a line into an event. JSON lines use `when`, `each` or `each_key`, and `set`. Text lines use
/// `regex`, whose named groups become the fields, and constants in `set`. Text lines are all lines of a
/// profile for text. In a profile for JSON lines they are the lines of either stream that are not JSON.
struct Rule {
  std::vector<Condition> when;
  std::string each;
  std::string each_key;
  std::string regex;
  EventKind emit = EventKind::notice;
  std::map<std::string, boost::json::value> set;  ///< field → pointer, {"const":v} or {"ptr":p,"key":true}
  std::string group;                              ///< only the first matching rule of a group applies
  std::optional<UsageScope> scope;                ///< instead of the profile's
};
void describe(auto& field, Rule const*) {
  field(&Rule::when, "when");
  field(&Rule::each, "each");
  field(&Rule::each_key, "each_key");
  field(&Rule::regex, "regex");
  field(&Rule::emit, "emit");
  field(&Rule::set, "set");
  field(&Rule::group, "group");
  field(&Rule::scope, "scope");
}

enum class OutputKind { jsonl, text };
inline constexpr std::array<std::string_view, 2> kOutputKindNames{"jsonl", "text"};
constexpr auto const& wire_names(OutputKind) { return kOutputKindNames; }

enum class OutputStream { out, err };
inline constexpr std::array<std::string_view, 2> kOutputStreamNames{"stdout", "stderr"};
constexpr auto const& wire_names(OutputStream) { return kOutputStreamNames; }

struct Output {
  OutputKind kind = OutputKind::text;
  OutputStream stream = OutputStream::out;  ///< the stream that the rules read
  std::int64_t max_line = 4 << 20;          ///< bytes; the rest of a longer line is skipped
  std::vector<Condition> drop;              ///< lines without a rule that the log may omit
  std::vector<std::string> noise;  ///< expressions for notices and text lines of either stream to omit
  std::vector<Rule> rules;
};
void describe(auto& field, Output const*) {
  field(&Output::kind, "kind");
  field(&Output::stream, "stream");
  field(&Output::max_line, "max_line");
  field(&Output::drop, "drop");
  field(&Output::noise, "noise");
  field(&Output::rules, "rules");
}

/// A JSON report that the program leaves in a file.
struct UsageFile {
  std::string file;
  std::string each_key;
  std::map<std::string, boost::json::value> set;
};
void describe(auto& field, UsageFile const*) {
  field(&UsageFile::file, "file");
  field(&UsageFile::each_key, "each_key");
  field(&UsageFile::set, "set");
}

/// When a program reports its tokens. A token budget can end a run only if the reports come during it.
enum class UsageTiming { underway, at_end, never };
inline constexpr std::array<std::string_view, 3> kUsageTimingNames{"underway", "at_end", "never"};
constexpr auto const& wire_names(UsageTiming) { return kUsageTimingNames; }

/// The meaning of the program's own token numbers.
struct UsageRule {
  bool includes_cache = true;
  bool includes_reasoning = true;
  bool reasoning_from_total = false;  ///< reasoning = total − input − output
  UsageScope scope = UsageScope::run;
  UsageTiming told = UsageTiming::underway;
  std::optional<UsageFile> after_exit;
};
void describe(auto& field, UsageRule const*) {
  field(&UsageRule::includes_cache, "includes_cache");
  field(&UsageRule::includes_reasoning, "includes_reasoning");
  field(&UsageRule::reasoning_from_total, "reasoning_from_total");
  field(&UsageRule::scope, "scope");
  field(&UsageRule::told, "told");
  field(&UsageRule::after_exit, "after_exit");
}

/// The meaning of an exit code or of an end by a rule.
enum class ExitClass { ok, fail, config, auth, input, http, limit, overloaded };
inline constexpr std::array<std::string_view, 8> kExitClassNames{"ok",    "fail", "config", "auth",
                                                                 "input", "http", "limit",  "overloaded"};
constexpr auto const& wire_names(ExitClass) { return kExitClassNames; }

/// Ends the run at event number `count` of this kind.
struct FatalRule {
  EventKind event = EventKind::error;
  std::string field;
  std::vector<boost::json::value> in;
  int count = 1;
  ExitClass class_ = ExitClass::auth;
};
void describe(auto& field, FatalRule const*) {
  field(&FatalRule::event, "event");
  field(&FatalRule::field, "field");
  field(&FatalRule::in, "in");
  field(&FatalRule::count, "count");
  field(&FatalRule::class_, "class");
}

/// The meaning of the last error of a failed run, and the remedy.
struct FailureRule {
  std::string regex;  ///< matches in the error, or in the output before the first event
  ExitClass class_ = ExitClass::config;
  std::string remedy;  ///< when empty and the class is `auth`: how to sign in
};
void describe(auto& field, FailureRule const*) {
  field(&FailureRule::regex, "regex");
  field(&FailureRule::class_, "class");
  field(&FailureRule::remedy, "remedy");
}

}  // namespace andon::runner
