#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace andon::core {

struct Task;

/// The reason why an operation was refused. The table in error.cpp gives each its wire name, HTTP status and
/// exit code.
enum class Code {
  // things that are not there
  kTaskNotFound,
  kBoardNotFound,
  kWorkerNotFound,
  kRunNotFound,
  kAutomationNotFound,
  kNotFound,
  // things that are there already
  kBoardAlreadyExists,
  kWorkerAlreadyExists,
  kAutomationAlreadyExists,
  // well-formed but wrong
  kInvalidInput,
  kUnknownField,
  kInvalidStatus,
  kInvalidPriority,
  kInvalidClass,
  kInvalidDate,
  kInvalidTaskId,
  kInvalidGroupBy,
  kDependencyNotFound,
  kDependencyCycle,
  kSelfReference,
  kNoChanges,
  kConfirmationRequired,
  // refused by the state of the board
  kBoundaryError,
  kStatusConflict,
  kTaskClaimed,
  kClaimRequired,
  kStaleClaim,
  kWorkerBusy,
  kWipLimitExceeded,
  kClassWipExceeded,
  kIllegalTransition,
  kDependencyOpen,
  kLikelyCopy,
  kNothingToPick,
  kPickUnfinished,
  kRevMismatch,
  kConflict,
  // refused for who asks
  kUnauthenticated,
  kForbidden,
  kForeignOrigin,
  kApprovalRequired,
  kUnconfirmedCommand,
  // the HTTP edge
  kMalformed,
  kMethodNotAllowed,
  kTooLarge,
  kUriTooLong,
  kHeadTooLarge,
  kUnsupportedMedia,
  kRateLimited,
  // the world
  kBusy,
  kNoSpace,
  kInternalError,
};

struct CodeRow {
  Code code;
  std::string_view name;  ///< on the wire, UPPER_SNAKE
  int http;
  int exit;    ///< exit code of the CLI
  bool retry;  ///< the same request may succeed later without anybody changing anything
};

/// The one table of errors, in the order of `Code`.
CodeRow const& row(Code code);
std::optional<Code> code_named(std::string_view name);

using Detail = std::variant<std::int64_t, std::string, std::vector<std::string>>;

/// An expected refusal: a code, a sentence that says what to do, the field it is about.
struct Error {
  Code code{};
  std::string message;
  std::string field;
  std::vector<std::pair<std::string, Detail>> details;
  std::shared_ptr<Task const> current;  ///< the task as it is now, where a conflict is about one

  Error&& with(std::string name, Detail value) && {
    details.emplace_back(std::move(name), std::move(value));
    return std::move(*this);
  }
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> refuse(Code code, std::string message, std::string field = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(field), {}, {}});
}
inline std::unexpected<Error> refuse(Error error) { return std::unexpected(std::move(error)); }

/// Gives `out` the value; answers with the error when there is none.
template <class T, class U>
std::optional<Error> assign(T& out, Result<U> result) {
  if (!result) return std::move(result).error();
  out = *std::move(result);
  return std::nullopt;
}

}  // namespace andon::core

/// `ANDON_TRY(auto x, f())`: x becomes the value, or the error is returned from the enclosing function.
#define ANDON_TRY_JOIN2(a, b) a##b
#define ANDON_TRY_JOIN(a, b) ANDON_TRY_JOIN2(a, b)
#define ANDON_TRY_IMPL(result, variable, expression)              \
  auto result = (expression);                                     \
  if (!result) return std::unexpected(std::move(result).error()); \
  variable = *std::move(result)
#define ANDON_TRY(variable, ...) ANDON_TRY_IMPL(ANDON_TRY_JOIN(try_, __LINE__), variable, (__VA_ARGS__))
/// Like `ANDON_TRY`, but assigns to an existing object and is one statement:
/// `if (x) ANDON_SET(task.title, check_title(*x));`
#define ANDON_SET(variable, ...) \
  if (auto failed = ::andon::core::assign(variable, (__VA_ARGS__))) return std::unexpected(*std::move(failed))
/// Like `ANDON_TRY`, for a call whose value is not needed.
#define ANDON_CHECK(...) \
  if (auto checked = (__VA_ARGS__); !checked) return std::unexpected(std::move(checked).error())
