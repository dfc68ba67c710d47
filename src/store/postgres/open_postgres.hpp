#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "core/time/time.hpp"
#include "store/contract/store.hpp"

namespace andon::store::postgres {

/// Makes the schema of the URL, or brings it up to date, as its owner. Throws StoreError.
void migrate(std::string_view url, core::Instant now);

/// Opens the store of a URL like `postgres://user@host/database`, and makes its schema. Throws StoreError.
std::unique_ptr<Store> open_postgres(std::string_view url,
                                     std::function<void(std::string_view reason)> on_fatal,
                                     core::Instant now);

}  // namespace andon::store::postgres
