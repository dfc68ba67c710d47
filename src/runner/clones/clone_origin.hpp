#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/id.hpp"
#include "runner/clones/clone_place.hpp"
#include "runner/git/git.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// The refs of an origin at one moment. The clone has their objects.
struct OriginRefs {
  std::string default_branch;
  std::map<std::string, std::string> refs;  ///< the object of each, by full name
  std::string ignores{};                    ///< the rules that it has beside those in its files
};

/// The repository that a clone follows: a remote by its URL, or a person's repository by its path. `publish`,
/// `unpublish`, `offer` and `land` alone change it.
class CloneOrigin {
 public:
  CloneOrigin() = default;
  CloneOrigin(CloneOrigin const&) = delete;
  CloneOrigin& operator=(CloneOrigin const&) = delete;
  virtual ~CloneOrigin() = default;

  /// Makes the clone's git directories without any object.
  virtual core::Result<void> init() const = 0;
  /// Brings the objects of all branches and tags to the clone.
  virtual core::Result<OriginRefs> fetch() const = 0;

  /// Shows a task's branch in the origin, if other hosts look for it there. A sentence when it cannot.
  virtual std::optional<std::string> publish(std::string const& branch, std::string const& head) const = 0;
  /// Removes the branches of a task that are at that commit and were published.
  virtual void unpublish(std::string const& head, core::TaskId task, std::string const& prefix) const = 0;

  /// Gives a person the branch of a task, where people work in the origin. A sentence when it cannot.
  virtual std::optional<std::string> offer(std::string const& branch, std::string const& head) const = 0;

  /// Why nothing can land now; nothing when it can.
  virtual std::optional<std::string> obstacle() const = 0;
  /// Moves the branch from the commit `onto` to one that contains it, with the files of its checkout.
  /// A sentence when it stays.
  virtual std::optional<std::string> land(std::string const& branch, std::string const& commit,
                                          std::string const& onto) const = 0;
  /// Ends a landing that was cut off before its last step. False when there is none.
  virtual bool complete_landing(std::string const& commit) const = 0;
};

/// The origin by URL. `branch` is the board's: `fetch` refuses when it is not there. Empty for the default
/// branch. `use` is for git, its limit counts for each command; `data` holds the credentials.
std::unique_ptr<CloneOrigin> remote_origin(std::string url, ClonePlace place, std::filesystem::path data,
                                           GitUse use, std::string branch = {});
/// The origin by path.
std::unique_ptr<CloneOrigin> local_origin(std::filesystem::path path, ClonePlace place, GitUse use,
                                          std::string branch = {});

/// True for a partial clone (`git clone --filter`).
bool is_partial(Git const& git);
/// Refuses a partial clone in which objects of the default branch are missing. Git would ask a remote for
/// them, and Andon's git does not.
core::Result<void> check_whole(Repository const& repository);

/// The cause in a complaint of git. Its first line may be a hint of the remote.
std::string cause_in(std::string const& complaint);

}  // namespace andon::runner
