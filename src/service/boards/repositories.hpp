#pragma once

#include "service/boards/boards.hpp"
#include "service/requests.hpp"

namespace andon::service {

// Repositories lie on a machine. A person chooses one among its directories; the machine answers.

/// The directory in which a person looks for a repository.
struct RepositoriesRequest {
  std::string path;
};
void describe(auto& field, RepositoriesRequest const*) {
  field(&RepositoriesRequest::path, "path",
        "Directory to look at, an absolute path; the home directory when left out");
}

/// A directory in the one that was asked for.
struct DirectoryEntry {
  std::string name;
  std::string path;
  bool repository = false;
};
void describe(auto& field, DirectoryEntry const*) {
  field(&DirectoryEntry::name, "name", "Name of the directory", core::always);
  field(&DirectoryEntry::path, "path", "Its absolute path", core::always);
  field(&DirectoryEntry::repository, "repository", "Whether it looks like a git repository", core::always);
}

/// One directory: whether a board can work in it, and the directories in it.
struct Repositories {
  std::string path;
  std::string parent;
  bool repository = false;
  std::string default_branch;
  std::string problem;
  std::vector<DirectoryEntry> items;
  bool more = false;
};
void describe(auto& field, Repositories const*) {
  field(&Repositories::path, "path", "The directory", core::always);
  field(&Repositories::parent, "parent", "The directory above it; absent where there is none to look at");
  field(&Repositories::repository, "repository", "Whether a board can have it as its repository",
        core::always);
  field(&Repositories::default_branch, "default_branch", "Branch that accepted work is joined to");
  field(&Repositories::problem, "problem", "Why a board cannot have this repository");
  field(&Repositories::items, "items", "The directories in it, without hidden ones and links", core::always);
  field(&Repositories::more, "more", "Whether there are more directories than these", core::always);
}

core::Result<RepositoriesRequest> list_repositories(OperationContext& ctx,
                                                    RepositoriesRequest const& request);

/// The repository that a change gives a board, to be checked where it is. Nothing is asked without `repo`.
struct WantedRepository {
  std::string repo;
  std::string branch;
  std::string branch_prefix;
  bool worktree = false;
};
void describe(auto& field, WantedRepository const*) {
  field(&WantedRepository::repo, "repo");
  field(&WantedRepository::branch, "branch");
  field(&WantedRepository::branch_prefix, "branch_prefix");
  field(&WantedRepository::worktree, "worktree", "", core::set_only);
}

/// Only the administrator's repositories are looked at: others may not set them.
core::Result<WantedRepository> repository_of_new_board(OperationContext& ctx,
                                                       CreateBoardRequest const& request);
core::Result<WantedRepository> repository_of_edited_board(OperationContext& ctx,
                                                          EditBoardRequest const& request);

}  // namespace andon::service
