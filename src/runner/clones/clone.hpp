#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "os/data/data_directory.hpp"
#include "os/data/file_lock.hpp"
#include "runner/clones/clone_room.hpp"
#include "runner/clones/remote_git.hpp"

namespace andon::runner {

/// This data directory's clone of a clone URL, and the way to its remote. Several processes may use it at
/// once. A text for people is never a secret.
class Clone {
 public:
  /// `use` is for git; its limit counts only for commands that stay on this machine.
  Clone(std::string url, os::DataDirectory const& data, GitUse use, CloneLimits limits = {});

  /// The clone of a board's repository; nothing for a path.
  static std::optional<Clone> of(std::string const& repo, os::DataDirectory const& data, GitUse use,
                                 CloneLimits limits = {});

  /// Makes the clone if it is not there, otherwise fetches. Then its branches below `refs/remotes/origin` and
  /// its local default branch are where the remote's are. Waits while another process does that.
  core::Result<void> refresh() const;
  /// Like `refresh`, if the clone or that commit is missing.
  core::Result<void> refresh_for(std::string const& commit) const;
  bool exists() const;

  /// Brings the branch of a task's earlier runs to where the remote has it, if another host moved it on.
  void take_up(std::string const& branch) const;
  /// Keeps the clone while work lands in it; nothing when another process does.
  std::optional<os::FileLock> hold() const;
  /// Puts the files of the default branch into the clone's directory, for commands that read them.
  core::Result<void> check_out() const;

  /// Sets a task's branch on the remote to the head of its work. A branch that moved since the last `refresh`
  /// stays. A sentence when the remote does not have the work.
  std::optional<std::string> publish(std::string const& branch, std::string const& head) const;
  /// Moves the remote's default branch from the commit `onto` to one that contains it. A sentence when the
  /// remote refuses it.
  std::optional<std::string> land(std::string const& branch, std::string const& commit,
                                  std::string const& onto) const;
  /// Removes the branches of tasks from the remote that are at that commit.
  void unpublish(std::string const& head) const;

  std::filesystem::path repo() const { return place_.repo(); }

 private:
  core::Result<void> make() const;
  core::Result<void> fetch(ClonePlace const& place) const;
  std::string move_refs(ClonePlace const& place, std::string const& default_branch) const;
  RemoteGit remote(ClonePlace const& place) const;
  std::unexpected<core::Error> refused(std::string const& why) const;

  std::string url_;
  std::filesystem::path data_;
  ClonePlace place_;
  GitUse use_;
  CloneLimits limits_;
};

}  // namespace andon::runner
