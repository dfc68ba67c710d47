#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "os/processes/confinement.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// The parts of the file system that an agent and the checks of its work may use. All others are closed to
/// them and their children.
struct SandboxSpec {
  std::vector<std::string> reads;      ///< may be read and executed
  std::vector<std::string> changes;    ///< may be changed, read and executed
  std::string work;                    ///< the working directory
  bool agent_only_reads_work = false;  ///< the checks may change it in any case
  bool own_terminals = true;           ///< where the kernel can make them, see `os::OwnTerminals`
  std::vector<int> held_ports{};       ///< TCP ports of the server, on which nobody else listens
  // For hints:
  std::string profile{};                         ///< whose settings these are; empty for none
  std::string home{};                            ///< may be opened in parts only
  std::vector<std::string> kept_closed{};        ///< no part may be opened: the data, the board's repository
  std::vector<std::string> proxies_held_back{};  ///< variables of the server that the agent does not get
};
void describe(auto& field, SandboxSpec const*) {
  field(&SandboxSpec::reads, "reads");
  field(&SandboxSpec::changes, "changes");
  field(&SandboxSpec::work, "work");
  field(&SandboxSpec::agent_only_reads_work, "agent_only_reads_work");
  field(&SandboxSpec::own_terminals, "own_terminals");
  field(&SandboxSpec::held_ports, "held_ports");
  field(&SandboxSpec::profile, "profile");
  field(&SandboxSpec::home, "home");
  field(&SandboxSpec::kept_closed, "kept_closed");
  field(&SandboxSpec::proxies_held_back, "proxies_held_back");
}

/// Whether the agents of a profile get a sandbox on this machine.
bool has_sandbox(Profile const& profile);

/// The input for an agent's sandbox.
struct SandboxNeeds {
  std::filesystem::path program;          ///< the path that is executed
  std::filesystem::path andon_directory;  ///< the directory of `andon`
  std::filesystem::path data;             ///< the data directory, which stays closed
  std::filesystem::path run_dir;
  std::filesystem::path cwd;
  bool only_reads_work = false;          ///< the worker's level is `readonly`
  std::vector<std::string> environment;  ///< the agent's, for its PATH and HOME
  std::vector<std::string> folders;      ///< the program's own configuration, see `Profile::folders`
  bool own_terminals = true;
  std::string profile{};  ///< whose `folders` these are; empty for none
};

/// Why no agent may work in a directory of a person; empty if it may. The sandbox opens the working
/// directory, so it must neither hold nor lie in the data directory or a hidden folder of the home directory.
std::string fault_of_work_directory(std::filesystem::path const& directory, std::filesystem::path const& data,
                                    std::filesystem::path const& home);

/// Opens the system directories, the program with its package and configuration, the caches and the installed
/// files of common tools, a temporary directory, the program's own files of the run and the working
/// directory. The rest of the run directory can only be read. The rest of the home directory and the data
/// directory stay closed.
SandboxSpec sandbox_of(SandboxNeeds const& needs);

/// The directories to make when they are missing, because the agent cannot make them: `~/.cache` and those of
/// `folders`.
std::vector<std::filesystem::path> directories_to_make(SandboxNeeds const& needs);

/// Makes the confinement for the agent or for the checks of a run, whose git directories are `git`. Nothing
/// when the kernel cannot.
enum class Confined { agent, checks };
std::optional<os::Confinement> confinement_of(SandboxSpec const& spec, Confined who,
                                              std::vector<std::string> const& git);

}  // namespace andon::runner
