#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string_view>

#include "api/transport.hpp"

namespace andon::http {

struct ClientTimes {
  std::chrono::milliseconds connect{5'000};
  std::chrono::milliseconds answer{90'000};   ///< longer than the longest wait of a pick
  std::chrono::milliseconds silence{45'000};  ///< in a stream: three heartbeats
  /// The time to wait for a server that is not running. During it, the client also repeats reads and requests
  /// with an Idempotency-Key whose connection ended before the answer.
  std::chrono::milliseconds absence{0};
  std::chrono::milliseconds between{100};  ///< the pause before each repeated try
};

/// A client of `http://HOST:PORT` or `https://HOST`. Throws `std::invalid_argument` for any other address.
/// `certificates` is a file with those to trust; empty for those of the system.
std::unique_ptr<api::Transport> client_of(std::string_view url, ClientTimes times = {},
                                          std::string certificates = {});
/// A client of a server's Unix socket.
std::unique_ptr<api::Transport> client_of_socket(std::filesystem::path const& path, ClientTimes times = {});

}  // namespace andon::http
