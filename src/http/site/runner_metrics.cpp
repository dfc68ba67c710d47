#include "http/site/runner_metrics.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <optional>

#include "service/insight/metrics.hpp"
#include "service/insight/next_step.hpp"
#include "service/limits/faults.hpp"
#include "store/contract/store_error.hpp"

namespace andon::http {
namespace {

using service::RunnerView;

/// A value of a label, escaped as the text format of Prometheus asks.
std::string label_value(std::string_view value) {
  std::string out = "\"";
  for (char const c : value) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? std::string{"\\n"} : std::string(1, c);
  }
  return out + "\"";
}

std::string decimal(double number) {
  std::array<char, 64> text{};
  auto const length = std::snprintf(text.data(), text.size(), "%.3f", number);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string head(std::string_view name) { return "# TYPE " + std::string{name} + " gauge\n"; }

/// A line for each runner that has the value.
void add(std::string& out, service::Runners const& runners, std::string const& name,
         std::function<std::optional<std::string>(RunnerView const&)> const& value_of) {
  out += head(name);
  for (auto const& runner : runners.items)
    if (auto const value = value_of(runner))
      out += name + "{runner=" + label_value(runner.name) + "} " + *value + "\n";
}

}  // namespace

std::string metrics_of(service::Runners const& runners, core::Instant now) {
  if (runners.items.empty()) return {};
  auto out = head("andon_runners");
  for (std::size_t state = 0; state < core::kRunnerStateNames.size(); ++state) {
    auto const count =
        std::ranges::count(runners.items, static_cast<core::RunnerState>(state), &RunnerView::state);
    out += "andon_runners{state=" + label_value(core::kRunnerStateNames.at(state)) + "} " +
           std::to_string(count) + "\n";
  }
  add(out, runners, "andon_runner_up", [](RunnerView const& r) { return r.alive ? "1" : "0"; });
  add(out, runners, "andon_runner_slots", [](RunnerView const& r) { return std::to_string(r.slots); });
  add(out, runners, "andon_runner_running", [](RunnerView const& r) { return std::to_string(r.running); });
  add(out, runners, "andon_runner_load", [](RunnerView const& r) {
    return r.status.seen ? std::optional{decimal(r.status.load)} : std::nullopt;
  });
  add(out, runners, "andon_runner_seen_seconds", [now](RunnerView const& r) {
    return r.status.seen ? std::optional{decimal(std::chrono::duration<double>(now - *r.status.seen).count())}
                         : std::nullopt;
  });
  return out;
}

std::string runner_metrics(api::LocalExecutor& executor) {
  std::string out;
  try {
    executor.read([&out](service::OperationContext& ctx) {
      if (auto const runners = service::list_runners(ctx, {})) out = metrics_of(*runners, ctx.now);
    });
  } catch (store::StoreError const&) {
    return {};
  }
  return out;
}

std::string window_metrics_of(service::Accounts const& accounts, core::Instant now) {
  std::string used, ends;
  for (auto const& account : accounts.items)
    for (auto const& window : account.windows) {
      auto const labels =
          "{account=" + label_value(account.name) + ",window=" + label_value(window.name) + "} ";
      if (window.used) used += "andon_account_window_used" + labels + decimal(*window.used) + "\n";
      if (window.ends)
        ends += "andon_account_window_ends_seconds" + labels +
                decimal(std::chrono::duration<double>(*window.ends - now).count()) + "\n";
    }
  if (!used.empty()) used.insert(0, head("andon_account_window_used"));
  if (!ends.empty()) ends.insert(0, head("andon_account_window_ends_seconds"));
  return used + ends;
}

std::string account_metrics(api::LocalExecutor& executor) try {
  std::string out;
  executor.read([&out](service::OperationContext& ctx) {
    if (auto const accounts = service::list_accounts(ctx, {})) out = window_metrics_of(*accounts, ctx.now);
  });
  return out;
} catch (store::StoreError const&) {
  return {};
}

std::string fault_metrics(api::LocalExecutor& executor) try {
  std::string out;
  executor.read([&out](service::OperationContext& ctx) {
    auto const faults = service::held_faults(ctx);
    out = head("andon_faults");
    for (auto const scope : {core::FaultScope::board, core::FaultScope::machine})
      out += "andon_faults{scope=" + label_value(core::to_text(scope)) + "} " +
             std::to_string(std::ranges::count(faults, scope, &core::HeldFault::scope)) + "\n";
  });
  return out;
} catch (store::StoreError const&) {
  return {};
}

std::string orphan_metrics(api::LocalExecutor& executor) try {
  std::string out;
  executor.read([&out](service::OperationContext& ctx) {
    out = head("andon_orphans") + "andon_orphans " + std::to_string(service::orphans(ctx).size()) + "\n";
  });
  return out;
} catch (store::StoreError const&) {
  return {};
}

std::string flaky_metrics(api::LocalExecutor& executor) try {
  std::string out;
  executor.read([&out](service::OperationContext& ctx) {
    for (auto const& checks : service::flaky_checks(ctx, ctx.now - std::chrono::hours{24}))
      out += "andon_flaky_checks{board=" + label_value(checks.board) + "} " + std::to_string(checks.n) + "\n";
  });
  return out.empty() ? out : head("andon_flaky_checks") + out;
} catch (store::StoreError const&) {
  return {};
}

}  // namespace andon::http
