#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "os/processes/confinement.hpp"

namespace andon::runner {

/// The parts of the file system that an agent may use; all others are closed to it and to what it starts.
struct SandboxSpec {
  std::vector<std::string> reads;    ///< and executes
  std::vector<std::string> changes;  ///< and reads and executes
};
BOOST_DESCRIBE_STRUCT(SandboxSpec, (), (reads, changes))

/// What an agent's sandbox is made from.
struct SandboxNeeds {
  std::filesystem::path program;          ///< as it is started
  std::filesystem::path andon_directory;  ///< of our own program
  std::filesystem::path data;             ///< the data directory, which stays closed
  std::filesystem::path run_dir;
  std::filesystem::path cwd;
  std::vector<std::string> environment;  ///< of the agent, for its PATH and HOME
  std::vector<std::string> folders;      ///< the program's own configuration; `~` is the home directory
};

/// System directories to read, the program and what it consists of, its configuration, a temporary directory,
/// the run directory and the place of its work. Neither the rest of the home directory nor the data
/// directory.
SandboxSpec sandbox_of(SandboxNeeds const& needs);

/// Holds a program to that; nothing where the kernel cannot.
std::optional<os::Confinement> confinement_of(SandboxSpec const& spec, std::vector<std::string> const& more);

}  // namespace andon::runner
