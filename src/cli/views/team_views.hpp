#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/access/access.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/workers/workers.hpp"

namespace andon::cli {

/// The workers with their lights.
std::string worker_list(service::Workers const& workers, Screen const& screen);
std::string run_list(service::Runs const& runs, Screen const& screen);
std::string dispatch_page(service::DispatchStatus const& status, Screen const& screen);
std::string token_list(service::Tokens const& tokens, Screen const& screen);

}  // namespace andon::cli
