#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "store/store.hpp"

namespace andon::store {

/// What the process does when the disk failed under a commit and nothing more may be written. The default prints the
/// reason and ends the process at once with code 70, so that the next start sees what the disk really holds.
using OnFatal = std::function<void(std::string_view reason)>;
void exit_on_fatal(std::string_view reason);

/// Opens `sqlite:/path/to/file.db`, made when it does not exist, or `sqlite::memory:`. Throws StoreError.
std::unique_ptr<Store> open_store(std::string_view url, OnFatal on_fatal = exit_on_fatal);

}  // namespace andon::store
