#include "api/trouble.hpp"

#include <array>
#include <string>

#include "store/contract/store_error.hpp"
#include "store/contract/unknown_result.hpp"

namespace andon::api {
namespace {

using core::Code;

/// Seconds; the same read will hardly be quicker at once.
constexpr std::int64_t kRetryOverlong = 30;

struct TroubleRow {
  store::StoreError::Kind kind;
  Code code;
  std::string_view says;
};
constexpr std::array kTrouble{
    TroubleRow{store::StoreError::Kind::busy, Code::kBusy, "the store is busy; try again"},
    TroubleRow{store::StoreError::Kind::no_space, Code::kNoSpace,
               "there is no space left on the disk; nothing was changed"},
    TroubleRow{
        store::StoreError::Kind::gone, Code::kBusy,
        "nothing was changed: the database was deleted, moved, replaced or cut short under the server, "
        "which ends now; its log says what to do"},
};

}  // namespace

core::Error error_of_trouble(std::exception_ptr const& trouble) {
  try {
    std::rethrow_exception(trouble);
  } catch (store::UnknownResult const& error) {
    return core::Error{Code::kInternalError, error.what(), {}, {}, {}}.with("result", "unknown");
  } catch (store::StoreError const& error) {
    for (auto const& row : kTrouble)
      if (row.kind == error.kind()) return {row.code, std::string{row.says}, {}, {}, {}};
    if (error.kind() == store::StoreError::Kind::read_only)
      return {Code::kNoSpace, std::string{"nothing was changed: "} + error.what(), {}, {}, {}};
    if (error.kind() == store::StoreError::Kind::unusable)
      return {Code::kInternalError, error.what(), {}, {}, {}};
    if (error.kind() == store::StoreError::Kind::refused)
      return {Code::kInvalidInput, error.what(), {}, {}, {}};
    if (error.kind() == store::StoreError::Kind::overlong)
      return core::Error{Code::kBusy,
                         "the answer took too long to find and was given up; name a board, a column or fewer "
                         "days, or ask for a smaller page",
                         {},
                         {},
                         {}}
          .with("retry_after", kRetryOverlong);
    if (error.kind() == store::StoreError::Kind::unreachable) return {Code::kBusy, error.what(), {}, {}, {}};
    return {Code::kInternalError, std::string{"the store failed: "} + error.what(), {}, {}, {}};
  } catch (std::exception const& error) {
    return {Code::kInternalError, std::string{"unexpected: "} + error.what(), {}, {}, {}};
  }
}

}  // namespace andon::api
