#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "store/contract/store.hpp"

namespace andon::store {

/// What the process does when the disk failed under a commit and nothing more may be written. The default
/// prints the reason and ends the process at once with code 70, so that the next start sees what the disk
/// really holds.
using OnFatal = std::function<void(std::string_view reason)>;
void exit_on_fatal(std::string_view reason);

/// What is told about files that cannot be read or were repaired.
using OnWarning = std::function<void(std::string_view text)>;
void pass_over(std::string_view warning);

/// Opens `sqlite:/path/to/file.db`, made when it does not exist, `sqlite::memory:`, or
/// `markdown:/path/to/board`, a directory that exists. Throws StoreError.
std::unique_ptr<Store> open_store(std::string_view url, OnFatal on_fatal = exit_on_fatal,
                                  OnWarning on_warning = pass_over);

}  // namespace andon::store
