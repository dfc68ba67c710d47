#include "runner/merging/known_secrets.hpp"

#include <algorithm>

#include "runner/merging/repository_under_test.hpp"

using namespace andon;
using namespace andon::runner;
using Repo = test::RepositoryUnderTest;

namespace {

constexpr char kSecret[] = "hunter2-hunter2";

std::vector<std::string> found_in(Repo const& repo, std::string const& tip) {
  auto const head = repo.head();
  auto const search = find_values(repo.opened(), {tip, head, tip, head}, {"another-value", kSecret});
  CHECK_FALSE(search.is_cut);
  return search.commits;
}

}  // namespace

TEST_CASE("KnownSecrets.AreFoundInEveryCommitAlsoOneThatIsTakenBack") {
  Repo const repo;
  repo.write("a.txt", "one\n");
  auto const tip = repo.commit("first");
  repo.write("config.py", "x = 1\npassword = \"" + std::string{kSecret} + "\"\n");
  auto const with = repo.commit("second");
  repo.write("config.py", "x = 1\n");
  repo.commit("third");
  CHECK(found_in(repo, tip) == std::vector{with});
}

TEST_CASE("KnownSecrets.AreFoundInMessagesAndBinaryFiles") {
  Repo const repo;
  repo.write("a.txt", "one\n");
  auto const tip = repo.commit("first");
  repo.write("a.txt", "two\n");
  auto const told = repo.commit("Second\n\n- uses " + std::string{kSecret} + "\n");
  repo.write("b.bin", std::string("\0\1", 2) + kSecret);
  auto const hidden = repo.commit("third");
  auto found = found_in(repo, tip);
  std::ranges::sort(found);
  std::vector wanted{told, hidden};
  std::ranges::sort(wanted);
  CHECK(found == wanted);
}

TEST_CASE("KnownSecrets.ThatWereThereBeforeAreNotTheWorks") {
  Repo const repo;
  repo.write("old.txt", std::string{kSecret} + "\n");
  auto const tip = repo.commit("first");
  repo.write("new.txt", "commit 0123\nhunter2\n");
  repo.commit("second");
  repo.write("old.txt", "gone\n");
  repo.commit("third");
  CHECK(found_in(repo, tip).empty());
}

TEST_CASE("KnownSecrets.AnAttributeHidesNone") {
  Repo const repo;
  repo.write(".gitattributes", "*.py -diff binary\n");
  auto const tip = repo.commit("first");
  repo.write("config.py", kSecret);
  repo.commit("second");
  CHECK(found_in(repo, tip).size() == 1);
}
