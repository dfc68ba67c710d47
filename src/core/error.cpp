#include "core/error.hpp"

#include <array>

namespace andon::core {
namespace {

using enum Code;

constexpr std::array kCodeRows{
    CodeRow{kTaskNotFound, "TASK_NOT_FOUND", 404, 1, false},
    CodeRow{kBoardNotFound, "BOARD_NOT_FOUND", 404, 1, false},
    CodeRow{kWorkerNotFound, "WORKER_NOT_FOUND", 404, 1, false},
    CodeRow{kRunNotFound, "RUN_NOT_FOUND", 404, 1, false},
    CodeRow{kAutomationNotFound, "AUTOMATION_NOT_FOUND", 404, 1, false},
    CodeRow{kNotFound, "NOT_FOUND", 404, 1, false},
    CodeRow{kBoardAlreadyExists, "BOARD_ALREADY_EXISTS", 409, 1, false},
    CodeRow{kWorkerAlreadyExists, "WORKER_ALREADY_EXISTS", 409, 1, false},
    CodeRow{kAutomationAlreadyExists, "AUTOMATION_ALREADY_EXISTS", 409, 1, false},
    CodeRow{kInvalidInput, "INVALID_INPUT", 422, 1, false},
    CodeRow{kUnknownField, "UNKNOWN_FIELD", 422, 1, false},
    CodeRow{kInvalidStatus, "INVALID_STATUS", 422, 1, false},
    CodeRow{kInvalidPriority, "INVALID_PRIORITY", 422, 1, false},
    CodeRow{kInvalidClass, "INVALID_CLASS", 422, 1, false},
    CodeRow{kInvalidDate, "INVALID_DATE", 422, 1, false},
    CodeRow{kInvalidTaskId, "INVALID_TASK_ID", 422, 1, false},
    CodeRow{kInvalidGroupBy, "INVALID_GROUP_BY", 422, 1, false},
    CodeRow{kDependencyNotFound, "DEPENDENCY_NOT_FOUND", 422, 1, false},
    CodeRow{kDependencyCycle, "DEPENDENCY_CYCLE", 422, 1, false},
    CodeRow{kSelfReference, "SELF_REFERENCE", 422, 1, false},
    CodeRow{kNoChanges, "NO_CHANGES", 422, 1, false},
    CodeRow{kConfirmationRequired, "CONFIRMATION_REQUIRED", 422, 1, false},
    CodeRow{kBoundaryError, "BOUNDARY_ERROR", 409, 1, false},
    CodeRow{kStatusConflict, "STATUS_CONFLICT", 409, 1, false},
    CodeRow{kTaskClaimed, "TASK_CLAIMED", 409, 1, false},
    CodeRow{kClaimRequired, "CLAIM_REQUIRED", 409, 1, false},
    CodeRow{kStaleClaim, "STALE_CLAIM", 409, 1, false},
    CodeRow{kWorkerBusy, "WORKER_BUSY", 409, 1, false},
    CodeRow{kWipLimitExceeded, "WIP_LIMIT_EXCEEDED", 409, 1, false},
    CodeRow{kClassWipExceeded, "CLASS_WIP_EXCEEDED", 409, 1, false},
    CodeRow{kIllegalTransition, "ILLEGAL_TRANSITION", 409, 1, false},
    CodeRow{kDependencyOpen, "DEPENDENCY_OPEN", 409, 1, false},
    CodeRow{kLikelyCopy, "LIKELY_COPY", 409, 1, false},
    CodeRow{kNothingToPick, "NOTHING_TO_PICK", 204, 1, true},
    CodeRow{kPickUnfinished, "PICK_UNFINISHED", 503, 1, true},
    CodeRow{kRevMismatch, "REV_MISMATCH", 412, 1, false},
    CodeRow{kConflict, "CONFLICT", 409, 1, true},
    CodeRow{kUnauthenticated, "UNAUTHENTICATED", 401, 1, false},
    CodeRow{kForbidden, "FORBIDDEN", 403, 1, false},
    CodeRow{kForeignOrigin, "FOREIGN_ORIGIN", 403, 1, false},
    CodeRow{kApprovalRequired, "APPROVAL_REQUIRED", 403, 1, false},
    CodeRow{kUnconfirmedCommand, "UNCONFIRMED_COMMAND", 403, 1, false},
    CodeRow{kMalformed, "MALFORMED", 400, 1, false},
    CodeRow{kMethodNotAllowed, "METHOD_NOT_ALLOWED", 405, 1, false},
    CodeRow{kTooLarge, "TOO_LARGE", 413, 1, false},
    CodeRow{kUriTooLong, "URI_TOO_LONG", 414, 1, false},
    CodeRow{kHeadTooLarge, "HEAD_TOO_LARGE", 431, 1, false},
    CodeRow{kUnsupportedMedia, "UNSUPPORTED_MEDIA", 415, 1, false},
    CodeRow{kRateLimited, "RATE_LIMITED", 429, 1, true},
    CodeRow{kBusy, "BUSY", 503, 1, true},
    CodeRow{kNoSpace, "NO_SPACE", 507, 1, true},
    CodeRow{kInternalError, "INTERNAL_ERROR", 500, 2, false},
};

consteval bool in_order() {
  for (std::size_t i = 0; i < kCodeRows.size(); ++i)
    if (kCodeRows[i].code != static_cast<Code>(i)) return false;
  return true;
}
static_assert(in_order() && kCodeRows.size() == static_cast<std::size_t>(kInternalError) + 1,
              "every code has its row, in the order of the enum");

}  // namespace

CodeRow const& row(Code code) { return kCodeRows[static_cast<std::size_t>(code)]; }

std::optional<Code> code_named(std::string_view name) {
  for (auto const& r : kCodeRows)
    if (r.name == name) return r.code;
  return std::nullopt;
}

}  // namespace andon::core
