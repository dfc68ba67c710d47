#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "os/processes/capture.hpp"
#include "runner/merging/change_measure.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// A repository that tests change file by file, without a shell. Names may hold any byte but zero.
class RepositoryUnderTest {
 public:
  RepositoryUnderTest() {
    std::filesystem::create_directories(top_);
    git({"init", "-q", "-b", "main"});
  }

  std::filesystem::path const& top() const { return top_; }

  std::string git(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"git", "-c", "advice.detachedHead=false"});
    auto const done = os::capture(
        {.program = "/usr/bin/git",
         .argv = arguments,
         .env = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "GIT_AUTHOR_NAME=ann",
                 "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=ann",
                 "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_EDITOR=true"},
         .cwd = top_},
        {.time = core::Duration{60'000}, .bytes = 64U << 20U});
    INFO(arguments[3], "\n", done.out);
    REQUIRE(done.status.code == 0);
    return done.out.substr(0, done.out.find_last_not_of('\n') + 1);
  }
  void write(std::string const& path, std::string const& text) const {
    std::filesystem::create_directories((top_ / path).parent_path());
    std::ofstream{top_ / path, std::ios::binary} << text;
  }
  std::string read(std::string const& path) const {
    std::ifstream in{top_ / path, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  /// Puts another text in place of the first occurrence of one.
  void replace(std::string const& path, std::string const& from, std::string const& to) const {
    auto text = read(path);
    auto const at = text.find(from);
    REQUIRE(at != std::string::npos);
    write(path, text.replace(at, from.size(), to));
  }
  void link(std::string const& path, std::string const& target) const {
    std::filesystem::remove_all(top_ / path);
    std::filesystem::create_directories((top_ / path).parent_path());
    std::filesystem::create_symlink(target, top_ / path);
  }
  void make_executable(std::string const& path) const {
    std::filesystem::permissions(top_ / path, std::filesystem::perms::owner_exec,
                                 std::filesystem::perm_options::add);
  }
  void remove(std::string const& path) const { std::filesystem::remove_all(top_ / path); }
  void rename(std::string const& from, std::string const& to) const {
    std::filesystem::create_directories((top_ / to).parent_path());
    std::filesystem::rename(top_ / from, top_ / to);
  }
  /// Commits everything that is there, ignored files too.
  std::string commit(std::string const& subject) const {
    git({"add", "-A", "-f", "."});
    git({"commit", "-q", "--allow-empty", "--no-verify", "-m", subject});
    return head();
  }
  std::string head(std::string const& what = "HEAD") const { return git({"rev-parse", what}); }

  runner::Git opened() const {
    auto git = runner::open_git(top_);
    REQUIRE(git);
    return *git;
  }

 private:
  Scratch scratch_;
  std::filesystem::path top_ = scratch_ / "repo";
};

}  // namespace andon::test
