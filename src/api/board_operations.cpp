#include <array>

#include "api/operation.hpp"
#include "service/boards/attach.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/context.hpp"
#include "service/insight/forecast.hpp"
#include "service/insight/live.hpp"
#include "service/insight/metrics.hpp"
#include "service/insight/summary.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

std::span<Operation const> board_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_boards>("list_boards", get, "/boards", read, all, Access::run, "List the boards with their columns and counts.", {"boards list", "", ""}),
      op<&service::create_board>("create_board", post, "/boards", write, all, Access::person, "Make a board from a template.", {"boards create", "name", "Created board {name}"}, 201),
      op<&service::get_board>("get_board", get, "/boards/{board}", read, all, Access::run, "Show one board.", {"boards show", "board?", ""}),
      op<&service::edit_board>("edit_board", patch, "/boards/{board}", write, all, Access::person, "Change a board's columns and policies.", {"boards edit", "board", "Changed board {name}"}),
      op<&service::delete_board>("delete_board", del, "/boards/{board}", destroy, all, Access::admin, "Remove an empty board, archive one with tasks.", {"boards archive", "board", "Board {name}: {status}"}),
      op<&service::attach_board>("attach_board", post, "/boards/attach", write, cli_and_http, Access::admin, "Make a directory of Markdown files a board of this server.", {"boards attach", "directory", "Attached board {name}: {directory}"}, 201),
      op<&service::detach_board>("detach_board", post, "/boards/{board}/detach", write, cli_and_http, Access::admin, "Take an attached board off this server; its files stay.", {"boards detach", "board", "Detached board {name}; its files stay in {directory}"}),
      op<&service::board_summary>("board_summary", get, "/boards/{board}/summary", read, all, Access::run, "Show a board in numbers.", {"board", "board?", ""}),
      op<&service::board_context>("board_context", get, "/boards/{board}/context", read, cli_and_http, Access::run, "Describe a board for the context of people and agents: what is under way, blocked, late and done.", {"context", "", ""}),
      slow(op<&service::flow_metrics>("flow_metrics", get, "/metrics/flow", read, all, Access::run, "Show how work flows over a board: throughput, times, workers, cumulative flow.", {"metrics", "", ""})),
      slow(op<&service::forecast>("forecast", get, "/metrics/forecast", read, all, Access::run, "Forecast from past throughput when tasks will be finished, or how many by a day.", {"forecast", "", ""})),
      op<&service::snapshot>("snapshot", get, "/boards/{board}/snapshot", read, http, Access::person, "Everything a board view needs, with the place in the history it is true at."),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
