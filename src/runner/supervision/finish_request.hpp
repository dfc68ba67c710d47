#pragma once

#include "runner/runs/end_record.hpp"
#include "service/runs/run_report.hpp"

namespace andon::runner {

/// Converts an end record into the request of the operation `finish_run`.
service::FinishRunRequest finish_request(EndRecord const& record);

}  // namespace andon::runner
