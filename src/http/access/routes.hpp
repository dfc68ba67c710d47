#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.hpp"
#include "api/request.hpp"

namespace andon::http {

/// Who gets through a route. There is no route without one.
enum class RequiredRole {
  open,    ///< everybody; it tells and changes nothing of the boards
  run,     ///< every token
  person,  ///< not runs
  admin,
};

/// What serves a route that is more, or something else, than a row of the operation table.
enum class Service {
  operation,
  events,
  run_output,
  run_output_report,
  agents,
  sign_in,
  sign_out,
  openapi,
  health,
  ready,
  metrics
};

struct Route {
  std::string_view method;
  std::string pattern;  ///< from the root; `{field}` stands for one segment
  RequiredRole required_role = RequiredRole::admin;
  Service service = Service::operation;
  api::Operation const* operation = nullptr;
};

struct Match {
  Route const* route = nullptr;
  api::TextPairs path{};               ///< decoded
  std::vector<std::string> allowed{};  ///< methods of routes that differ in the method only
};

/// Every route of the server: those of the operation table and a few named ones.
std::vector<Route> const& routes();
/// Finds the route of a request; `HEAD` counts as `GET`.
Match find_route(std::string_view method, std::string_view path);
/// Whether a path belongs to the API; every other one is the page's.
bool is_api_path(std::string_view path);

}  // namespace andon::http
