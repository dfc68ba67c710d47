#pragma once

#include <string>

#include "store/contract/writer_times.hpp"

namespace andon::http {

/// The lines about the store's writer in `/metrics`: how often and how long each kind of act held it.
std::string told_in_metrics(store::WriterTimes::Told const& told);

}  // namespace andon::http
