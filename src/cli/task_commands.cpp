#include <algorithm>
#include <array>

#include "cli/task_views.hpp"
#include "cli/timestamp.hpp"
#include "cli/views.hpp"
#include "cli/works.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

constexpr std::int64_t kMostRelated = 50;

/// The proof of holding a claim, for the further steps of a command.
json::object step(json::object const& request) {
  json::object out{{"id", request.at("id")}};
  for (auto const* name : {"claim", "epoch", "force"})
    if (auto const* value = request.if_contains(name)) out[name] = *value;
  return out;
}

std::string drop(json::object& request, std::string_view name) {
  auto text = text_of(request, name);
  request.erase(name);
  return text;
}

struct Conflict {
  std::string_view one;
  std::string_view other;
};
constexpr std::array kConflicts{Conflict{"body", "append-body"}, Conflict{"parent", "clear-parent"},
                                Conflict{"due", "clear-due"},    Conflict{"block", "unblock"},
                                Conflict{"claim", "release"},    Conflict{"assignee", "clear-assignee"}};

Result<void> check_conflicts(Given const& given) {
  for (auto const& [one, other] : kConflicts)
    if (given.value(one) && given.has(other))
      return core::refuse(Code::kStatusConflict,
                          "cannot use --" + std::string{one} + " and --" + std::string{other} + " together");
  return {};
}

/// kanban-md takes these as not given when they are empty.
constexpr std::array<std::string_view, 7> kEmptyMeansAbsent{"title", "status",   "priority", "assignee",
                                                            "due",   "estimate", "class"};

void drop_empty(Invocation const& in, json::object& request) {
  for (auto const name : kEmptyMeansAbsent) {
    bool const cleared = in.given().has("clear-" + std::string{name});
    auto const* value = request.if_contains(name);
    if (value && value->is_string() && value->get_string().empty() && !cleared) request.erase(name);
  }
}

bool changes_something(json::object const& request) {
  return std::ranges::any_of(request, [](auto const& member) {
    auto const name = std::string_view{member.key().data(), member.key().size()};
    return name != "id" && name != "claim" && name != "epoch" && name != "force";
  });
}

Result<json::value> next_column(Invocation& in, core::Task const& task, bool forward) {
  ANDON_TRY(auto const answer, in.call("get_board", {{"board", task.board}}));
  ANDON_TRY(auto const board, answer_as<core::Board>(answer));
  std::vector<std::string> names;
  for (auto const& column : board.columns)
    if (column.stage != core::Stage::archived) names.push_back(column.name);
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
  ANDON_TRY(auto const answer, in.call("get_task", {{"id", id}}));
  return answer_as<core::Task>(answer);
}

/// The answer of a move with what kanban-md adds: whether anything changed.
Done moved(json::value answer, bool changed, std::string text) {
  answer.as_object()["changed"] = changed;
  return {std::move(answer), std::move(text)};
}

Result<std::vector<core::Task>> fetch_all(Invocation& in, std::vector<core::TaskId> const& ids) {
  std::vector<core::Task> out;
  for (auto const id : ids) {
    if (std::cmp_equal(out.size(), kMostRelated)) break;
    if (auto task = fetch(in, std::to_string(id).c_str())) out.push_back(*std::move(task));
  }
  return out;
}

Result<Related> related_to(Invocation& in, core::Task const& task) {
  Related out;
  if (task.parent) ANDON_SET(out.parent, fetch_all(in, {*task.parent}));
  ANDON_SET(out.depends_on, fetch_all(in, task.depends_on));
  if (!task.children || task.children->total == 0) return out;
  ANDON_TRY(auto const answer,
            in.call("list_tasks",
                    {{"parent", std::to_string(task.id)}, {"archived", true}, {"limit", kMostRelated}}));
  ANDON_TRY(auto list, answer_as<service::TaskList>(answer));
  out.children = std::move(list.items);
  return out;
}

Result<std::string> page(Invocation& in, json::value const& answer) {
  ANDON_TRY(auto const task, answer_as<core::Task>(answer));
  ANDON_TRY(auto const related, related_to(in, task));
  return task_page(task, related, in.env().clock.now(), in.screen());
}

}  // namespace

Result<Done> call_operation(Invocation& in, json::object request) {
  auto const& operation = *in.command().operation;
  ANDON_TRY(auto answer, in.call(operation.name, request));
  std::string text;
  if (!in.screen().is_json()) ANDON_SET(text, view_of(in, operation, answer));
  return Done{std::move(answer), std::move(text)};
}

Result<Done> show_task(Invocation& in, json::object request) {
  ANDON_TRY(auto answer, in.call("get_task", request));
  std::string text;
  if (!in.screen().is_json()) ANDON_SET(text, page(in, answer));
  return Done{std::move(answer), std::move(text)};
}

Result<Done> edit_task(Invocation& in, json::object request) {
  auto const& given = in.given();
  ANDON_CHECK(check_conflicts(given));
  if (given.value("block") && given.value("block")->empty())
    return core::refuse(Code::kInvalidInput, "block reason is required", "block");
  if (given.value("claim") && given.value("claim")->empty())
    return core::refuse(Code::kInvalidInput, "claim name is required", "claim");
  drop_empty(in, request);
  if (given.has("timestamp") && request.contains("append_body"))
    request["append_body"] = stamped(text_of(request, "append_body"), in.env().clock.now());
  Result<json::value> answer = core::refuse(Code::kNoChanges, "no changes specified");
  auto const act = [&](std::string_view operation, json::object const& r) -> Result<void> {
    ANDON_SET(answer, in.call(operation, r));
    return {};
  };
  if (auto const name = given.value("claim")) {
    json::object claim{{"id", request.at("id")}, {"by", *name}};
    if (auto const* force = request.if_contains("force")) claim["force"] = *force;
    ANDON_CHECK(act("claim_task", claim));
    request["claim"] = *name;
  }
  if (changes_something(request)) ANDON_CHECK(act("update_task", request));
  if (given.has("unblock")) ANDON_CHECK(act("unblock_task", {{"id", request.at("id")}}));
  if (auto const reason = given.value("block")) {
    auto block = step(request);
    block["reason"] = *reason;
    ANDON_CHECK(act("block_task", block));
  }
  if (given.has("release")) ANDON_CHECK(act("release_task", step(request)));
  if (!answer) return std::unexpected(std::move(answer).error());
  auto text = filled(in.command().operation->command.says, answer->as_object()) + "\n";
  return Done{*std::move(answer), std::move(text)};
}

Result<Done> move_task(Invocation& in, json::object request) {
  auto const& given = in.given();
  if (given.has("next") && given.has("prev"))
    return core::refuse(Code::kStatusConflict, "cannot use --next and --prev together");
  bool const steps = !request.contains("status");
  if (steps && !given.has("next") && !given.has("prev"))
    return core::refuse(Code::kInvalidInput, "provide a target status, or use --next or --prev", "status");
  auto const before = fetch(in, request.at("id"));
  if (!before && steps) return std::unexpected(before.error());
  if (steps) ANDON_SET(request["status"], next_column(in, *before, given.has("next")));
  ANDON_TRY(auto answer, in.call("move_task", request));
  auto const& task = answer.as_object();
  bool const changed = !before || before->status != text_of(task, "status");
  if (before && before->blocked && changed)
    in.screen().tell("Warning: task #" + text_of(task, "id") + " is blocked (" + before->block_reason + ")");
  auto const sentence = changed ? in.command().operation->command.says : "Task #{id} is already at {status}";
  auto text = filled(sentence, task) + "\n";
  return moved(std::move(answer), changed, std::move(text));
}

Result<Done> archive_task(Invocation& in, json::object request) {
  auto const before = fetch(in, request.at("id"));
  ANDON_TRY(auto answer, in.call("archive_task", request));
  bool const changed = !before || before->stage != core::Stage::archived;
  auto const sentence = changed ? in.command().operation->command.says : "Task #{id} is already archived";
  auto text = filled(sentence, answer.as_object()) + "\n";
  return moved(std::move(answer), changed, std::move(text));
}

Result<Done> pick_task(Invocation& in, json::object request) {
  if (auto const name = in.given().value("claim"); name && name->empty())
    return core::refuse(Code::kInvalidInput, "--claim needs a name; make one with: andon agent-name",
                        "claim");
  bool const several = request.contains("limit");
  ANDON_TRY(auto answer, in.call(several ? "pick_tasks" : "pick_task", request));
  json::array one;
  auto& tasks = several ? answer.at("items").as_array() : one;
  if (!several) tasks.push_back(answer);
  std::string text;
  for (auto& task : tasks) {
    if (in.given().has("no-body")) task.as_object().erase("body");
    auto const sentence = request.contains("move") ? "Picked and moved task #{id} -> {status}: {title}"
                                                   : in.command().operation->command.says;
    text += (text.empty() ? "" : "\n") + filled(sentence, task.as_object()) + "\n\n";
    if (in.screen().is_json()) continue;
    ANDON_TRY(auto const shown, page(in, task));
    text += shown;
  }
  if (!several) answer = std::move(tasks.front());
  return Done{std::move(answer), std::move(text)};
}

Result<Done> handoff_task(Invocation& in, json::object request) {
  auto const reason = in.given().value("block");
  bool const blocks = reason.has_value();
  if (blocks && reason->empty())
    return core::refuse(Code::kInvalidInput, "block reason is required", "block");
  if (in.given().has("timestamp") && request.contains("note"))
    request["note"] = stamped(text_of(request, "note"), in.env().clock.now());
  bool const releases = blocks && drop(request, "release") == "true";
  ANDON_TRY(auto answer, in.call("handoff_task", request));
  if (blocks) {
    auto block = step(request);
    block["reason"] = *reason;
    ANDON_SET(answer, in.call("block_task", block));
  }
  if (releases) ANDON_SET(answer, in.call("release_task", step(request)));
  auto text = filled(in.command().operation->command.says, answer.as_object()) + "\n";
  return Done{std::move(answer), std::move(text)};
}

Result<Done> heartbeat(Invocation& in, json::object request) {
  auto const epoch = in.env().variable("ANDON_EPOCH");
  if (!request.contains("epoch") && !epoch.empty() &&
      text_of(request, "id") == in.env().variable("ANDON_TASK"))
    request["epoch"] = std::strtoll(epoch.c_str(), nullptr, 10);
  if (!request.contains("epoch")) {
    ANDON_TRY(auto const task, fetch(in, request.at("id")));
    ANDON_TRY(auto const name, in.own_name());
    if (task.claimed_by != name)
      return core::refuse(core::Error{
          Code::kTaskClaimed,
          task.claimed_by.empty() ? "nobody holds task #" + std::to_string(task.id)
                                  : "task #" + std::to_string(task.id) + " is claimed by " + task.claimed_by +
                                        "; give its --epoch, or act as its holder with --as",
          {},
          {},
          {}}.with("id", task.id)
                              .with("claimed_by", task.claimed_by));
    request["epoch"] = task.epoch;
  }
  ANDON_TRY(auto answer, in.call("heartbeat", request));
  auto const& told = answer.as_object();
  auto text = told.contains("claim_expires") ? filled(in.command().operation->command.says, told) + "\n"
                                             : std::string{"The claim never expires\n"};
  if (text_of(told, "cancelled") == "true") text += "Stop: the run is being stopped\n";
  return Done{std::move(answer), std::move(text)};
}

}  // namespace andon::cli
