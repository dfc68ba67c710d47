#pragma once

#include <filesystem>

#include "core/error.hpp"
#include "runner/git/git.hpp"
#include "service/boards/repositories.hpp"

namespace andon::runner {

/// The directories of this machine in which a person may look for a repository.
struct RepositoryRoots {
  std::filesystem::path home;  ///< the first one to be shown
  std::filesystem::path data;  ///< Andon's own directory, which is not shown
};

/// Lists the directories in one directory and tells whether a board can have it as its repository. It reads
/// no file but those of git, follows no link, and refuses hidden directories and those of the system.
core::Result<service::Repositories> list_repositories(service::RepositoriesRequest const& request,
                                                      RepositoryRoots const& roots, GitUse use);

}  // namespace andon::runner
