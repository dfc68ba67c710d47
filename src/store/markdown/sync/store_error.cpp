#include "store/markdown/sync/store_error.hpp"

#include <cerrno>

#include "store/contract/store_error.hpp"

namespace andon::store::markdown {

StoreError store_error(os::SystemError const& error) {
  using enum StoreError::Kind;
  auto const kind = error.number() == ENOSPC || error.number() == EDQUOT ? no_space
                    : error.number() == ETIMEDOUT                        ? unreachable
                    : error.number() == EROFS || error.number() == EACCES || error.number() == EPERM
                        ? read_only
                        : other;
  return {kind, error.what()};
}

}  // namespace andon::store::markdown
