#include "store/markdown/files/board_lock.hpp"

#include "store/contract/store_error.hpp"

namespace andon::store::markdown {
namespace {

/// Far longer than a queue of many commands takes.
constexpr std::chrono::seconds kLockPatience{10};

}  // namespace

os::FileLock BoardLock::take() {
  if (auto held = lock_.take(kLockPatience)) return *std::move(held);
  throw StoreError{StoreError::Kind::unreachable,
                   "the board has been held for " + std::to_string(kLockPatience.count()) + " s by " +
                       os::lock_holder_in_words(path_) + "; nothing was changed"};
}

}  // namespace andon::store::markdown
