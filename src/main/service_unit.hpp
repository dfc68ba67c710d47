#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"

namespace andon::main {

/// The server as a service of systemd.
struct ServiceUnit {
  bool system = false;  ///< of the machine; else of the user
  std::string run_as;   ///< account of a machine's service
  std::string program;
  std::vector<std::string> arguments;
  std::string path;  ///< where agents' programs are looked for; the service manager's own when empty
  std::string data;
  std::vector<std::string> writable;  ///< beside the data directory
};

/// The text of the unit. What it names is escaped; what systemd could misread all the same (control
/// characters, `$` in the program's path) is refused.
core::Result<std::string> unit_text(ServiceUnit const& unit);

}  // namespace andon::main
