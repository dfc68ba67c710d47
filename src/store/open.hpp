#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/contract/examination.hpp"
#include "store/contract/store.hpp"

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

/// True for the URL of a PostgreSQL database.
bool is_postgres(std::string_view url);

/// The URL of a PostgreSQL database without its password and options. Throws StoreError.
std::string display_url(std::string_view url);

/// Examines the PostgreSQL database of a URL. Changes nothing.
std::vector<Finding> examine_postgres(std::string_view url);

/// Opens `sqlite:/path/to/file.db`, which is created when it does not exist, `sqlite::memory:`,
/// `markdown:/path/to/board`, an existing directory, or `postgres://user@host/database?option=value`. Throws
/// StoreError.
std::unique_ptr<Store> open_store(std::string_view url, OnFatal on_fatal = exit_on_fatal,
                                  OnWarning on_warning = pass_over);

}  // namespace andon::store
