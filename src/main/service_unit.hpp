#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"

namespace andon::main {

/// The server as a systemd service.
struct ServiceUnit {
  bool system = false;  ///< a service of the machine; otherwise of the user
  std::string name;     ///< of both units, without their endings
  std::string listen;   ///< the address that systemd holds while the server starts again; empty for none
  std::string run_as;   ///< the account of a machine's service
  std::string program;
  std::vector<std::string> arguments;
  bool needs_network = false;  ///< it binds addresses of the network when it starts
  std::string path;            ///< the PATH for agents' programs; the manager's own when empty
  std::string data;
  std::vector<std::string> writable;  ///< beside the data directory
  std::string read_only_home;         ///< of the user; empty when writable, and for a service of the machine
};

/// The text of the unit file. Values are escaped. Values that systemd could still misread are refused:
/// control characters, and `$` in the program's path.
core::Result<std::string> unit_text(ServiceUnit const& unit);
/// The text of the unit of its listening socket.
std::string socket_unit_text(ServiceUnit const& unit);

}  // namespace andon::main
