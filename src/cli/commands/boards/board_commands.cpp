#include <algorithm>

#include "api/operation.hpp"
#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/views/board_views.hpp"
#include "cli/views/spending_words.hpp"
#include "cli/views/views.hpp"
#include "core/model/clone_url.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/metrics.hpp"
#include "service/insight/summary.hpp"
#include "service/runs/dispatch.hpp"
#include "service/workers/workers.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Result;

Result<CommandResult> set_dispatch(Invocation& in, json::object const& request, bool paused) {
  std::string_view const state = paused ? "paused" : "on";
  if (auto const worker = text_of(request, "worker"); !worker.empty()) {
    auto const& operation =
        paused ? api::row_of<&service::pause_worker>() : api::row_of<&service::resume_worker>();
    ANDON_TRY(auto answer, in.call(operation, {{"name", worker}}));
    auto text = filled(operation.command.says, answer.as_object()) + "\n";
    return CommandResult{std::move(answer), std::move(text)};
  }
  json::object wanted{{"paused", paused}};
  auto const board = in.given().value("board").value_or("");
  if (!board.empty()) wanted["board"] = board;
  ANDON_TRY(auto answer, in.call<&service::set_dispatch>(wanted));
  return CommandResult{std::move(answer), "Dispatch" + (board.empty() ? "" : " of board " + board) + " is " +
                                              std::string{state} + "\n"};
}

/// The day of a board or a worker in words; empty where nothing was spent or the caller may not see it.
std::string spent_today(Invocation& in, std::string service::DayBudget::* whose, std::string const& name) {
  auto const answer = in.call<&service::dispatch_status>({});
  if (!answer) return {};
  auto const status = answer_as<service::DispatchStatus>(*answer);
  if (!status) return {};
  auto const found = std::ranges::find(status->budgets, name, whose);
  return found == status->budgets.end() ? "" : day_words(*found);
}

/// The name of the board that the request names by its name or its number.
std::string board_named(Invocation& in, json::object const& request) {
  auto const answer = in.call<&service::get_board>({{"board", request.at("board")}});
  return answer ? text_of(answer->as_object(), "name") : std::string{};
}

Result<CommandResult> draw_board(Invocation& in, json::object const& request) {
  ANDON_TRY(auto answer, in.call<&service::board_summary>(request));
  ANDON_TRY(auto const summary, answer_as<service::BoardSummary>(answer));
  if (!request.contains("group_by")) {
    auto text = summary_page(summary, in.screen());
    if (in.screen().is_json() || in.env().is_kanban_md()) return CommandResult{std::move(answer), text};
    auto const spent = spent_today(in, &service::DayBudget::board, board_named(in, request));
    if (!spent.empty()) text += "\nSpent today: " + one_line(spent) + "\n";
    return CommandResult{std::move(answer), std::move(text)};
  }
  auto const& lanes = summary.groups.value_or(std::vector<service::Swimlane>{});
  if (lanes.empty() && !in.screen().is_json()) in.screen().tell("No tasks found.");
  return CommandResult{json::object{{"groups", answer.at("groups")}}, swimlane_page(lanes)};
}

/// Draws the board again whenever it has changed, until the program is ended.
Result<CommandResult> watch_board(Invocation& in, json::object const& request) {
  constexpr std::chrono::milliseconds kBetweenLooks{250};
  constexpr std::string_view kClear = "\x1b[2J\x1b[H";
  std::string drawn;
  do {
    auto now = draw_board(in, request);
    in.disconnect();
    // Others use the board meanwhile, and may have it for themselves just now.
    bool const later = !now && now.error().code == core::Code::kBusy && !drawn.empty();
    if (!now && !later) return std::unexpected(std::move(now).error());
    if (!now || now->text == drawn) continue;
    drawn = std::move(now->text);
    in.screen().print(in.env().out_is_terminal ? std::string{kClear} + drawn : drawn + "\n");
    in.env().out.flush();
  } while (in.env().pause && in.env().pause(kBetweenLooks));
  return CommandResult{};
}

void name_repo_from_everywhere(Invocation& in, json::object& request) {
  if (auto const repo = text_of(request, "repo"); !repo.empty())
    request["repo"] = repo_from(in.env().directory, repo);
}

}  // namespace

std::string repo_from(std::filesystem::path const& directory, std::string const& repo) {
  bool const is_path = !core::is_clone_url(repo) && core::fault_of_repo(repo).empty();
  if (!is_path || repo.empty()) return repo;
  auto path = (directory / repo).lexically_normal();
  return path.has_filename() ? path.native() : path.parent_path().native();
}

Result<CommandResult> create_board(Invocation& in, json::object request) {
  if (auto const statuses = in.given().values("statuses"); !statuses.empty()) {
    ANDON_TRY(auto const columns, columns_from(statuses));
    ANDON_SET(request["columns"], reflect::parse_json(reflect::to_json(columns)));
  }
  name_repo_from_everywhere(in, request);
  return call_operation(in, std::move(request));
}

Result<CommandResult> edit_board(Invocation& in, json::object request) {
  name_repo_from_everywhere(in, request);
  return call_operation(in, std::move(request));
}

/// The server may run anywhere, so the path is made one that counts from everywhere.
Result<CommandResult> attach_board(Invocation& in, json::object request) {
  if (auto const given = text_of(request, "directory"); !given.empty())
    request["directory"] = (in.env().directory / given).lexically_normal().native();
  return call_operation(in, std::move(request));
}

Result<CommandResult> show_board(Invocation& in, json::object request) {
  if (!request.contains("board")) ANDON_SET(request["board"], in.board_or_first());
  return call_operation(in, std::move(request));
}

Result<CommandResult> summarize_board(Invocation& in, json::object request) {
  if (!request.contains("board")) ANDON_SET(request["board"], in.board_or_first());
  if (in.given().has("watch") && !in.screen().is_json()) return watch_board(in, request);
  return draw_board(in, request);
}

Result<CommandResult> show_worker(Invocation& in, json::object request) {
  auto const name = text_of(request, "name");
  ANDON_TRY(auto out, call_operation(in, std::move(request)));
  if (in.screen().is_json()) return out;
  if (auto const spent = spent_today(in, &service::DayBudget::worker, name); !spent.empty())
    out.text += "spent_today: " + one_line(spent) + "\n";
  return out;
}

/// kanban-md tells work under way in the order of its numbers, Andon the longest started first.
Result<CommandResult> measure_flow(Invocation& in, json::object request) {
  ANDON_TRY(auto answer, in.call<&service::flow_metrics>(request));
  if (auto* const items = answer.as_object().if_contains("aging_items"); items && in.env().is_kanban_md())
    std::ranges::sort(items->as_array(), {},
                      [](json::value const& item) { return item.at("id").to_number<std::int64_t>(); });
  std::string text;
  if (!in.screen().is_json()) ANDON_SET(text, view_of(in, *in.command().operation, answer));
  return CommandResult{std::move(answer), std::move(text)};
}

Result<CommandResult> pause_dispatch(Invocation& in, json::object request) {
  return set_dispatch(in, request, true);
}
Result<CommandResult> resume_dispatch(Invocation& in, json::object request) {
  return set_dispatch(in, request, false);
}

}  // namespace andon::cli
