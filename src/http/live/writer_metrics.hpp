#pragma once

#include <string>

#include "store/contract/writer_times.hpp"

namespace andon::http {

/// What `/metrics` tells of the store's writer: how often and for how long it was held, by kind of act.
std::string told_in_metrics(store::WriterTimes::Told const& told);

}  // namespace andon::http
