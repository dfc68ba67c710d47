#pragma once

#include "runner/runs/end_record.hpp"
#include "service/runs/run_report.hpp"

namespace andon::runner {

/// The facts of an end as the operation `finish_run` takes them.
service::FinishRunRequest finish_request(EndRecord const& record);

}  // namespace andon::runner
