#pragma once

#include <string>

#include "api/local_executor.hpp"
#include "core/time/time.hpp"
#include "service/limits/accounts.hpp"
#include "service/runners/runners.hpp"

namespace andon::http {

/// The lines of `/metrics` about the runners, seen from that time; empty where there are none.
std::string metrics_of(service::Runners const& runners, core::Instant now);
/// Asks the store for the runners; empty while it does not answer.
std::string runner_metrics(api::LocalExecutor& executor);
/// The lines of `/metrics` about the open windows of the accounts, as far as their providers told them; empty
/// while the store cannot be read.
std::string account_metrics(api::LocalExecutor& executor);
std::string window_metrics_of(service::Accounts const& accounts, core::Instant now);
/// The lines of `/metrics` about boards and machines on which nothing starts because of a fault; empty while
/// the store cannot be read.
std::string fault_metrics(api::LocalExecutor& executor);
/// The line of `/metrics` about open tasks whose next step nobody makes; empty while the store cannot be
/// read.
std::string orphan_metrics(api::LocalExecutor& executor);
/// The lines of `/metrics` about the checks of each board that were flaky in the last 24 hours; empty while
/// the store cannot be read.
std::string flaky_metrics(api::LocalExecutor& executor);

}  // namespace andon::http
