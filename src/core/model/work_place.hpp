#pragma once

#include <optional>
#include <string>

namespace andon::core {

/// The three directories in which git works, with their identities, so that a replaced directory is noticed.
/// The ids are `DEVICE:INODE` and can only be compared.
struct WorkPlace {
  std::string directory;         ///< the files
  std::string git_directory;     ///< what git keeps of this work tree alone
  std::string common_directory;  ///< what git keeps of the whole repository
  std::string directory_id;
  std::string git_directory_id;
  std::string common_directory_id;
  bool operator==(WorkPlace const&) const = default;
};
void describe(auto& field, WorkPlace const*) {
  field(&WorkPlace::directory, "directory");
  field(&WorkPlace::git_directory, "git_directory");
  field(&WorkPlace::common_directory, "common_directory");
  field(&WorkPlace::directory_id, "directory_id");
  field(&WorkPlace::git_directory_id, "git_directory_id");
  field(&WorkPlace::common_directory_id, "common_directory_id");
}

/// The server's private data about a run: no answer shows it, and no agent can write it.
struct RunGuard {
  std::string seal;                ///< key of the supervising process's end record, in hex
  std::string cgroups;             ///< directory in which the run's cgroup is made; empty for none
  std::string input;               ///< which file its agent reads from, as `DEVICE:INODE`
  std::optional<WorkPlace> place;  ///< the work tree that was made for it
  std::string agent;               ///< the id of its agent profile
  std::string cwd;                 ///< the directory in which its agent started
  std::string host{};              ///< `Runner::place` of the runner that started it; empty on a server
};
void describe(auto& field, RunGuard const*) {
  field(&RunGuard::seal, "seal");
  field(&RunGuard::cgroups, "cgroups");
  field(&RunGuard::input, "input");
  field(&RunGuard::place, "place");
  field(&RunGuard::agent, "agent");
  field(&RunGuard::cwd, "cwd");
  field(&RunGuard::host, "host");
}

}  // namespace andon::core
