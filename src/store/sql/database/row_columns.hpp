#pragma once

#include <string_view>

namespace andon::store::sql {

/// The columns that `row_in` reads, of a table or alias named t.
inline constexpr std::string_view kTaskColumns =
    "t.id, t.board, t.status, t.stage, t.rev, t.updated, t.started, t.completed, t.entered, t.blocked, "
    "t.open_deps, "
    "t.claimed_by, t.claimed_at, t.claim_expires, t.epoch, t.supervised, t.attempt, t.not_before, t.run, "
    "t.approved, "
    "t.chained, t.notes, t.result, t.title, t.priority, t.class, t.assignee, t.role, t.parent, t.due, "
    "t.rank, t.key, "
    "t.created, t.source, t.created_by, t.max_attempts, t.details, t.available_at, t.stopping, t.lane";

inline constexpr std::string_view kFileColumns =
    "name, task, size, modified, changed, inode, seen, hash, claim_end, problem, settled";

inline constexpr std::string_view kTokenColumns =
    "id, hash, kind, name, run, task, epoch, board, created, expires, revoked, label";

}  // namespace andon::store::sql
