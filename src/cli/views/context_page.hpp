#pragma once

#include <string>
#include <string_view>

#include "service/insight/context.hpp"

namespace andon::cli {

/// The board as a block of Markdown between two marks, by which it is found again.
std::string context_page(service::BoardContext const& context);

/// The text with its block replaced by that page; a text without one gets it at its end.
std::string with_block(std::string_view text, std::string_view page);

}  // namespace andon::cli
