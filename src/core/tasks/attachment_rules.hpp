#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/model/attachment.hpp"

namespace andon::core {

/// Refuses a name that could be no plain file name on every system, or that would show itself as another one.
Result<void> check_attachment_name(std::string_view name);
/// True for an id and a name as Andon makes them. Records in files of a board may hold anything.
bool has_safe_place(Attachment const& attachment);

/// The media type of a content, by its first bytes. Text of any kind is `text/plain`, so that no page or
/// drawing with scripts in it is shown as what it claims to be.
std::string_view media_type_of(std::string_view content);

/// The file of that name, whatever the case of its letters; null when there is none.
Attachment const* find_attachment(std::vector<Attachment> const& attachments, std::string_view name);

}  // namespace andon::core
