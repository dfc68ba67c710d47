#pragma once

#include <optional>
#include <string>

#include <boost/describe.hpp>

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
BOOST_DESCRIBE_STRUCT(WorkPlace, (),
                      (directory, git_directory, common_directory, directory_id, git_directory_id,
                       common_directory_id))

/// The server's private data about a run: no answer shows it, and no agent can write it.
struct RunGuard {
  std::string seal;                ///< key of the supervising process's end record, in hex
  std::string cgroups;             ///< directory in which the run's cgroup is made; empty for none
  std::string input;               ///< which file its agent reads from, as `DEVICE:INODE`
  std::optional<WorkPlace> place;  ///< the work tree that was made for it
  std::string agent;               ///< the id of its agent profile
  std::string cwd;                 ///< the directory in which its agent started
};
BOOST_DESCRIBE_STRUCT(RunGuard, (), (seal, cgroups, input, place, agent, cwd))

}  // namespace andon::core
