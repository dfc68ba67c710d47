#include "http/access/routes.hpp"

#include <algorithm>
#include <array>

#include "api/access/server_proof.hpp"
#include "api/operation.hpp"
#include "core/text/percent.hpp"
#include "http/wire/address.hpp"

namespace andon::http {
namespace {

constexpr std::string_view kBase = "/api/v1";

struct Named {
  std::string_view method;
  std::string_view pattern;
  RequiredRole required_role;
  Service service;
};
constexpr std::array kNamed{
    Named{"GET", "/api/v1/runs/{id}/output", RequiredRole::run, Service::run_output},
    Named{"POST", "/api/v1/runs/{id}/output", RequiredRole::admin, Service::run_output_report},
    Named{"GET", "/api/v1/runs/{id}/log", RequiredRole::run, Service::run_log},
    Named{"GET", "/api/v1/agents", RequiredRole::person, Service::agents},
    Named{"GET", "/api/v1/telegram", RequiredRole::person, Service::telegram},
    Named{"GET", "/api/v1/servers", RequiredRole::person, Service::servers},
    Named{"POST", api::kProofPath, RequiredRole::open, Service::proof},
    Named{"POST", "/api/v1/session", RequiredRole::open, Service::sign_in},
    Named{"DELETE", "/api/v1/session", RequiredRole::person, Service::sign_out},
    Named{"POST", "/api/v1/session/phone", RequiredRole::admin, Service::phone_link},
    Named{"GET", "/api/v1/confirmations/{code}", RequiredRole::admin, Service::proposal},
    Named{"POST", "/api/v1/confirmations/{code}", RequiredRole::admin, Service::confirmation},
    Named{"GET", "/openapi.json", RequiredRole::run, Service::openapi},
    Named{"GET", "/healthz", RequiredRole::open, Service::health},
    Named{"GET", "/readyz", RequiredRole::run, Service::ready},
    Named{"GET", "/metrics", RequiredRole::person, Service::metrics},
    Named{"GET", "/mcp", RequiredRole::run, Service::mcp},
    Named{"POST", "/mcp", RequiredRole::run, Service::mcp},
    Named{"DELETE", "/mcp", RequiredRole::run, Service::mcp},
};

constexpr std::array<std::string_view, 6> kApiRoots{"/api",    "/openapi.json", "/healthz",
                                                    "/readyz", "/metrics",      "/mcp"};

RequiredRole required_role_of(api::Access access) {
  switch (access) {
    case api::Access::run:
    case api::Access::runner: return RequiredRole::run;
    case api::Access::person: return RequiredRole::person;
    case api::Access::admin: break;
  }
  return RequiredRole::admin;
}

std::ptrdiff_t depth_of(std::string_view path) { return std::ranges::count(path, '/'); }

std::vector<Route> all_routes() {
  std::vector<Route> out;
  for (auto const& operation : api::operations()) {
    if (operation.surfaces == api::Surfaces::internal) continue;
    auto const service = operation.can_stream ? Service::events : Service::operation;
    out.push_back({api::to_text(operation.method), std::string{kBase} + std::string{operation.path},
                   required_role_of(operation.access), service, &operation});
  }
  for (auto const& named : kNamed)
    out.push_back({named.method, std::string{named.pattern}, named.required_role, named.service, nullptr});
  for (auto& route : out) route.depth = depth_of(route.pattern);
  return out;
}

std::string_view next_segment(std::string_view& rest) {
  rest.remove_prefix(1);
  auto const end = std::min(rest.find('/'), rest.size());
  auto const segment = rest.substr(0, end);
  rest.remove_prefix(end);
  return segment;
}

bool is_field(std::string_view segment) { return segment.starts_with('{'); }

/// Compares segment by segment. Fields are decoded only when the whole path fits.
bool fits(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    auto const wanted = next_segment(pattern);
    auto const given = next_segment(path);
    if (is_field(wanted) ? given.empty() : wanted != given) return false;
  }
  return pattern.empty() && path.empty();
}

std::optional<api::TextPairs> fields_of(std::string_view pattern, std::string_view path) {
  api::TextPairs out;
  while (!pattern.empty()) {
    auto const wanted = next_segment(pattern);
    auto const given = next_segment(path);
    if (!is_field(wanted)) continue;
    auto value = core::percent_decoded(given);
    if (!value || *value == "." || *value == "..") return std::nullopt;
    out.emplace_back(wanted.substr(1, wanted.size() - 2), *std::move(value));
  }
  return out;
}

}  // namespace

std::vector<Route> const& routes() {
  static auto const all = all_routes();
  return all;
}

Match find_route(std::string_view method, std::string_view path) {
  if (method == "HEAD") method = "GET";
  Match out;
  auto const depth = depth_of(path);
  for (auto const& route : routes()) {
    if (route.depth != depth || !fits(route.pattern, path)) continue;
    if (route.method != method) {
      out.allowed.emplace_back(route.method);
      if (route.method == "GET") out.allowed.emplace_back("HEAD");
      continue;
    }
    auto fields = fields_of(route.pattern, path);
    if (!fields) return {};
    return {&route, *std::move(fields), {}};
  }
  return out;
}

bool is_api_path(std::string_view path) {
  return std::ranges::any_of(kApiRoots, [&](std::string_view root) {
    return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
  });
}

}  // namespace andon::http
