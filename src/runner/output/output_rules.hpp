#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>
#include <boost/json/value.hpp>

#include "core/model/run.hpp"

namespace andon::runner {

/// What a program can tell about its work, whatever its own words for it are.
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
};
inline constexpr std::array<std::string_view, 16> kEventKindNames{
    "session", "text",  "thinking", "tool_start", "tool_output", "tool_end", "file",   "plan",
    "usage",   "retry", "limit",    "denied",     "notice",      "error",    "result", "mcp"};
constexpr auto const& wire_names(EventKind) { return kEventKindNames; }

/// Whether reported numbers are of one step (add them up), of this run, or of the whole session (subtract
/// what earlier runs of the session used).
enum class UsageScope {
  step,
  run,
  session,
  seen  ///< of one call of the model; counts only while the program has told no sum
};
inline constexpr std::array<std::string_view, 4> kUsageScopeNames{"step", "run", "session", "seen"};
constexpr auto const& wire_names(UsageScope) { return kUsageScopeNames; }

/// Holds when every test it names holds for what the pointer finds. `@…` points into the element of `each`.
struct Condition {
  std::string ptr;
  boost::json::value eq;
  boost::json::value ne;
  std::vector<boost::json::value> in;
  std::optional<bool> exists;
  std::string regex;
};
BOOST_DESCRIBE_STRUCT(Condition, (), (ptr, eq, ne, in, exists, regex))

/// Turns a line into an event. JSON lines use `when`, `each` or `each_key`, and `set`; text lines use
/// `regex`, whose named groups become the fields, and constants in `set`. Text lines are those of a profile
/// for text, and those of a profile for JSON lines that are no JSON, of either stream.
struct Rule {
  std::vector<Condition> when;
  std::string each;
  std::string each_key;
  std::string regex;
  EventKind emit = EventKind::notice;
  std::map<std::string, boost::json::value> set;  ///< field → pointer, {"const":v} or {"ptr":p,"key":true}
  std::string group;                              ///< only the first matching rule of a group fires
  std::optional<UsageScope> scope;                ///< instead of the profile's
};
BOOST_DESCRIBE_STRUCT(Rule, (), (when, each, each_key, regex, emit, set, group, scope))

enum class OutputKind { jsonl, text };
inline constexpr std::array<std::string_view, 2> kOutputKindNames{"jsonl", "text"};
constexpr auto const& wire_names(OutputKind) { return kOutputKindNames; }

enum class OutputStream { out, err };
inline constexpr std::array<std::string_view, 2> kOutputStreamNames{"stdout", "stderr"};
constexpr auto const& wire_names(OutputStream) { return kOutputStreamNames; }

struct Output {
  OutputKind kind = OutputKind::text;
  OutputStream stream = OutputStream::out;  ///< which of the two the rules read
  std::int64_t max_line = 4 << 20;          ///< bytes; the rest of a longer line is skipped
  std::vector<Condition> drop;              ///< lines without a rule that need not be kept
  std::vector<std::string> noise;  ///< expressions for notices and text lines of either stream to leave out
  std::vector<Rule> rules;
};
BOOST_DESCRIBE_STRUCT(Output, (), (kind, stream, max_line, drop, noise, rules))

/// A JSON report the program leaves behind.
struct UsageFile {
  std::string file;
  std::string each_key;
  std::map<std::string, boost::json::value> set;
};
BOOST_DESCRIBE_STRUCT(UsageFile, (), (file, each_key, set))

/// When a program says how many tokens it used: a token budget can end a run only on the way.
enum class UsageTold { underway, at_end, never };
inline constexpr std::array<std::string_view, 3> kUsageToldNames{"underway", "at_end", "never"};
constexpr auto const& wire_names(UsageTold) { return kUsageToldNames; }

/// What the program's own token numbers mean.
struct UsageRule {
  bool includes_cache = true;
  bool includes_reasoning = true;
  bool reasoning_from_total = false;  ///< reasoning = total − input − output
  UsageScope scope = UsageScope::run;
  UsageTold told = UsageTold::underway;
  std::optional<UsageFile> after_exit;
};
BOOST_DESCRIBE_STRUCT(UsageRule, (),
                      (includes_cache, includes_reasoning, reasoning_from_total, scope, told, after_exit))

/// What an exit code, or an end by a rule, says about a run.
enum class ExitClass { ok, fail, config, auth, input, http, limit };
inline constexpr std::array<std::string_view, 7> kExitClassNames{"ok",    "fail", "config", "auth",
                                                                 "input", "http", "limit"};
constexpr auto const& wire_names(ExitClass) { return kExitClassNames; }

/// Ends the run at the `count`th such event.
struct FatalRule {
  EventKind event = EventKind::error;
  std::string field;
  std::vector<boost::json::value> in;
  int count = 1;
  ExitClass class_ = ExitClass::auth;
};
BOOST_DESCRIBE_STRUCT(FatalRule, (), (event, field, in, count, class_))

/// What the last error of a run that did not end well means, and what a person does about it.
struct FailureRule {
  std::string regex;  ///< in the error, or in what the program printed before its first event
  ExitClass class_ = ExitClass::config;
  std::string remedy;  ///< how to sign in, when empty and the class is `auth`
};
BOOST_DESCRIBE_STRUCT(FailureRule, (), (regex, class_, remedy))

}  // namespace andon::runner
