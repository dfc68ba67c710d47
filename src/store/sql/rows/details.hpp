#pragma once

#include <string>
#include <string_view>

#include "core/model/task.hpp"

namespace andon::store::sql {

/// The rarely set members of a task as one JSON text, a column of its row. Empty when none of them is set.
std::string details_of(core::Task const& task);
void read_details(std::string_view json, core::Task& task);
bool same_details(core::Task const& a, core::Task const& b);

}  // namespace andon::store::sql
