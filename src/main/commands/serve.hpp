#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace andon::main {

struct ServeOptions {
  std::filesystem::path data;
  std::vector<std::string> listen{"127.0.0.1:7420"};
  std::vector<std::string> hosts;    ///< names it may be called by beside the loopback ones
  std::vector<std::string> origins;  ///< pages that may call it beside its own
  bool behind_tls_proxy = false;
  bool welcome = false;
  bool print_link = false;
  bool runner = true;
};

/// Serves until SIGTERM or SIGINT; the answer is the exit code. Prints `listening on URL` when ready.
core::Result<int> serve(ServeOptions const& options);

/// Where the server of a data directory can be reached by a browser; empty when it was never served.
std::string served_at(std::filesystem::path const& data);

}  // namespace andon::main
