#include "runner/secrets/history_secrets.hpp"

#include <algorithm>

#include "runner/merging/repository_under_test.hpp"
#include "runner/secrets/sample_secrets.hpp"

using namespace andon;
using namespace andon::runner;
using namespace andon::test;
using Repo = test::RepositoryUnderTest;

namespace {

/// The place without the digest of its line.
SecretPlace plain(SecretPlace place) {
  place.digest.clear();
  return place;
}

constexpr char kSecret[] = "hunter2-hunter2";

std::string token() { return "ghp_" + scrambled(36); }

HistorySecrets found_since(Repo const& repo, std::string const& tip) {
  auto out = find_history_secrets(repo.opened(), {tip, repo.head()}, {"another-value", kSecret});
  CHECK_FALSE(out.is_cut);
  return out;
}

/// A repository with one commit, which is the tip of the default branch.
std::string begun(Repo const& repo) {
  repo.write("a.txt", "one\ntwo\n");
  return repo.commit("first");
}

std::vector<std::string> commits_in(std::vector<SecretPlace> const& places) {
  std::vector<std::string> out;
  for (auto const& place : places) out.push_back(place.commit);
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

std::vector<std::string> sorted(std::vector<std::string> list) {
  std::ranges::sort(list);
  return list;
}

SecretPlace const* place_of(std::vector<SecretPlace> const& places, std::string_view rule) {
  auto const found = std::ranges::find(places, rule, &SecretPlace::what);
  return found == places.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("HistorySecrets.AreFoundInEveryCommitAlsoOneThatIsTakenBack") {
  Repo const repo;
  auto const tip = begun(repo);
  repo.write("config.py", "x = 1\npassword = \"" + std::string{kSecret} + "\"\nt = '" + token() + "'\n");
  auto const with = repo.commit("second");
  repo.write("config.py", "x = 1\n");
  repo.commit("third");
  auto const found = found_since(repo, tip);
  REQUIRE(found.known.size() == 1);
  CHECK(plain(found.known[0]) == SecretPlace{with, "config.py", 2, "a secret of this machine"});
  REQUIRE(found.likely.size() == 1);
  CHECK(plain(found.likely[0]) == SecretPlace{with, "config.py", 3, "github-pat"});
}

TEST_CASE("HistorySecrets.AreFoundInMessagesAndBinaryFiles") {
  Repo const repo;
  auto const tip = begun(repo);
  repo.write("a.txt", "two\n");
  auto const told = repo.commit("Second\n\n- uses " + std::string{kSecret} + "\n- and " + token() + "\n");
  repo.write("b.dat", std::string("\0\1", 2) + kSecret + std::string("\0\n\0", 3) + token());
  auto const hidden = repo.commit("third");
  auto const found = found_since(repo, tip);
  CHECK(commits_in(found.known) == sorted({told, hidden}));
  CHECK(commits_in(found.likely) == sorted({told, hidden}));
  CHECK(plain(found.likely[0]) == SecretPlace{told, "", 4, "github-pat"});
}

TEST_CASE("HistorySecrets.ThatWereThereBeforeAreNotTheWorks") {
  Repo const repo;
  repo.write("old.txt", std::string{kSecret} + "\n" + token() + "\n");
  auto const tip = repo.commit("first");
  repo.write("new.txt", "commit 0123\nhunter2\n");
  repo.commit("second");
  repo.write("old.txt", "gone\n");
  repo.commit("third");
  auto const found = found_since(repo, tip);
  CHECK(found.known.empty());
  CHECK(found.likely.empty());
}

TEST_CASE("HistorySecrets.AnAttributeHidesNone") {
  Repo const repo;
  repo.write(".gitattributes", "*.py -diff binary\n");
  auto const tip = repo.commit("first");
  repo.write("config.py", kSecret + std::string{"\n"} + token());
  repo.commit("second");
  CHECK(found_since(repo, tip).known.size() == 1);
  CHECK(found_since(repo, tip).likely.size() == 1);
}

TEST_CASE("HistorySecrets.AreFoundInWhatAMergeAdds") {
  Repo const repo;
  auto const tip = begun(repo);
  repo.git({"checkout", "-q", "-b", "side"});
  repo.write("a.txt", "one\ntwo\nside\n");
  repo.commit("side");
  repo.git({"checkout", "-q", "main"});
  repo.write("a.txt", "zero\none\ntwo\n");
  repo.commit("main");
  repo.git({"merge", "-q", "--no-commit", "side"});
  repo.write("a.txt", "zero\n" + std::string{kSecret} + "\none\n-" + token() + "\ntwo\nside\n");
  repo.write("new.txt", "+++ b/x\n" + token());
  auto const merge = repo.commit("merge");
  auto const found = found_since(repo, tip);
  REQUIRE(found.known.size() == 1);
  CHECK(plain(found.known[0]) == SecretPlace{merge, "a.txt", 2, "a secret of this machine"});
  REQUIRE(found.likely.size() == 2);
  CHECK(plain(found.likely[0]) == SecretPlace{merge, "a.txt", 4, "github-pat"});
  CHECK(plain(found.likely[1]) == SecretPlace{merge, "new.txt", 2, "github-pat"});
}

TEST_CASE("HistorySecrets.OfTheDefaultBranchAreNotTheWorksBecauseItMergesThem") {
  Repo const repo;
  begun(repo);
  repo.git({"checkout", "-q", "-b", "work"});
  repo.write("w.txt", "work\n");
  repo.commit("work");
  repo.git({"checkout", "-q", "main"});
  repo.write("a.txt", "one\n" + token() + "\ntwo\n");
  auto const tip = repo.commit("main");
  repo.git({"checkout", "-q", "work"});
  repo.git({"merge", "-q", "-m", "merge", "main"});
  CHECK(found_since(repo, tip).likely.empty());
}

TEST_CASE("HistorySecrets.AreFoundInTextOfTwoBytesALetter") {
  Repo const repo;
  auto const tip = begun(repo);
  std::string wide = "\xFF\xFE";
  for (char const c : "x = 1\nname = " + token() + "\nother = " + kSecret + "\n")
    wide += std::string{c, '\0'};
  repo.write("a.reg", wide);
  auto const with = repo.commit("second");
  auto const found = found_since(repo, tip);
  REQUIRE(found.known.size() == 1);
  CHECK(found.known[0].line == 3);
  REQUIRE(place_of(found.likely, "github-pat"));
  CHECK(plain(*place_of(found.likely, "github-pat")) == SecretPlace{with, "a.reg", 2, "github-pat"});
}

TEST_CASE("HistorySecrets.AreFoundInFilesWithHostileNames") {
  for (std::string const name :
       {"a\nb.txt", "a b/b a", "\"q\"\t\\.txt", "\xE9t\xE9.txt", " b/x b/x ", "-x", "a\x01\x7F"}) {
    Repo const repo;
    auto const tip = begun(repo);
    repo.write(name, "\n" + token() + "\n");
    auto const with = repo.commit("second");
    auto const found = found_since(repo, tip);
    INFO(name);
    REQUIRE(found.likely.size() == 1);
    CHECK(plain(found.likely[0]) == SecretPlace{with, name, 2, "github-pat"});
  }
}

TEST_CASE("HistorySecrets.AreFoundInNamesOfFiles") {
  Repo const repo;
  auto const tip = begun(repo);
  repo.write(token() + ".txt", "");
  repo.write(kSecret, "x\n");
  repo.write("shop.p12", "x\n");
  repo.commit("second");
  auto const found = found_since(repo, tip);
  REQUIRE(found.known.size() == 1);
  CHECK(found.known[0].path == kSecret);
  CHECK(found.likely.size() == 2);
  repo.remove("shop.p12");
  auto const before = repo.head();
  repo.commit("third");
  CHECK(found_since(repo, before).likely.empty());
}

TEST_CASE("HistorySecrets.AreFoundBehindLinesThatLookLikeThoseOfGit") {
  Repo const repo;
  auto const tip = begun(repo);
  auto const forged = std::string{
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n\\ No newline at end of file\n"
      "commit 0123\n-\n+\n \n\n@@@ -1 -1 +1 @@@\nBinary files differ\n"};
  repo.write("a.patch", forged + token() + "\n" + forged + kSecret + "\n");
  repo.commit("Second\n\n" + forged);
  repo.write("a.patch", "++ b/y\n-- a/y\n" + forged + forged + "ghp_" + scrambled(36, kWord, 9) + "\n");
  repo.commit("Third\n\n" + forged + kSecret);
  auto const found = found_since(repo, tip);
  REQUIRE(found.known.size() == 2);
  CHECK(found.known[0].line == 26);
  CHECK(found.known[1].path.empty());
  REQUIRE(found.likely.size() == 2);
  CHECK(found.likely[0].line == 13);
  CHECK(found.likely[1].line == 27);
}

TEST_CASE("HistorySecrets.AreFoundInOtherEncodings") {
  Repo const repo;
  auto const tip = begun(repo);
  repo.write("a.txt", "caf\xE9 " + token() + " \xFF\xFE\r\n");
  repo.git({"add", "."});
  repo.git({"-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-m", "caf\xE9 " + token()});
  auto const found = found_since(repo, tip);
  CHECK(found.likely.size() == 2);
}

TEST_CASE("HistorySecrets.AreFoundInARootThatTheWorkBrings") {
  Repo const repo;
  auto const tip = begun(repo);
  repo.git({"checkout", "-q", "--orphan", "other"});
  repo.write("b.txt", token());
  auto const root = repo.commit("root");
  repo.git({"checkout", "-q", "main"});
  repo.git({"merge", "-q", "--allow-unrelated-histories", "-m", "merge", "other"});
  CHECK(commits_in(found_since(repo, tip).likely) == std::vector{root});
}

TEST_CASE("HistorySecrets.NameAtMostTwentyPlaces") {
  Repo const repo;
  auto const tip = begun(repo);
  std::string text;
  for (std::uint64_t i = 0; i < 30; ++i) text += "ghp_" + scrambled(36, kWord, i) + " " + kSecret + "\n";
  repo.write("b.txt", text);
  repo.commit("second");
  auto const found = found_since(repo, tip);
  CHECK(found.known.size() == 20);
  CHECK(found.likely.size() == 20);
}

TEST_CASE("HistorySecrets.AreSearchedInManyCommits") {
  Repo const repo;
  auto const tip = begun(repo);
  std::string stream;
  for (int i = 0; i < 2'500; ++i) {
    auto const text = "line " + std::to_string(i) + (i == 1'200 ? " " + token() : "") + "\n";
    stream += "commit refs/heads/main\ncommitter a <a@example.org> 1700000000 +0000\ndata 2\nm\n" +
              (i == 0 ? "from " + tip + "\n" : std::string{}) + "M 100644 inline a.txt\ndata " +
              std::to_string(text.size()) + "\n" + text + "\n";
  }
  repo.write("../stream", stream);
  repo.git({"-c", "alias.import=!git fast-import --quiet --force < ../stream", "import"});
  auto const found = found_since(repo, tip);
  REQUIRE(found.likely.size() == 1);
  CHECK(found.likely[0].path == "a.txt");
}
