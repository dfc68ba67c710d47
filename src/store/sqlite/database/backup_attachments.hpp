#pragma once

#include "store/contract/attachment_files.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Adds the contents of attachments to a backup; returns how many.
std::int64_t add_attachments(Connection& db, AttachmentFiles& from);
/// Writes the contents that are not there yet; returns how many. Throws StoreError{damaged} for a place that
/// is none.
std::int64_t extract_attachments(Connection& backup, AttachmentFiles& to);
/// Copies the contents of attachments to another store; returns how many.
std::int64_t copy_attachments(AttachmentFiles& from, AttachmentFiles& to);

}  // namespace andon::store::sqlite
