#include <array>

#include "api/operation.hpp"
#include "service/history/history.hpp"
#include "service/history/retention.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

std::span<Operation const> history_operations() {
  static std::array const rows{
      // clang-format off
      streaming(slow(op<&service::list_events>("list_events", get, "/events", read, cli_and_http, Access::run, "Read the history.", {"log", "task?", ""}))),
      op<&service::show_retention>("show_retention", get, "/store/retention", read, cli_and_http, Access::person, "Show for how long history, runs and their files are kept.", {"store retention", "", ""}),
      op<&service::change_retention>("change_retention", patch, "/store/retention", write, cli_and_http, Access::admin, "Set for how long history, runs and their files are kept.", {"store keep", "", "Kept from now on: history {history}, files of runs {run_files}, feed {feed}"}),
      op<&service::trim_store>("trim_store", post, "/store/trim", write, http, Access::admin, "Remove a slice of what is over its time."),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
