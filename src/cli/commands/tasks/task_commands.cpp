#include <algorithm>
#include <array>

#include "api/operation.hpp"
#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/request.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/timestamp.hpp"
#include "cli/views/task_views.hpp"
#include "cli/views/views.hpp"
#include "core/model/board.hpp"
#include "service/boards/boards.hpp"
#include "service/history/history.hpp"
#include "service/insight/dependency_graph.hpp"
#include "service/runs/runs.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

constexpr std::int64_t kMostRelated = 50;
constexpr int kMostSteps = 20;

struct Conflict {
  std::string_view one;
  std::string_view other;
};
constexpr std::array kConflicts{Conflict{"body", "append-body"},
                                Conflict{"parent", "clear-parent"},
                                Conflict{"due", "clear-due"},
                                Conflict{"started", "clear-started"},
                                Conflict{"completed", "clear-completed"},
                                Conflict{"block", "unblock"},
                                Conflict{"claim", "release"},
                                Conflict{"assignee", "clear-assignee"}};

Result<void> check_conflicts(Given const& given) {
  for (auto const& [one, other] : kConflicts)
    if (given.value(one) && given.has(other))
      return core::refuse(Code::kStatusConflict,
                          "cannot use --" + std::string{one} + " and --" + std::string{other} + " together");
  return {};
}

/// kanban-md takes these as not given when they are empty.
constexpr std::array<std::string_view, 5> kEmptyMeansAbsent{"title", "status", "priority", "assignee",
                                                            "class"};

void drop_empty(Invocation const& in, json::object& request) {
  auto const drop = [&](std::string_view name) {
    bool const cleared = in.given().has("clear-" + std::string{name});
    auto const* value = request.if_contains(name);
    if (value && value->is_string() && value->get_string().empty() && !cleared) request.erase(name);
  };
  for (auto const name : kEmptyMeansAbsent) drop(name);
  for (auto const& field : core::kPlainFields) drop(field.name);
}

/// A day as kanban-md takes it for a time: its beginning in UTC.
Result<void> put_day(Invocation const& in, std::string const& name, json::object& request) {
  auto const text = in.given().value(name).value_or("");
  if (text.empty()) return {};
  auto const date = core::parse_date(text);
  if (!date) return core::refuse(invalid_date(name, text));
  request[name] = core::to_text(core::Instant{date->day});
  return {};
}

Result<void> check_reason(Given const& given) {
  if (given.value("block") && given.value("block")->empty())
    return core::refuse(Code::kInvalidInput, "block reason is required (use --block REASON)", "block");
  return {};
}

/// Whether a request asks for anything beside who asks.
bool changes_something(json::object const& request) {
  constexpr std::array<std::string_view, 5> kProof{"id", "claim", "epoch", "force", "heed_claims"};
  return std::ranges::any_of(request, [&](auto const& member) {
    return std::ranges::find(kProof, std::string_view{member.key().data(), member.key().size()}) ==
           kProof.end();
  });
}

Result<json::value> next_column(Invocation& in, core::Task const& task, bool forward) {
  ANDON_TRY(auto const answer, in.call<&service::get_board>({{"board", task.board}}));
  ANDON_TRY(auto const board, answer_as<core::Board>(answer));
  std::vector<std::string> names;
  for (auto const& column : board.columns) names.push_back(column.name);
  auto const here = std::ranges::find(names, task.status);
  bool const at_end =
      here == names.end() || (forward ? std::next(here) == names.end() : here == names.begin());
  if (!at_end) return json::value(forward ? *std::next(here) : *std::prev(here));
  std::string const where = forward ? "last" : "first";
  return core::refuse(core::Error{
      Code::kBoundaryError,
      "task #" + std::to_string(task.id) + " is already at the " + where + " status (" + task.status + ")",
      {},
      {},
      {}}.with("id", task.id)
                          .with("status", task.status)
                          .with("direction", where));
}

Result<core::Task> fetch(Invocation& in, json::value const& id) {
  ANDON_TRY(auto const answer, in.call<&service::get_task>({{"id", id}}));
  return answer_as<core::Task>(answer);
}

/// The answer with what kanban-md adds: whether anything changed.
CommandResult with_changed(json::value answer, bool changed, std::string text) {
  answer.as_object()["changed"] = changed;
  return {std::move(answer), std::move(text)};
}

CommandResult moved(Invocation& in, Result<core::Task> const& before, json::value answer) {
  auto const& task = answer.as_object();
  bool const changed = !before || before->status != text_of(task, "status");
  auto text =
      !changed ? filled("Task #{id} is already at {status}", task)
      : before ? filled("Moved task #{id}: ", task) + one_line(before->status) + filled(" -> {status}", task)
               : filled(in.command().operation->command.says, task);
  text += "\n";
  return with_changed(std::move(answer), changed, std::move(text));
}

/// The column of a task before the pick with this answer; empty if the pick did not move it.
std::string status_before(Invocation& in, json::object const& picked) {
  auto const events =
      in.call<&service::list_events>({{"task", picked.at("id")}, {"newest", true}, {"limit", 5}});
  if (!events) return {};
  for (auto const& item : events->at("items").as_array()) {
    auto const& event = item.as_object();
    bool const is_of_pick = text_of(event, "ts") == text_of(picked, "updated") &&
                            text_of(event, "to") == text_of(picked, "status");
    if (is_of_pick && !text_of(event, "from").empty()) return text_of(event, "from");
  }
  return {};
}

std::string picked_sentence(Invocation& in, json::object const& picked) {
  auto const from = status_before(in, picked);
  if (from.empty()) return filled("Picked task #{id}: {title} ({status}, claimed by {claimed_by})", picked);
  return filled("Picked and moved task #{id}: {title} (", picked) + one_line(from) +
         filled(" -> {status}, claimed by {claimed_by})", picked);
}

/// A step counts from where the task stands: should somebody move it meanwhile, it is looked at again.
Result<CommandResult> step_task(Invocation& in, json::object request) {
  for (int left = kMostSteps;; --left) {
    ANDON_TRY(auto const before, fetch(in, request.at("id")));
    ANDON_SET(request["status"], next_column(in, before, in.given().has("next")));
    auto answer = in.call<&service::move_task>(request, before.rev);
    if (!answer && answer.error().code == Code::kRevMismatch && left > 0) continue;
    if (!answer) return std::unexpected(std::move(answer).error());
    return moved(in, before, *std::move(answer));
  }
}

Result<std::vector<core::Task>> fetch_all(Invocation& in, std::vector<core::TaskId> const& ids) {
  std::vector<core::Task> out;
  for (auto const id : ids) {
    if (std::cmp_equal(out.size(), kMostRelated)) break;
    if (auto task = fetch(in, std::to_string(id).c_str())) out.push_back(*std::move(task));
  }
  return out;
}

/// Adds what the runs of the task tell: its spending, and the newest run whose landing or revert has
/// something to tell.
Result<void> add_runs(Invocation& in, core::Task const& task, Related& out) {
  if (!task.run) return {};
  ANDON_TRY(auto const answer, in.call<&service::list_runs>({{"id", std::to_string(task.id)}}));
  ANDON_TRY(auto runs, answer_as<service::Runs>(answer));
  std::ranges::sort(runs.items, std::ranges::greater{}, &core::Run::id);
  auto const found = std::ranges::find_if(
      runs.items, [](core::Run const& run) { return run.landing.has_value() || run.revert.has_value(); });
  if (found != runs.items.end()) out.landing = std::move(*found);
  out.spent = runs.spent;
  return {};
}

Result<Related> related_to(Invocation& in, core::Task const& task) {
  Related out;
  ANDON_CHECK(add_runs(in, task, out));
  if (task.parent) ANDON_SET(out.parent, fetch_all(in, {*task.parent}));
  ANDON_SET(out.depends_on, fetch_all(in, task.depends_on));
  if (!task.children || task.children->total == 0) return out;
  ANDON_TRY(auto const answer,
            in.call<&service::list_tasks>(
                {{"parent", std::to_string(task.id)}, {"archived", true}, {"limit", kMostRelated}}));
  ANDON_TRY(auto list, answer_as<service::TaskList>(answer));
  out.children = std::move(list.items);
  return out;
}

/// The tasks that refer to a task which is to be deleted.
std::vector<std::string> left_behind(Invocation& in, std::string const& id) {
  std::vector<std::string> out;
  auto const own = id.starts_with('#') ? id.substr(1) : id;
  if (auto const answer = in.call<&service::dependency_graph>({{"id", id}}))
    for (auto const& value : answer->at("edges").as_array())
      if (auto const& edge = value.as_object(); text_of(edge, "depends_on") == own)
        out.push_back("Warning: task #" + text_of(edge, "task") + " depends on this task (#" + own + ")");
  auto const list = in.call<&service::list_tasks>({{"parent", id}, {"limit", kMostRelated}});
  if (!list) return out;
  for (auto const& child : list->at("items").as_array())
    out.push_back("Warning: task #" + text_of(child.as_object(), "id") + " has this task (#" + own +
                  ") as its parent");
  return out;
}

Result<std::string> page(Invocation& in, json::value const& answer) {
  ANDON_TRY(auto const task, answer_as<core::Task>(answer));
  ANDON_TRY(auto const related, related_to(in, task));
  return task_page(task, related, in.env().clock.now(), in.screen());
}

}  // namespace

void end_bodies(Invocation const& in, std::span<json::value> tasks) {
  auto const place = in.location();
  if (!place || !std::holds_alternative<BoardDirectory>(*place)) return;
  for (auto& task : tasks) {
    auto* const body = task.as_object().if_contains("body");
    if (body && body->is_string() && !body->get_string().empty()) body->get_string() += '\n';
  }
}

Result<CommandResult> call_operation(Invocation& in, json::object request) {
  auto const& operation = *in.command().operation;
  ANDON_TRY(auto answer, in.call(operation, request));
  std::string text;
  if (!in.screen().is_json()) ANDON_SET(text, view_of(in, operation, answer));
  return CommandResult{std::move(answer), std::move(text)};
}

Result<CommandResult> create_task(Invocation& in, json::object request) {
  ANDON_TRY(auto answer, in.call<&service::create_task>(request));
  auto const& made = answer.as_object();
  // For scripts: the number alone.
  if (in.given().has("quiet") && !in.screen().is_json()) {
    auto number = filled("{id}\n", made);
    return CommandResult{std::move(answer), std::move(number)};
  }
  auto const notice = text_of(made, "notice");
  auto text =
      (notice.empty() ? filled(in.command().operation->command.says, made) : filled("{notice}", made)) + "\n";
  if (!text_of(made, "file").empty()) text += filled("  File: {file}\n", made);
  text += filled("  Status: {status} | Priority: {priority}\n", made);
  if (text_of(made, "file").empty() && in.board().empty()) text += filled("  Board: {board}\n", made);
  if (!text_of(made, "assignee").empty()) text += filled("  Assignee: {assignee}\n", made);
  ANDON_TRY(auto const task, answer_as<core::Task>(answer));
  std::string tags;
  for (auto const& tag : task.tags) (tags += tags.empty() ? "" : ", ") += tag;
  if (!tags.empty()) text += "  Tags: " + one_line(tags) + "\n";
  return CommandResult{std::move(answer), std::move(text)};
}

Result<CommandResult> show_task(Invocation& in, json::object request) {
  ANDON_TRY(auto answer, in.call<&service::get_task>(request));
  end_bodies(in, {&answer, 1});
  std::string text;
  if (!in.screen().is_json()) ANDON_SET(text, page(in, answer));
  return CommandResult{std::move(answer), std::move(text)};
}

Result<CommandResult> edit_task(Invocation& in, json::object request) {
  auto const& given = in.given();
  ANDON_CHECK(check_conflicts(given));
  ANDON_CHECK(check_reason(given));
  if (given.value("claim") && given.value("claim")->empty())
    return core::refuse(Code::kInvalidInput, "claim name is required (use --claim NAME)", "claim");
  drop_empty(in, request);
  ANDON_CHECK(put_day(in, "started", request));
  ANDON_CHECK(put_day(in, "completed", request));
  if (given.has("timestamp") && request.contains("append_body"))
    request["append_body"] = stamped(text_of(request, "append_body"), in.env().clock.now());
  if (given.value("claim")) request["take"] = true;
  request["heed_claims"] = true;
  auto answer = in.call<&service::edit_task>(request);
  // To say what is so already is no mistake.
  if (!answer && answer.error().code == Code::kNoChanges && changes_something(request))
    answer = in.call<&service::get_task>({{"id", request.at("id")}});
  if (!answer) return std::unexpected(std::move(answer).error());
  auto text = filled(in.command().operation->command.says, answer->as_object()) + "\n";
  return CommandResult{*std::move(answer), std::move(text)};
}

Result<CommandResult> move_task(Invocation& in, json::object request) {
  auto const& given = in.given();
  if (given.has("next") && given.has("prev"))
    return core::refuse(Code::kStatusConflict, "cannot use --next and --prev together");
  bool const steps = !request.contains("status");
  if (steps && !given.has("next") && !given.has("prev"))
    return core::refuse(Code::kInvalidInput, "provide a target status, or use --next or --prev", "status");
  if (steps) return step_task(in, std::move(request));
  auto const before = fetch(in, request.at("id"));
  ANDON_TRY(auto answer, in.call<&service::move_task>(request));
  return moved(in, before, std::move(answer));
}

Result<CommandResult> delete_task(Invocation& in, json::object request) {
  auto const warnings = left_behind(in, text_of(request, "id"));
  ANDON_TRY(auto answer, in.call<&service::delete_task>(request));
  for (auto const& warning : warnings) in.screen().tell(warning);
  auto text = filled(in.command().operation->command.says, answer.as_object()) + "\n";
  return CommandResult{std::move(answer), std::move(text)};
}

Result<CommandResult> archive_task(Invocation& in, json::object request) {
  auto const before = fetch(in, request.at("id"));
  ANDON_TRY(auto answer, in.call<&service::archive_task>(request));
  bool const changed = !before || before->stage != core::Stage::archived;
  auto const sentence = changed ? in.command().operation->command.says : "Task #{id} is already archived";
  auto text = filled(sentence, answer.as_object()) + "\n";
  return with_changed(std::move(answer), changed, std::move(text));
}

/// Picks, and goes on while not every task was looked at. Each pick looks for some seconds and goes on where
/// the last one ended.
Result<json::value> pick_to_the_end(Invocation& in, api::Operation const& operation,
                                    json::object const& request) {
  constexpr int kMostPicks = 12;
  auto answer = in.call(operation, request);
  for (int picks = 1; picks < kMostPicks && !answer; ++picks) {
    if (answer.error().code != Code::kPickUnfinished) break;
    answer = in.call(operation, request);
  }
  return answer;
}

Result<CommandResult> pick_task(Invocation& in, json::object request) {
  auto const& given = in.given();
  if (auto const name = given.value("claim"); name && name->empty())
    return core::refuse(Code::kInvalidInput, "claim name is required (use --claim NAME)", "claim");
  bool const in_run = !in.env().variable("ANDON_WORKER").empty();
  if (!given.has("claim") && !given.has("worker") && !given.has("as") && !in_run)
    return misuse("required flag(s) \"claim\" not set");
  bool const several = request.contains("limit");
  ANDON_TRY(
      auto answer,
      pick_to_the_end(in, several ? api::row_of<&service::pick_tasks>() : api::row_of<&service::pick_task>(),
                      request));
  json::array one;
  auto& tasks = several ? answer.at("items").as_array() : one;
  if (!several) tasks.push_back(answer);
  std::string text;
  bool const is_brief = in.given().has("no-body");
  for (auto& task : tasks) {
    if (is_brief) task.as_object().stable_erase("body");
    if (in.screen().is_json()) continue;
    auto const sentence = picked_sentence(in, task.as_object());
    text += (text.empty() || is_brief ? "" : "\n") + sentence + "\n";
    if (is_brief) continue;
    ANDON_TRY(auto const shown, page(in, task));
    text += "\n" + shown;
  }
  if (!several) answer = std::move(tasks.front());
  return CommandResult{std::move(answer), std::move(text)};
}

namespace {

/// The pick of `--pick`: for the name that holds the finished task, on the chosen board.
Result<json::object> next_pick(Invocation& in) {
  json::object pick;
  ANDON_TRY(auto const own, in.own_name());
  pick["by"] = in.given().value("claim").value_or(own);
  if (auto const board = in.board(); !board.empty()) pick["boards"] = json::array{json::string{board}};
  return pick;
}

template <auto Finish>
Result<CommandResult> finish_task(Invocation& in, json::object request) {
  if (in.given().has("pick")) ANDON_SET(request["pick"], next_pick(in));
  ANDON_TRY(auto answer, in.call<Finish>(request));
  auto const& task = answer.as_object();
  auto text = filled(in.command().operation->command.says, task) + "\n";
  if (auto const* picked = task.if_contains("picked")) {
    text += picked_sentence(in, picked->as_object()) + "\n";
    ANDON_TRY(auto const shown, page(in, *picked));
    text += "\n" + shown;
  } else if (auto const* refused = task.if_contains("not_picked")) {
    text += "Nothing picked: " + one_line(text_of(refused->as_object(), "error")) + "\n";
  }
  return CommandResult{std::move(answer), std::move(text)};
}

}  // namespace

Result<CommandResult> submit_task(Invocation& in, json::object request) {
  return finish_task<&service::submit_task>(in, std::move(request));
}

Result<CommandResult> complete_task(Invocation& in, json::object request) {
  return finish_task<&service::complete_task>(in, std::move(request));
}

Result<CommandResult> handoff_task(Invocation& in, json::object request) {
  auto const& given = in.given();
  bool const in_run = !in.env().variable("ANDON_TASK").empty();
  bool const named = !text_of(request, "claim").empty() || request.contains("epoch") || given.has("as");
  if (!named && !in_run)
    return core::refuse(Code::kInvalidInput, "claim name is required (use --claim NAME)", "claim");
  ANDON_CHECK(check_reason(given));
  if (auto const note = text_of(request, "note"); !note.empty())
    request["append_body"] = given.has("timestamp") ? stamped(note, in.env().clock.now()) : note;
  request["to_review"] = !in_run && !request.contains("to");
  if (request.contains("claim")) request["take"] = true;
  ANDON_TRY(auto answer, in.call<&service::handoff_task>(request));
  auto const& task = answer.as_object();
  auto text = filled("Handed off task #{id} -> {status}", task);
  if (task.contains("blocked")) text += filled(" (blocked: {block_reason})", task);
  if (!task.contains("claimed_by")) text += " (claim released)";
  return CommandResult{std::move(answer), text + "\n"};
}

Result<CommandResult> heartbeat(Invocation& in, json::object request) {
  auto const epoch = in.env().variable("ANDON_EPOCH");
  if (!request.contains("epoch") && !epoch.empty() &&
      text_of(request, "id") == in.env().variable("ANDON_TASK"))
    request["epoch"] = std::strtoll(epoch.c_str(), nullptr, 10);
  if (!request.contains("epoch")) {
    ANDON_TRY(auto const task, fetch(in, request.at("id")));
    ANDON_TRY(auto const name, in.own_name());
    if (task.claimed_by.empty() || task.claimed_by != name)
      return core::refuse(core::Error{
          Code::kTaskClaimed,
          task.claimed_by.empty() ? "nobody holds task #" + std::to_string(task.id)
                                  : "task #" + std::to_string(task.id) + " is claimed by " + task.claimed_by +
                                        "; give its --epoch, or act as its holder with --as",
          {},
          {},
          {}}.with("id", task.id)
                              .with("claimed_by", task.claimed_by));
    request["epoch"] = std::int64_t{task.epoch};
  }
  ANDON_TRY(auto answer, in.call<&service::heartbeat>(request));
  auto const& told = answer.as_object();
  auto text = told.contains("claim_expires") ? filled(in.command().operation->command.says, told) + "\n"
                                             : std::string{"The claim never expires\n"};
  if (text_of(told, "cancelled") == "true") text += "Stop: the run is being stopped\n";
  return CommandResult{std::move(answer), std::move(text)};
}

}  // namespace andon::cli
