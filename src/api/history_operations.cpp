#include <array>

#include "api/operation.hpp"
#include "core/model/task.hpp"
#include "service/history/history.hpp"
#include "service/history/retention.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

std::span<Operation const> history_operations() {
  using enum FlagKind;
  static std::array const rows{
      // clang-format off
      op<&service::list_events>({
          .name = "list_events", .method = get, .path = "/events",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Read the history.",
          .command = {
              .words = "log", .positional = "task?",
              .flags = {
                  {.name = "since", .kind = handled,
                   .help = "Only what happened after this date, time or span (2026-11-21, 2h)"},
                  {.name = "limit", .letter = 'n', .kind = handled, .help = "Only the last so many"},
                  {.name = "action", .kind = handled,
                   .help = "Only this kind: create, move, edit, task.claimed, ..."},
              },
          },
          .can_stream = true,
          .takes_long = &always,
      }),
      op<&service::show_retention>({
          .name = "show_retention", .method = get, .path = "/store/retention",
          .effect = read, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Show for how long history, runs and their files are kept.",
          .command = {.words = "store retention"},
      }),
      op<&service::change_retention>({
          .name = "change_retention", .method = patch, .path = "/store/retention",
          .effect = write, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "Set for how long history, runs and their files are kept.",
          .command = {.words = "store keep",
                      .says = "Kept from now on: history {history}, files of runs {run_files}, feed {feed}"},
      }),
      op<&service::trim_store>({
          .name = "trim_store", .method = post, .path = "/store/trim",
          .effect = write, .surfaces = http, .access = Access::admin,
          .summary = "Remove a slice of what is over its time.",
      }),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
