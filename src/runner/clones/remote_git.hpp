#pragma once

#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runner/clones/clone_place.hpp"
#include "runner/git/git.hpp"

namespace andon::runner {

/// Git that talks to the remote of a clone. It works with `ClonePlace::remote`, a git directory of its own
/// with the settings and refs of the remote, and shares only the objects with the clone. It never asks; it
/// may change only the clone, and a remote that is a directory; its time is bounded.
class RemoteGit {
 public:
  /// Of `use` counts all but the lender.
  RemoteGit(std::string url, ClonePlace place, std::filesystem::path data, GitUse use)
      : url_(std::move(url)), place_(std::move(place)), data_(std::move(data)), use_(std::move(use)) {}

  /// Makes both git directories, empty.
  GitAnswer init() const;
  /// The default branch that the remote names. A sentence when it has none or cannot be reached.
  std::expected<std::string, std::string> default_branch() const;
  /// Makes the refs of `remote` those of the remote: branches and tags.
  GitAnswer fetch() const;
  /// The refs as they were fetched, by full name.
  std::map<std::string, std::string> refs() const;
  /// Sets a branch of the remote to a commit, or removes it with an empty one, if it still is at `before`;
  /// empty for a branch that must not be there.
  GitAnswer push(std::string const& branch, std::string const& commit, std::string const& before) const;

 private:
  GitAnswer run(std::vector<std::string> const& arguments, bool is_signed_in) const;

  std::string url_;
  ClonePlace place_;
  std::filesystem::path data_;
  GitUse use_;
};

}  // namespace andon::runner
