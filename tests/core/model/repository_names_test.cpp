#include "core/model/repository_names.hpp"

#include <doctest/doctest.h>

using namespace andon;

namespace {

void check_fit(auto fault_of, std::initializer_list<char const*> texts) {
  for (auto const* text : texts) {
    CAPTURE(std::string{text});
    CHECK(fault_of(text) == "");
  }
}

void check_unfit(auto fault_of, std::initializer_list<char const*> texts) {
  for (auto const* text : texts) {
    CAPTURE(std::string{text});
    CHECK(fault_of(text) != "");
  }
}

}  // namespace

TEST_CASE("RepositoryNames.ABranchIsAsGitAllowsIt") {
  check_fit(&core::fault_of_branch,
            {"", "main", "develop", "release/2.1", "a/b/c", "fix-#42", "größe", "a@b", "a./b"});
  check_unfit(&core::fault_of_branch, {"-x",      "refs/heads/main",
                                       "HEAD",    "@",
                                       "/a",      "a/",
                                       "a//b",    ".a",
                                       "a/.b",    "a.",
                                       "a..b",    "a.lock",
                                       "a ",      "a~1",
                                       "a^",      "a:b",
                                       "a?",      "a*",
                                       "a[b",     "a\\b",
                                       "a@{1",    "a\nb",
                                       "a\x7f",   "\xff",
                                       "a.lock/b"});
  CHECK(core::fault_of_branch(std::string(201, 'x')) != "");
  CHECK(core::fault_of_branch({"a\0b", 3}) != "");
}

TEST_CASE("RepositoryNames.APrefixOfBranchesIsNeverEmpty") {
  check_fit(&core::fault_of_branch_prefix, {"andon", "agents", "team/andon", "bot-1"});
  check_unfit(&core::fault_of_branch_prefix, {"", "andon/", "/andon", "a b", "-a", "refs/x", "a..b", "a\nb"});
}

TEST_CASE("RepositoryNames.BranchesOfTasksHaveAPlaceBesideTheBranchOfTheBoard") {
  CHECK(core::fault_of_branches("", "andon") == "");
  CHECK(core::fault_of_branches("develop", "andon") == "");
  CHECK(core::fault_of_branches("andons", "andon") == "");
  CHECK(core::fault_of_branches("andon", "andon").contains("--branch-prefix"));
  CHECK(core::fault_of_branches("team", "team/andon") != "");
  CHECK(core::fault_of_branches("andon/base", "andon") != "");
}

TEST_CASE("RepositoryNames.AFolderIsInsideTheRepository") {
  check_fit(&core::fault_of_folder, {"", "app", "packages/app", "a b", ".github", "a..b"});
  check_unfit(&core::fault_of_folder, {"/app", "app/", "a//b", "..", "../a", "a/../b", ".", "a/.", ".git",
                                       "a/.git", "a/.GIT/b", "a\nb"});
  CHECK(core::fault_of_folder({"a\0b", 3}) != "");
}

TEST_CASE("RepositoryNames.FiltersAreAFewPlainNames") {
  CHECK(core::fault_of_filters({}) == "");
  CHECK(core::fault_of_filters({"lfs", "git-crypt", "a_b.c"}) == "");
  for (auto const* name : {"", "a b", "a;b", "a=b", "ä", "a\nb"}) {
    CAPTURE(std::string{name});
    CHECK(core::fault_of_filters({name}) != "");
  }
  CHECK(core::fault_of_filters(std::vector<std::string>(21, "lfs")).contains("at most 20"));
}
