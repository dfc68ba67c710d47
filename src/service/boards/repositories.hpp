#pragma once

#include "service/requests.hpp"

namespace andon::service {

// Repositories lie on a machine. A person chooses one among its directories; the machine answers.

/// The directory in which a person looks for a repository.
struct RepositoriesRequest {
  std::string path;
};
BOOST_DESCRIBE_STRUCT(RepositoriesRequest, (), (path))
inline constexpr std::array kRepositoriesRequestFields{
    core::Field{"path", "Directory to look at, an absolute path; the home directory when left out"}};
constexpr auto const& fields(RepositoriesRequest const*) { return kRepositoriesRequestFields; }

/// A directory in the one that was asked for.
struct DirectoryEntry {
  std::string name;
  std::string path;
  bool repository = false;
};
BOOST_DESCRIBE_STRUCT(DirectoryEntry, (), (name, path, repository))
inline constexpr std::array kDirectoryEntryFields{
    core::Field{"name", "Name of the directory", core::always},
    core::Field{"path", "Its absolute path", core::always},
    core::Field{"repository", "Whether it looks like a git repository", core::always}};
constexpr auto const& fields(DirectoryEntry const*) { return kDirectoryEntryFields; }

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
BOOST_DESCRIBE_STRUCT(Repositories, (), (path, parent, repository, default_branch, problem, items, more))
inline constexpr std::array kRepositoriesFields{
    core::Field{"path", "The directory", core::always},
    core::Field{"parent", "The directory above it; absent where there is none to look at"},
    core::Field{"repository", "Whether a board can have it as its repository", core::always},
    core::Field{"default_branch", "Branch that accepted work is joined to"},
    core::Field{"problem", "Why a board cannot have this repository"},
    core::Field{"items", "The directories in it, without hidden ones and links", core::always},
    core::Field{"more", "Whether there are more directories than these", core::always}};
constexpr auto const& fields(Repositories const*) { return kRepositoriesFields; }

core::Result<RepositoriesRequest> list_repositories(OperationContext& ctx,
                                                    RepositoriesRequest const& request);

}  // namespace andon::service
