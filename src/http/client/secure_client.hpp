#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/client/client.hpp"

namespace andon::http {

/// A client of `https://HOST` or `https://HOST:PORT`, by libcurl. It opens no stream: a runner and its agents
/// need none. Throws `std::invalid_argument` for any other address.
std::unique_ptr<api::Transport> secure_client_of(std::string_view url, ClientTimes times,
                                                 std::string certificates);

}  // namespace andon::http
