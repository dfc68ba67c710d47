#include <array>

#include "api/operation.hpp"
#include "service/history.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

std::span<Operation const> history_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_events>("list_events", get, "/events", read, cli_and_http, Access::run, "Read the history.", {"log", "task?", ""}),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
