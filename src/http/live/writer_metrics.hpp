#pragma once

#include <string>

#include "store/contract/writer_times.hpp"

namespace andon::http {

/// The lines about the store's writer in `/metrics`: how often and how long each kind of act held it.
std::string metrics_of(store::WriterTimes::Totals const& totals);

}  // namespace andon::http
