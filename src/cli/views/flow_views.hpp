#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/insight/forecast.hpp"
#include "service/insight/metrics.hpp"

namespace andon::cli {

/// kanban-md's lines and its table of work under way, then what only Andon measures.
std::string metrics_page(service::FlowMetrics const& metrics, Screen const& screen);
std::string forecast_page(service::Forecast const& forecast, Screen const& screen);

}  // namespace andon::cli
