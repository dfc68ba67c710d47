#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/request.hpp"

namespace andon::api {
struct Operation;
}

namespace andon::http {

/// The role that a route requires. Every route has one.
enum class RequiredRole {
  open,    ///< anyone; the route neither reveals nor changes anything of the boards
  run,     ///< every token
  person,  ///< every credential except those of runs
  admin,
};

/// The service behind a route. All except `operation` do more than a row of the operation table describes.
enum class Service {
  operation,
  events,
  run_output,
  run_output_report,
  run_log,
  agents,
  telegram,
  proof,
  sign_in,
  sign_out,
  phone_link,
  proposal,
  confirmation,
  openapi,
  health,
  ready,
  servers,
  metrics,
  mcp
};

struct Route {
  std::string_view method;
  std::string pattern;  ///< from the root; `{field}` matches one segment
  RequiredRole required_role = RequiredRole::admin;
  Service service = Service::operation;
  api::Operation const* operation = nullptr;
  std::ptrdiff_t depth = 0;  ///< segments of the pattern
};

struct Match {
  Route const* route = nullptr;
  api::TextPairs path{};               ///< decoded
  std::vector<std::string> allowed{};  ///< methods of routes with this path, if the method does not fit
};

/// Every route of the server: those of the operation table and a few named ones.
std::vector<Route> const& routes();
/// Finds the route of a request; `HEAD` counts as `GET`.
Match find_route(std::string_view method, std::string_view path);
/// Whether a path belongs to the API. All other paths belong to the page.
bool is_api_path(std::string_view path);

}  // namespace andon::http
