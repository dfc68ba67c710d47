#pragma once

#include <string>

#include "api/local_executor.hpp"
#include "api/status/readiness.hpp"

namespace andon::http {

/// Asks the store; may wait some seconds for one that does not answer.
api::Readiness readiness_of(api::LocalExecutor& executor);
/// The lines of `/metrics` about the servers; empty for a store of this server alone.
std::string server_metrics(api::Readiness const& readiness);

}  // namespace andon::http
