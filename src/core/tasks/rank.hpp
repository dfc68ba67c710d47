#pragma once

#include <string>
#include <string_view>

#include "core/id.hpp"

namespace andon::core {

/// The rank a new task gets: sorts in the order of ids and leaves room on both sides.
std::string rank_of(TaskId id);

/// A rank strictly between two (fractional indexing over base 62, as in D. Greenspan, "Implementing
/// Fractional Indexing", 2020). An empty bound is open. Needs `below < above` when both are given.
std::string rank_between(std::string_view below, std::string_view above);

}  // namespace andon::core
