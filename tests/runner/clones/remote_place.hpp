#pragma once

#include <filesystem>
#include <string>

#include "os/data/data_directory.hpp"
#include "os/files/file.hpp"
#include "runner/clones/clone.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/git_place.hpp"

namespace andon::test {

/// A bare repository with one commit on `main`, a person's own clone of it, and a data directory.
struct RemotePlace {
  Scratch scratch;
  std::filesystem::path bare = scratch / "shop.git";
  std::filesystem::path person = scratch / "person";
  std::string url = "file://" + bare.native();
  os::DataDirectory data = os::data_directory(scratch / "data");

  RemotePlace() { make_remote(bare, person); }

  void make_remote(std::filesystem::path const& where, std::filesystem::path const& own) const {
    at(scratch.path(), "git init -q --bare -b main " + where.native() + "; git clone -q " + where.native() +
                           " " + own.native() + " 2>/dev/null");
    at(own,
       "git checkout -q -b main; echo one >a.txt; echo one >b.txt; git add .; git commit -qm first; "
       "git push -q origin main");
  }
  std::string remote(std::string const& what) const { return at(bare, "git rev-parse " + what); }
  runner::Clone clone(runner::CloneLimits limits = {}) const { return clone_of(url, limits); }
  runner::Clone clone_of(std::string const& which, runner::CloneLimits limits = {}) const {
    return {which, data, {}, limits};
  }
  /// As if the last use of a clone were an hour ago.
  void let_rest(std::string const& which, int minutes = 60) const {
    auto const file = runner::clone_folder(data, which) / "used";
    std::filesystem::last_write_time(file,
                                     std::filesystem::last_write_time(file) - std::chrono::minutes{minutes});
  }
};

}  // namespace andon::test
