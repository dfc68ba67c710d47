#include "mcp/tools/tools.hpp"

#include <algorithm>
#include <array>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/description/schema.hpp"
#include "api/error_json.hpp"
#include "api/operation.hpp"
#include "core/text/visible_text.hpp"

namespace andon::mcp {
namespace {

using core::Code;

struct NameRow {
  std::string_view name;
  std::string_view operation;
};
constexpr std::array kKanbanMdNames{
    NameRow{"kanban_list", "list_tasks"},     NameRow{"kanban_show", "get_task"},
    NameRow{"kanban_create", "create_task"},  NameRow{"kanban_edit", "update_task"},
    NameRow{"kanban_move", "move_task"},      NameRow{"kanban_delete", "delete_task"},
    NameRow{"kanban_board", "board_summary"}, NameRow{"kanban_metrics", "flow_metrics"},
    NameRow{"kanban_pick", "pick_task"},
};

/// Advice for a model after a refusal, by code.
struct AdviceRow {
  Code code;
  std::string_view says;
  std::string_view to_kanban_md{};  ///< where the names of other tools stand in it
};
constexpr std::array kAdvice{
    AdviceRow{Code::kTaskNotFound, "call list_tasks or search_tasks to find its number",
              "call kanban_list to find its number"},
    AdviceRow{Code::kBoardNotFound, "call list_boards for the names", "leave the board out: there is one"},
    AdviceRow{Code::kInvalidStatus, "call board_summary for the columns of the board",
              "call kanban_board for its columns"},
    AdviceRow{Code::kTaskClaimed, "somebody else works on it: pick another task"},
    AdviceRow{Code::kClaimRequired, "call claim_task first",
              "name yourself in \"claim\", or call kanban_pick"},
    AdviceRow{Code::kStaleClaim, "your claim is over: stop work on this task"},
    AdviceRow{Code::kWorkerBusy, "finish or release the task you hold before you claim another one"},
    AdviceRow{Code::kNothingToPick, "there is no work for you now: end, or ask again later"},
    AdviceRow{Code::kPickUnfinished, "call pick_task again: it goes on where it stopped",
              "call kanban_pick again: it goes on where it stopped"},
    AdviceRow{Code::kWipLimitExceeded, "the column is full: finish what is in it first"},
    AdviceRow{Code::kDependencyOpen, "finish the tasks it depends on first"},
    AdviceRow{Code::kApprovalRequired, "a person has to approve it: leave it in the backlog"},
    AdviceRow{Code::kForbidden, "this needs rights that you do not have: ask a person"},
    AdviceRow{Code::kRateLimited, "wait a minute, then call again"},
    AdviceRow{Code::kBusy, "call again in a moment"},
};

/// The members of a task that a run is told.
constexpr std::array<std::string_view, 26> kShortTask{
    "id",           "key",      "title",      "board",         "status", "stage",   "priority",   "class",
    "role",         "assignee", "claimed_by", "claim_expires", "epoch",  "parent",  "depends_on", "blocked",
    "block_reason", "question", "attempt",    "max_attempts",  "tags",   "touches", "flag",       "body",
    "result",       "due"};

bool is_run(service::Caller const& caller) { return caller.role == service::Role::run; }

bool is_offered_field(OfferedTool const& tool, std::string_view name, service::Caller const& caller) {
  auto const& how = tool.operation->tool;
  return !api::names_field(how.but, name) && (!is_run(caller) || api::names_field(how.of_run, name));
}

reflect::Member const* member_of(OfferedTool const& tool, std::string_view name) {
  auto const members = tool.operation->request->members();
  auto const found = std::ranges::find(members, name, &reflect::Member::name);
  return found == members.end() ? nullptr : &*found;
}

/// Whether the server fills in this argument for the caller: a run has one task, one claim and one board.
bool is_filled_in(std::string_view name, service::Caller const& caller) {
  return is_run(caller) && (name == "id" || name == "epoch" || name == "board");
}

/// A schema without lists of types, which some clients refuse: the first type stands for all.
json::value portable(json::value schema) {
  if (auto* object = schema.if_object()) {
    for (auto& member : *object) {
      auto* types = member.key() == "type" ? member.value().if_array() : nullptr;
      member.value() = types && !types->empty() ? types->front() : portable(std::move(member.value()));
    }
  } else if (auto* list = schema.if_array()) {
    for (auto& item : *list) item = portable(std::move(item));
  }
  return schema;
}

json::object input_schema(OfferedTool const& tool, service::Caller const& caller) {
  std::vector<std::string_view> left_out;
  for (auto const& member : tool.operation->request->members())
    if (!is_offered_field(tool, member.name, caller)) left_out.push_back(member.name);
  auto schema = api::schema_of(*tool.operation->request, api::SchemaFor::request, left_out);
  if (auto* required = schema.if_contains("required")) {
    json::array kept;
    for (auto const& name : required->as_array())
      if (!is_filled_in({name.as_string().data(), name.as_string().size()}, caller)) kept.push_back(name);
    if (kept.empty())
      schema.erase("required");
    else
      *required = std::move(kept);
  }
  return portable(std::move(schema)).as_object();
}

json::object annotations(api::Operation const& operation) {
  bool const repeats = operation.effect == api::Effect::read || operation.method == api::Method::patch ||
                       operation.method == api::Method::put;
  return {{"readOnlyHint", operation.effect == api::Effect::read},
          {"destructiveHint", operation.effect == api::Effect::destroy},
          {"idempotentHint", repeats},
          {"openWorldHint", false}};
}

json::object content(std::string text) { return {{"type", "text"}, {"text", std::move(text)}}; }

/// Advice about a refusal; empty when there is none.
std::string advice_about(core::Error const& error, bool is_kanban_md) {
  auto const row = std::ranges::find(kAdvice, error.code, &AdviceRow::code);
  if (row != kAdvice.end())
    return std::string{is_kanban_md && !row->to_kanban_md.empty() ? row->to_kanban_md : row->says};
  if (error.field.empty() || core::row(error.code).http >= 500) return {};
  return "correct \"" + error.field + "\", then call again";
}

json::object refusal(core::Error const& error, bool is_kanban_md) {
  auto const text = api::error_json(error.code == Code::kInternalError ? api::without_inside(error) : error);
  auto read = read_own(text);
  auto told = read && read->is_object() ? std::move(read->get_object()) : json::object{{"error", text}};
  if (auto const advice = advice_about(error, is_kanban_md); !advice.empty()) told["next"] = advice;
  return {{"content", json::array{content(json::serialize(told))}}, {"isError", true}};
}

std::unexpected<core::Error> unknown_argument(OfferedTool const& tool, std::string_view name,
                                              service::Caller const& caller) {
  std::string known;
  for (auto const& member : tool.operation->request->members())
    if (is_offered_field(tool, member.name, caller))
      known += (known.empty() ? "" : ", ") + std::string{member.name};
  return core::refuse(Code::kUnknownField,
                      "the tool " + tool.name + " has no argument \"" + std::string{name} + "\"; it has " +
                          (known.empty() ? "none" : known),
                      std::string{name});
}

/// Without what a run has no use for.
json::value shortened(json::value answer) {
  auto* object = answer.if_object();
  if (!object) return answer;
  if (auto* items = object->if_contains("items"); items && items->is_array())
    for (auto& item : items->as_array()) item = shortened(std::move(item));
  if (!object->contains("stage") || !object->contains("title")) return answer;
  json::object out;
  for (auto const name : kShortTask)
    if (auto* value = object->if_contains(name)) out[name] = std::move(*value);
  return out;
}

}  // namespace

std::vector<OfferedTool> tools_for(service::Caller const& caller, Names names) {
  std::vector<OfferedTool> out;
  if (names == Names::kanban_md) {
    for (auto const& row : kKanbanMdNames)
      out.push_back({std::string{row.name}, api::find_operation(row.operation)});
    return out;
  }
  for (auto const& operation : api::operations()) {
    if (operation.tool.says.empty() || (is_run(caller) && operation.tool.of_run.empty())) continue;
    out.push_back({std::string{operation.name}, &operation});
  }
  return out;
}

json::object described(OfferedTool const& tool, service::Caller const& caller) {
  auto const& operation = *tool.operation;
  auto const says = operation.tool.says.empty() ? operation.summary : operation.tool.says;
  json::object out{{"name", tool.name},
                   {"description", api::json_text(says)},
                   {"inputSchema", input_schema(tool, caller)},
                   {"annotations", annotations(operation)}};
  if (!is_run(caller)) out["outputSchema"] = api::schema_of(*operation.response, api::SchemaFor::response);
  return out;
}

core::Result<api::Call> call_of(OfferedTool const& tool, json::object arguments,
                                service::Caller const& caller) {
  for (auto const& argument : arguments) {
    std::string_view const name{argument.key().data(), argument.key().size()};
    if (!is_offered_field(tool, name, caller)) return unknown_argument(tool, name, caller);
  }
  if (caller.run) {
    auto const fill = [&](std::string_view name, json::value value) {
      auto const* member = member_of(tool, name);
      bool const is_needed = member && (member->presence == core::required || name == "epoch");
      if (is_needed && !arguments.contains(name)) arguments[name] = std::move(value);
    };
    fill("id", std::int64_t{caller.run->task});
    fill("epoch", std::int64_t{caller.run->epoch});
    fill("board", json::string{caller.run->board});
    bool const creates = tool.operation->creates == api::Creates::task;
    if (creates && !arguments.contains("board")) arguments["board"] = caller.run->board;
  }
  api::Call call;
  call.operation = tool.operation;
  ANDON_SET(call.request, api::decode(*tool.operation, arguments));
  call.caller = caller;
  call.caller.source = core::Source::mcp;
  return call;
}

json::object result_of(OfferedTool const& tool, core::Result<api::Answer> const& answer,
                       service::Caller const& caller) {
  bool const is_kanban_md = tool.name != tool.operation->name;
  if (!answer) return refusal(answer.error(), is_kanban_md);
  auto read = read_own(answer->text());
  if (!read) return refusal({Code::kTooLarge, read.error().message, {}, {}, {}}, is_kanban_md);
  auto told = is_run(caller) ? shortened(*std::move(read)) : *std::move(read);
  auto text = json::serialize(told);
  if (core::holds_hidden(text)) {
    text = core::visible_text(text);
    told = json::parse(text);
  }
  json::object out{{"content", json::array{content(std::move(text))}}};
  if (told.is_object()) out["structuredContent"] = std::move(told);
  return out;
}

}  // namespace andon::mcp
