#pragma once

#include <string>
#include <string_view>

#include "store/contract/store_error.hpp"

namespace andon::store::postgres {

/// The state of an error that libpq itself has found, such as a server that closed the connection.
inline constexpr std::string_view kConnectionFailure = "08006";

/// The message of a server or of libpq in one line that is safe to print. A server that is not ours can write
/// anything into it.
std::string one_line(std::string_view message);

/// The StoreError for a failed statement, by the SQLSTATE that the server sent.
StoreError failure(std::string_view state, std::string_view message, std::string_view doing);

}  // namespace andon::store::postgres
