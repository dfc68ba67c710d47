#include <array>

#include "api/operation.hpp"
#include "api/workspace_port.hpp"
#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "service/boards/attach.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/attention.hpp"
#include "service/insight/context.hpp"
#include "service/insight/forecast.hpp"
#include "service/insight/live.hpp"
#include "service/insight/metrics.hpp"
#include "service/insight/summary.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

namespace {

/// Lets the machine examine the repository of a board and define the commands that the request names.
template <auto Ask, class Request>
Preparation answered_by_machine() {
  auto out = detail::asking<Ask>();
  out.answer = [](Ports const& ports, void const* question, void* request) -> core::Result<void> {
    if (!ports.workspace) return {};
    auto& asked = *static_cast<Request*>(request);
    ANDON_SET(asked.examined, ports.workspace->examine_repository(
                                  *static_cast<service::ExamineRepositoryRequest const*>(question)));
    if (asked.commands) ANDON_SET(asked.defined, ports.workspace->machine_commands());
    return {};
  };
  return out;
}

}  // namespace

std::span<Operation const> board_operations() {
  using enum FlagKind;
  using enum Takes;
  static std::array const rows{
      // clang-format off
      op<&service::list_boards>({
          .name = "list_boards", .method = get, .path = "/boards",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "List the boards with their columns and counts.",
          .command = {.words = "boards list"},
          .tool = {.says = "Lists the boards with their columns.",
                   .but = "archived"},
      }),
      op<&service::create_board>({
          .name = "create_board", .method = post, .path = "/boards",
          .effect = write, .surfaces = all, .access = Access::person,
          .summary = "Make a board from a template.",
          .command = {
              .words = "boards create", .positional = "name", .says = "Created board {name}",
              .flags = {
                  {.name = "statuses", .kind = handled, .takes = list,
                   .help = "Columns in order, each NAME or NAME:LIMIT"},
              },
          },
          .status = 201,
          .prepare = answered_by_machine<&service::repository_of_new_board, service::CreateBoardRequest>(),
      }),
      op<&service::get_board>({
          .name = "get_board", .method = get, .path = "/boards/{board}",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "Show one board.",
          .command = {.words = "boards show", .positional = "board?"},
      }),
      op<&service::edit_board>({
          .name = "edit_board", .method = patch, .path = "/boards/{board}",
          .effect = write, .surfaces = all, .access = Access::person,
          .summary = "Change a board's columns and policies.",
          .command = {.words = "boards edit", .positional = "board", .says = "Changed board {name}"},
          .prepare = answered_by_machine<&service::repository_of_edited_board, service::EditBoardRequest>(),
      }),
      op<&service::delete_board>({
          .name = "delete_board", .method = del, .path = "/boards/{board}",
          .effect = destroy, .surfaces = all, .access = Access::admin,
          .summary = "Remove an empty board, archive one with tasks.",
          .command = {.words = "boards archive", .positional = "board", .says = "Board {name}: {status}"},
          .confirms = Confirms::on_terminal,
      }),
      op<&service::attach_board>({
          .name = "attach_board", .method = post, .path = "/boards/attach",
          .effect = write, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "Make a directory of Markdown files a board of this server.",
          .command = {.words = "boards attach", .positional = "directory",
                      .says = "Attached board {name}: {directory}"},
          .status = 201,
      }),
      op<&service::detach_board>({
          .name = "detach_board", .method = post, .path = "/boards/{board}/detach",
          .effect = write, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "Take an attached board off this server; its files stay.",
          .command = {.words = "boards detach", .positional = "board",
                      .says = "Detached board {name}; its files stay in {directory}"},
      }),
      op<&service::list_attention>({
          .name = "list_attention", .method = get, .path = "/attention",
          .effect = read, .surfaces = cli_and_http, .access = Access::person,
          .summary = "List what waits for a person, on all boards.",
          .command = {.words = "attention"},
          .takes_long = &always,
      }),
      op<&service::board_summary>({
          .name = "board_summary", .method = get, .path = "/boards/{board}/summary",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "Show a board in numbers.",
          .command = {
              .words = "board", .positional = "board?",
              .flags = {
                  {.name = "watch", .letter = 'w', .kind = handled, .takes = nothing,
                   .help = "Draw it anew whenever it changes"},
              },
          },
          .tool = {.says = "Shows a board in numbers: tasks by column, blocked, overdue, WIP limits.",
                   .of_run = "board"},
      }),
      op<&service::board_context>({
          .name = "board_context", .method = get, .path = "/boards/{board}/context",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Describe a board for the context of people and agents: what is under way, "
                     "blocked, late and done.",
          .command = {
              .words = "context",
              .flags = {
                  {.name = "write-to", .kind = handled,
                   .help = "File whose marked block is replaced, or that gets one"},
              },
          },
      }),
      op<&service::flow_metrics>({
          .name = "flow_metrics", .method = get, .path = "/metrics/flow",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "Show how work flows over a board: throughput, times, workers, cumulative flow.",
          .command = {.words = "metrics"},
          .tool = {.says = "Shows how work flows over a board: throughput, lead and cycle time."},
          .takes_long = &always,
      }),
      op<&service::forecast>({
          .name = "forecast", .method = get, .path = "/metrics/forecast",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "Forecast from past throughput when tasks will be finished, or how many by a day.",
          .command = {.words = "forecast"},
          .takes_long = &always,
      }),
      op<&service::snapshot>({
          .name = "snapshot", .method = get, .path = "/boards/{board}/snapshot",
          .effect = read, .surfaces = http, .access = Access::person,
          .summary = "Everything a board view needs, with the place in the history it is true at.",
      }),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
