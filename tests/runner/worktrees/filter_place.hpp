#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "runner/worktrees/git_place.hpp"

namespace andon::test {

/// The git configuration of the user that runs Andon, while this object lives.
class UserConfiguration {
 public:
  explicit UserConfiguration(std::filesystem::path file) : file_(std::move(file)) {
    for (auto const* name : {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"})
      if (auto const* value = std::getenv(name)) former_.emplace_back(name, value);
    std::ofstream{file_};
    ::setenv("GIT_CONFIG_GLOBAL", file_.c_str(), 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  }
  UserConfiguration(UserConfiguration const&) = delete;
  UserConfiguration& operator=(UserConfiguration const&) = delete;
  ~UserConfiguration() {
    ::unsetenv("GIT_CONFIG_GLOBAL");
    ::unsetenv("GIT_CONFIG_NOSYSTEM");
    for (auto const& [name, value] : former_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  void set(std::string const& key, std::string const& value) const {
    at(file_.parent_path(), "git config --file '" + file_.native() + "' '" + key + "' '" + value + "'");
  }

 private:
  std::filesystem::path file_;
  std::vector<std::pair<std::string, std::string>> former_;
};

/// A repository in which `vault/` has the filter `seal`: the commit has `SEALED` and the letters turned by
/// 13. Its program lies beside the repository, in a directory that no system has.
struct FilterPlace : GitPlace {
  UserConfiguration user{scratch / "user.config"};
  runner::WorkspaceSpec spec = workspace("7-cart");
  std::filesystem::path tree{spec.directory};
  runner::RunStart noted{};

  FilterPlace() {
    program("seal", "case $1 in clean) echo SEALED; tr a-z n-za-m;; smudge) sed 1d | tr a-z n-za-m;; esac");
    user.set("filter.seal.clean", (scratch / "seal").native() + " clean %f");
    user.set("filter.seal.smudge", (scratch / "seal").native() + " smudge %f");
    at(repo,
       "mkdir vault; echo 'vault/** filter=seal' >.gitattributes; printf 'SEALED\\nuryyb\\n' "
       ">vault/old; git add .; git commit -qm sealed");
    spec.filters = {"seal"};
  }
  void program(std::string const& name, std::string const& script) const {
    at(scratch / "", "printf '%s\\n' '#!/bin/sh' '" + script + "' >" + name + "; chmod +x " + name);
  }
  void begin_run() {
    auto const made = prepare(spec);
    REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
    spec.place = *made;
    spec.branch = at(tree, "git symbolic-ref --short HEAD");
    auto const now = runner::note_run(spec, *made, runner::use_for(spec));
    REQUIRE(now);
    noted = *now;
  }
  void act(std::string const& script) const { at(tree, script); }
  runner::RunWork end_run(runner::GitUse use = {}) const {
    REQUIRE(clone().refresh());
    auto settling = finished();
    settling.filters = spec.filters;
    use.lender = runner::use_for(spec).lender;
    return runner::record_work(spec, *spec.place, 7, noted, use, settling);
  }
  /// A file in the work as git stores it.
  std::string stored(runner::RunWork const& work, std::string const& path) const {
    return at(clone().repo(), "git cat-file blob " + work.head + ":" + path);
  }
  /// Whether a text is in any object of the clone.
  bool has_text(std::string const& text) const {
    return at(clone().repo(), "git cat-file --batch --batch-all-objects | grep -c '" + text + "' || true") !=
           "0";
  }
};

}  // namespace andon::test
