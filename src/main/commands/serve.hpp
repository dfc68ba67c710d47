#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace andon::main {

struct ServeOptions {
  std::filesystem::path data;
  std::string store;  ///< the URL of the database; empty for the one of the directory's settings
  std::string name;   ///< of this server among those of the store; empty for one made of host and port
  std::vector<std::string> listen{"127.0.0.1:7420"};
  std::vector<std::string> hosts;    ///< accepted host names beside the loopback names
  std::vector<std::string> origins;  ///< accepted origins of pages beside the server's own
  bool behind_tls_proxy = false;
  bool lan = false;     ///< listens on the private addresses of this machine too, without encryption
  bool colour = false;  ///< the output is a terminal that shows colours
  bool welcome = false;
  bool print_link = false;
  bool runner = true;
  std::string version;  ///< of this program
};

/// Serves until SIGTERM or SIGINT, then returns the exit code. Prints `listening on URL` when ready.
core::Result<int> serve(ServeOptions const& options);

/// The URL for a browser of a data directory's server; empty when no server ever used the directory.
std::string served_at(std::filesystem::path const& data);

/// The URL by which other devices reach a data directory's server; empty when none reaches it.
std::string served_to_others_at(std::filesystem::path const& data);

}  // namespace andon::main
