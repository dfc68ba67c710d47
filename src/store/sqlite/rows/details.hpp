#pragma once

#include <string>
#include <string_view>

#include "core/model/task.hpp"

namespace andon::store::sqlite {

/// What most tasks do not have is one JSON text of the row; empty when the task has none of it.
std::string details_of(core::Task const& task);
void read_details(std::string_view json, core::Task& task);
bool same_details(core::Task const& a, core::Task const& b);

}  // namespace andon::store::sqlite
