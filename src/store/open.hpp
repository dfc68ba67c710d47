#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "store/engine/unit/unit.hpp"

namespace andon::store {

/// Called when the disk failed under a commit, so that the process may write nothing more. The default,
/// `exit_on_fatal`, prints the reason and ends the process at once with code 70. The next start then reads
/// what the disk really holds.
using OnFatal = std::function<void(std::string_view reason)>;
void exit_on_fatal(std::string_view reason);

/// Called with a text about each file that cannot be read or was repaired. The default, `pass_over`, ignores
/// it.
using OnWarning = std::function<void(std::string_view text)>;
void pass_over(std::string_view warning);

/// Opens `sqlite:/path/to/file.db`, which is created when it does not exist, `sqlite::memory:`, or
/// `markdown:/path/to/board`, an existing directory. Throws StoreError.
std::unique_ptr<Store> open_store(std::string_view url, OnFatal on_fatal = exit_on_fatal,
                                  OnWarning on_warning = pass_over);

}  // namespace andon::store
