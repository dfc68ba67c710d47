#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "os/processes/confinement.hpp"

namespace andon::runner {

/// The parts of the file system that an agent may use. All others are closed to the agent and its children.
struct SandboxSpec {
  std::vector<std::string> reads;    ///< may be read and executed
  std::vector<std::string> changes;  ///< may be changed, read and executed
};
BOOST_DESCRIBE_STRUCT(SandboxSpec, (), (reads, changes))

/// The input for an agent's sandbox.
struct SandboxNeeds {
  std::filesystem::path program;          ///< the path that is executed
  std::filesystem::path andon_directory;  ///< the directory of `andon`
  std::filesystem::path data;             ///< the data directory, which stays closed
  std::filesystem::path run_dir;
  std::filesystem::path cwd;
  std::vector<std::string> environment;  ///< the agent's, for its PATH and HOME
  std::vector<std::string> folders;      ///< the program's own configuration; `~` is the home directory
};

/// Opens the system directories, the program with its package and configuration, a temporary directory, the
/// run directory and the working directory. The rest of the home directory and the data directory stay
/// closed.
SandboxSpec sandbox_of(SandboxNeeds const& needs);

/// Makes the confinement of a spec; nothing when the kernel cannot.
std::optional<os::Confinement> confinement_of(SandboxSpec const& spec, std::vector<std::string> const& more);

}  // namespace andon::runner
