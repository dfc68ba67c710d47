#include "http/site/readiness.hpp"

#include <algorithm>
#include <string_view>

#include "service/history/retention.hpp"
#include "store/contract/servers.hpp"
#include "store/contract/store_error.hpp"

namespace andon::http {
namespace {

api::ServerLine line_of(store::ServerState const& state) {
  auto const& [name, url, version] = state.server;
  return {name, url, version, state.started, state.seen, state.is_alive, state.leads, state.is_own};
}

void add_metric(std::string& out, std::string_view name, std::int64_t value) {
  out.append("# TYPE ").append(name).append(" gauge\n");
  out.append(name).append(" ").append(std::to_string(value)).append("\n");
}

}  // namespace

api::Readiness readiness_of(api::LocalExecutor& executor) {
  api::Readiness out{"ok", executor.servers() ? "shared" : "own", executor.server(), {}, {}};
  try {
    executor.read([](service::OperationContext& ctx) { static_cast<void>(service::feed_end(ctx)); });
    if (auto* const servers = executor.servers())
      for (auto const& each : servers->all()) out.servers.push_back(line_of(each));
  } catch (store::StoreError const& error) {
    out.status = "unavailable";
    out.reason = error.what();
  }
  return out;
}

std::string server_metrics(api::Readiness const& readiness) {
  std::string out;
  if (readiness.store != "shared") return out;
  auto const& all = readiness.servers;
  auto const own = std::ranges::find_if(all, &api::ServerLine::own);
  add_metric(out, "andon_store_reachable", readiness.is_ready() ? 1 : 0);
  add_metric(out, "andon_servers", std::ranges::count_if(all, &api::ServerLine::alive));
  add_metric(out, "andon_server_leads", own != all.end() && own->leads ? 1 : 0);
  return out;
}

}  // namespace andon::http
