#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/pages.hpp"
#include "cli/command_line/request.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/commands/history/activity_file.hpp"
#include "service/history/history.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::EventKind;
using core::Result;

constexpr std::size_t kEventsPerPage = 500;

/// kanban-md's word for what happened, and the fact it tells of it; moves tell from where to where.
struct Action {
  EventKind kind;
  std::string_view word;
  std::string_view fact;
};
constexpr std::array kActions{
    Action{EventKind::task_created, "create", "title"},
    Action{EventKind::task_moved, "move", ""},
    Action{EventKind::task_archived, "move", ""},
    Action{EventKind::task_edited, "edit", "title"},
    Action{EventKind::task_blocked, "block", "reason"},
    Action{EventKind::task_unblocked, "unblock", "title"},
    Action{EventKind::task_claimed, "claim", "by"},
    Action{EventKind::task_released, "release", "by"},
    Action{EventKind::task_submitted, "handoff", "title"},
    Action{EventKind::task_deleted, "delete", "title"},
};

std::string_view name_of(EventKind kind) { return core::kEventKindNames[static_cast<std::size_t>(kind)]; }

Action const* find_action(std::string_view kind) {
  auto const found =
      std::ranges::find_if(kActions, [&](Action const& row) { return name_of(row.kind) == kind; });
  return found == kActions.end() ? nullptr : &*found;
}

/// The kinds of events an action's word stands for: none for a word nobody knows. One that is empty stands
/// for all.
std::vector<std::string> kinds_of(std::optional<std::string> const& action) {
  if (!action) return {""};
  std::vector<std::string> kinds;
  for (auto const& row : kActions)
    if (row.word == *action) kinds.emplace_back(name_of(row.kind));
  for (auto const name : core::kEventKindNames)
    if (kinds.empty() && (name == *action || name == "task." + *action)) kinds.emplace_back(name);
  return kinds;
}

Result<core::Instant> moment_of(std::string const& text, core::Instant now) {
  if (auto const date = core::parse_date(text)) return core::Instant{date->day};
  if (auto const at = core::parse_instant(text)) return *at;
  if (auto const span = core::parse_duration(text)) return now - *span;
  return core::refuse(invalid_date("since", text));
}

std::string first_of(json::object const& facts, std::initializer_list<std::string_view> names) {
  for (auto const name : names)
    if (auto text = text_of(facts, name); !text.empty()) return text;
  return {};
}

std::string way_of(json::object const& event) {
  auto const from = text_of(event, "from"), to = text_of(event, "to");
  return !from.empty() && !to.empty() && from != to ? from + " -> " + to : std::string{};
}

std::string with_reason(std::string what, json::object const& facts) {
  auto const reason = first_of(facts, {"reason", "result"});
  return reason.empty() ? what : what + ": " + reason;
}

/// The outcome of work in the landing queue; empty for other events.
std::string landing_of(json::object const& facts) {
  constexpr std::size_t kShortCommit = 12;
  if (auto const commit = text_of(facts, "landed"); !commit.empty())
    return "landed on " + text_of(facts, "branch") + " at " + commit.substr(0, kShortCommit);
  if (auto const reverted = text_of(facts, "reverted"); !reverted.empty())
    return with_reason(
        "taken back on " + text_of(facts, "branch") + " by " + reverted.substr(0, kShortCommit), facts);
  if (auto const state = text_of(facts, "revert"); !state.empty())
    return with_reason(state == "asked"     ? "is to be taken back"
                       : state == "refused" ? "is not taken back"
                                            : "waits to be taken back",
                       facts);
  auto const state = text_of(facts, "landing");
  auto const as = text_of(facts, "as");
  if (state == "asked") return "asks whether it lands: " + text_of(facts, "reason");
  if (state == "allowed")
    return "lands in spite of the limits" + (as.empty() ? as : " as " + as) + ", by " + text_of(facts, "by");
  return state.empty() ? std::string{} : "waits to be landed: " + text_of(facts, "reason");
}

/// A switch of the dispatch that was turned.
struct Turned {
  std::string_view fact, on, off;
};
constexpr std::array kTurned{
    Turned{"paused", "workers pick nothing", "workers pick again"},
    Turned{"frozen", "agents stand still", "agents go on"},
};

/// The words for an event of a runner on another host.
struct RunnerStory {
  std::string_view state, says;
};
constexpr std::array kRunnerStories{
    RunnerStory{"added", "was added"},
    RunnerStory{"registered", "registered"},
    RunnerStory{"active", "was resumed"},
    RunnerStory{"paused", "was paused"},
    RunnerStory{"draining", "is to end after its last run"},
    RunnerStory{"revoked", "was revoked"},
    RunnerStory{"removed", "was removed"},
};

std::string story_of_runner(json::object const& facts) {
  auto const state = text_of(facts, "runner_state");
  auto const row = std::ranges::find(kRunnerStories, std::string_view{state}, &RunnerStory::state);
  auto const says = row == kRunnerStories.end() ? std::string_view{state} : row->says;
  return "runner " + text_of(facts, "runner") + " " + std::string{says};
}

std::string story_of_dispatch(json::object const& facts) {
  if (!text_of(facts, "runner_state").empty()) return story_of_runner(facts);
  for (auto const& row : kTurned)
    if (auto const value = text_of(facts, row.fact); !value.empty()) {
      auto const worker = text_of(facts, "worker");
      return std::string{value == "true" ? row.on : row.off} + (worker.empty() ? "" : " (" + worker + ")");
    }
  auto const slots = text_of(facts, "slots");
  return slots.empty() ? slots : "at most " + slots + " runs at once";
}

/// The event of an object that is no task, with its name; empty for tasks and boards.
std::string story_beside(json::object const& facts) {
  if (auto turned = story_of_dispatch(facts); !turned.empty()) return turned;
  if (auto const account = text_of(facts, "account"); !account.empty()) {
    auto const until = text_of(facts, "until");
    return with_reason("account " + account + (until.empty() ? "" : " rests until " + until), facts);
  }
  auto const name = first_of(facts, {"worker", "automation"});
  auto const what = text_of(facts, "what");
  return name.empty() || what.empty() ? std::string{} : with_reason(name + " " + what, facts);
}

/// The text for an event kind that kanban-md does not have: its outcome and the reason.
std::string story_of(json::object const& event, json::object const& facts) {
  if (auto beside = story_beside(facts); !beside.empty()) return beside;
  auto const way = way_of(event);
  auto const what = way.empty() ? text_of(facts, "outcome") : way;
  auto const why = first_of(facts, {"reason", "by", "worker", "title", "text"});
  if (what.empty()) return why.empty() ? text_of(event, "to") : why;
  return with_reason(what, facts);
}

/// The report of an agent on its own task; empty for other events.
std::string report_in(json::object const& facts) {
  auto const word = text_of(facts, "reported");
  if (word.empty()) return {};
  auto const why = first_of(facts, {"reason", "result", "no_change"});
  return "reported " + word + (why.empty() ? "" : ": " + why);
}

/// Every fact, where none of them is known to say the most.
std::string in_words(json::object const& facts) {
  std::string out;
  for (auto const& fact : facts)
    if (auto const text = text_of(facts, fact.key()); !text.empty())
      out += (out.empty() ? "" : ", ") + std::string{fact.key()} + ": " + text;
  return out;
}

std::string detail_of(json::object const& event) {
  auto const* action = find_action(text_of(event, "kind"));
  auto const* data = event.if_contains("data");
  json::object const none;
  auto const& facts = data && data->is_object() ? data->get_object() : none;
  if (auto landing = landing_of(facts); !landing.empty()) return landing;
  if (auto const verb = text_of(facts, "stopping"); !verb.empty()) return "ends its agent first: " + verb;
  if (auto report = report_in(facts); !report.empty()) return report;
  if (!action) return story_of(event, facts);
  if (!action->fact.empty())
    if (auto text = text_of(facts, action->fact); !text.empty()) return text;
  if (auto way = way_of(event); !way.empty()) return with_reason(std::move(way), facts);
  auto const text = first_of(facts, {"reason", "by", "title", "text"});
  if (!text.empty()) return text;
  return text_of(event, "to").empty() ? in_words(facts) : text_of(event, "to");
}

/// kanban-md's keys first, then the event's own.
json::object entry_of(json::object const& event) {
  auto const kind = text_of(event, "kind");
  auto const* action = find_action(kind);
  json::object out{{"timestamp", event.at("ts")}, {"action", action ? action->word : std::string_view{kind}}};
  out["task_id"] = event.contains("task") ? event.at("task") : json::value(0);
  out["detail"] = detail_of(event);
  for (auto const* name : {"seq", "actor", "kind", "board", "run", "from", "to", "data"})
    if (auto const* value = event.if_contains(name)) out[name] = *value;
  return out;
}

std::string second_of(json::object const& entry) {
  auto text = text_of(entry, "timestamp").substr(0, 19);
  if (text.size() > 10) text[10] = ' ';
  return text;
}

enum class Actors { shown, unknown };

/// The story of one task is read to its end.
constexpr std::size_t kWidest = 80;
constexpr std::size_t kWidestOfOne = 400;

std::string text_view(json::array const& entries, Actors actors, std::size_t widest, Screen const& screen) {
  std::vector<Table::Column> columns{
      {"TIMESTAMP", 21, 0}, {"ACTION", 0, 0}, {"TASK", 0, 0}, {"DETAIL", 0, widest}};
  if (actors == Actors::shown) columns.push_back({"ACTOR", 0, 0});
  Table table(std::move(columns));
  std::string lines;
  for (auto const& value : entries) {
    auto const& e = value.as_object();
    auto const task = text_of(e, "task_id") == "0" ? "" : "#" + text_of(e, "task_id");
    std::vector<std::string> cells{second_of(e), text_of(e, "action"), task, text_of(e, "detail")};
    if (actors == Actors::shown) cells.push_back(text_of(e, "actor"));
    table.add(std::move(cells));
    lines += one_line(second_of(e) + " " + text_of(e, "action") + (task.empty() ? "" : " " + task) + " " +
                      text_of(e, "detail")) +
             "\n";
  }
  if (screen.is_compact()) return lines;
  return screen.drawn(table);
}

/// The number of latest entries to show; nothing and 0 mean all.
Result<std::optional<std::size_t>> event_limit_of(Given const& given) {
  auto const text = given.value("limit").value_or("0");
  std::size_t limit = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size())
    return misuse("invalid argument \"" + text + "\" for \"-n, --limit\" flag: must be a whole number");
  return limit == 0 ? std::nullopt : std::optional{limit};
}

/// The events of one kind: the last `limit`, or all of them page after page.
Result<void> fetch(Invocation& in, json::object request, std::string const& kind, json::array& entries) {
  if (!kind.empty()) request["kind"] = kind;
  Pages pages(in);
  for (;;) {
    ANDON_TRY(auto const answer, in.call<&service::list_events>(request));
    for (auto const& event : answer.at("items").as_array()) entries.push_back(entry_of(event.as_object()));
    auto const next = text_of(answer.as_object(), "next");
    if (next.empty() || request.contains("newest")) return {};
    ANDON_CHECK(pages.check_next(next));
    request["since"] = next;
  }
}

/// Merges the entries of several kinds by time.
void put_in_order(json::array& entries, std::optional<std::size_t> limit) {
  std::ranges::sort(entries, {}, [](json::value const& entry) { return entry.at("seq").as_int64(); });
  if (limit && entries.size() > *limit)
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(*limit));
}

Result<json::array> history(Invocation& in, json::object request, std::optional<std::size_t> limit) {
  if (limit && *limit <= kEventsPerPage) {
    request["limit"] = static_cast<std::int64_t>(*limit);
    request["newest"] = true;
  }
  json::array entries;
  for (auto const& kind : kinds_of(in.given().value("action")))
    ANDON_CHECK(fetch(in, request, kind, entries));
  put_in_order(entries, limit);
  return entries;
}

/// A task that is gone still has its entries, so a number is taken as it is.
Result<core::TaskId> task_number(Invocation& in, std::string const& text) {
  std::int64_t id = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc{} && end == text.data() + text.size()) return core::TaskId{id};
  ANDON_TRY(auto const task, in.call<&service::get_task>({{"id", text}}));
  return core::TaskId{task.at("id").to_number<std::int64_t>()};
}

std::optional<std::string> asked_task(Given const& given) {
  return given.words.empty() ? given.value("task") : std::optional{given.words.front()};
}

/// The entries of `activity.jsonl` of a board of files. kanban-md may have written some of them.
Result<json::array> activity(Invocation& in, fs::path const& board, std::optional<core::Instant> since,
                             std::optional<std::size_t> limit) {
  ANDON_CHECK(in.connection());  // makes sure that this is a board
  ActivityFilter filter{since, in.given().value("action").value_or(""), {}, limit};
  if (auto const task = asked_task(in.given())) ANDON_SET(filter.task, task_number(in, *task));
  return read_activity(board / "activity.jsonl", filter);
}

/// A board of files keeps kanban-md's log; kinds of events, such as `run.ended`, are asked from the history.
bool is_kept_in_file(Invocation const& in, Location const& location) {
  return std::holds_alternative<BoardDirectory>(location) &&
         !in.given().value("action").value_or("").contains('.');
}

}  // namespace

Result<CommandResult> show_log(Invocation& in, json::object request) {
  auto const& given = in.given();
  std::optional<core::Instant> since;
  if (auto const text = given.value("since")) {
    ANDON_SET(since, moment_of(*text, in.env().clock.now()));
    request["after"] = core::to_text(*since);
  }
  ANDON_TRY(auto const limit, event_limit_of(given));
  ANDON_TRY(auto const location, in.location());
  bool const in_file = is_kept_in_file(in, location);
  ANDON_TRY(auto entries, in_file ? activity(in, std::get<BoardDirectory>(location).root, since, limit)
                                  : history(in, std::move(request), limit));
  auto text = in.screen().is_json() ? std::string{}
                                    : text_view(entries, in_file ? Actors::unknown : Actors::shown,
                                                asked_task(given) ? kWidestOfOne : kWidest, in.screen());
  if (entries.empty() && !in.screen().is_json()) {
    in.screen().tell("No activity log entries found.");
    text.clear();
  }
  return CommandResult{json::object{{"items", std::move(entries)}}, std::move(text)};
}

}  // namespace andon::cli
