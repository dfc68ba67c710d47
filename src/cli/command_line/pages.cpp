#include "cli/command_line/pages.hpp"

namespace andon::cli {
namespace {

using core::Code;
using core::Result;

/// Five million tasks.
constexpr std::size_t kMostPages = 10'000;
constexpr std::size_t kMostBytes = 256U << 20U;

}  // namespace

Result<void> Pages::check_next(std::string const& next) {
  if (next == last_)
    return core::refuse(
        Code::kInternalError,
        "the server says that there is more and does not go on; check the address of the server");
  if (++count_ > kMostPages || in_.received() - received_before_ > kMostBytes)
    return core::refuse(Code::kTooLarge, "the answer has too many pages: more than " +
                                             std::to_string(kMostPages) + ", or more than " +
                                             std::to_string(kMostBytes >> 20U) +
                                             " MiB; ask for less with --limit or a filter");
  last_ = next;
  return {};
}

}  // namespace andon::cli
