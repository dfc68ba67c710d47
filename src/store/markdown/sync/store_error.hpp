#pragma once

#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::markdown {

/// The error of the store for one of the file system. The number of the error decides its kind.
StoreError store_error(os::SystemError const& error);

}  // namespace andon::store::markdown
