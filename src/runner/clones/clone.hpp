#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/id.hpp"
#include "os/data/data_directory.hpp"
#include "os/data/file_lock.hpp"
#include "runner/clones/clone_origin.hpp"
#include "runner/clones/clone_room.hpp"

namespace andon::runner {

/// This data directory's clone of a board's repository, and the way to its origin: a remote by its URL, or a
/// person's repository by its path. Several processes may use it at once. A text for people is never a
/// secret.
class Clone {
 public:
  /// `use` is for git; its limit counts only for commands that stay on this machine.
  /// `branch` is the board's; empty for the origin's default.
  Clone(std::string repo, os::DataDirectory const& data, GitUse use, CloneLimits limits = {},
        std::string branch = {});

  bool is_remote() const;

  /// Makes the clone if it is not there, otherwise fetches. Then its branches below `refs/remotes/origin` and
  /// its local default branch and the board's are where the origin's are. Refuses when the origin
  /// does not have the branch of the board. Waits while another process does that.
  core::Result<void> refresh() const;
  /// Like `refresh`, if the clone or that commit is missing.
  core::Result<void> refresh_for(std::string const& commit) const;
  bool exists() const;

  /// Brings the branch of a task's earlier runs to where the remote has it, if another host moved it on.
  void take_up(std::string const& branch) const;
  /// Keeps the clone while work lands in it; nothing when another process does.
  std::optional<os::FileLock> hold() const;
  /// Puts the files of the board's branch into the clone's directory, for commands that read them.
  core::Result<void> check_out() const;

  /// Sets a task's branch on the remote to the head of its work. A branch that moved since the last `refresh`
  /// stays. A sentence when the remote does not have the work. Nothing to do for a path.
  std::optional<std::string> publish(std::string const& branch, std::string const& head) const;
  /// Why nothing can land now: local changes of a person, for example.
  std::optional<std::string> obstacle() const;
  /// Moves the origin's branch from the commit `onto` to one that contains it. A sentence when it
  /// stays.
  std::optional<std::string> land(std::string const& branch, std::string const& commit,
                                  std::string const& onto) const;
  /// Ends a landing that was cut off before its last step. False when there is none.
  bool complete_landing(std::string const& commit) const;
  /// Gives a repository by path the branch of a task, for a person who goes on with its work. A branch of
  /// that name moves only forward. A sentence when it stays. Nothing to do for a remote.
  std::optional<std::string> offer(std::string const& branch, std::string const& head) const;
  /// Removes the branches of a task from the remote that are at that commit.
  void unpublish(std::string const& head, core::TaskId task, std::string const& prefix) const;

  /// Bounds the disk that the clone takes, unless another process fetches. A sentence when it cannot.
  std::string tidy() const;

  std::filesystem::path repo() const { return place_.repo(); }

 private:
  std::expected<Git, std::string> own_git() const;
  core::Result<void> make() const;
  core::Result<void> fetch(ClonePlace const& place) const;
  std::string move_refs(ClonePlace const& place, OriginRefs const& found) const;
  std::optional<std::string> why_no_room(std::filesystem::path const& clones) const;
  std::unique_ptr<CloneOrigin> origin(ClonePlace const& place) const;
  std::unexpected<core::Error> refused(std::string const& why) const;

  std::string repo_;
  std::filesystem::path data_;
  ClonePlace place_;
  GitUse use_;
  CloneLimits limits_;
  std::string branch_;
};

}  // namespace andon::runner
