#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace andon::service {

/// Most of a note or a reason.
inline constexpr std::size_t kNoteBytes = 65'536;

/// Refuses a text of several lines that says nothing, has more than so many bytes, or holds control
/// characters or bytes that are not UTF-8.
core::Result<void> check_text(std::string const& text, std::string_view field, std::size_t most);

}  // namespace andon::service
