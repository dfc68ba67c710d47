#include "runner/merging/change_measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "core/runs/landing_gate.hpp"
#include "runner/merging/changed_entries.hpp"
#include "runner/merging/repository_under_test.hpp"
#include "runner/secrets/history_secrets.hpp"

using namespace andon;
using namespace andon::runner;
using core::LandedFile;
using Fate = core::LandedFile::Fate;
using Repo = test::RepositoryUnderTest;

namespace {

std::string lines(int count, std::string const& word = "line") {
  std::string out;
  for (int i = 0; i < count; ++i) out += word + " " + std::to_string(i) + "\n";
  return out;
}

core::LandedChange measured(Repo const& repo, std::string const& tip, std::string const& base = {}) {
  auto const head = repo.head();
  auto const change = measure_change(repo.opened(), {tip, head, base.empty() ? tip : base, head});
  REQUIRE(change);
  return *change;
}

LandedFile file_of(core::LandedChange const& change, std::string const& path) {
  auto const found = std::ranges::find(change.files, path, &LandedFile::path);
  REQUIRE(found != change.files.end());
  return *found;
}

}  // namespace

TEST_CASE("ChangeMeasure.AnAttributeHidesNoLines") {
  Repo const repo;
  repo.write(".gitattributes", "tests/** -diff\n");
  repo.write("tests/cart.test.js", lines(60));
  repo.write("logo.png", std::string("\x89PNG\0\0\1", 7));
  auto const tip = repo.commit("first");
  repo.write("tests/cart.test.js", lines(15));
  repo.write("logo.png", std::string("\x89PNG\0\0\2", 7));
  repo.commit("second");
  auto const change = measured(repo, tip);
  CHECK_FALSE(change.is_cut);
  CHECK(file_of(change, "tests/cart.test.js").lines_removed == 45);
  auto const found = core::findings_of(change, {});
  REQUIRE(found.size() == 1);
  CHECK(found.front().limit == "test_lines");
}

TEST_CASE("ChangeMeasure.TellsFateLinesAndBytesOfEachFile") {
  Repo const repo;
  repo.write("kept.txt", lines(40));
  repo.write("gone.txt", lines(40, "gone"));
  repo.write("moved.txt", lines(40, "moved"));
  repo.write("empty.txt", lines(40, "empty"));
  repo.write("logo.png", std::string("\x89PNG\0\0\1", 7));
  auto const tip = repo.commit("first");
  repo.write("kept.txt", lines(41));
  repo.remove("gone.txt");
  repo.rename("moved.txt", "there/moved.txt");
  repo.write("empty.txt", "");
  repo.write("logo.png", std::string("\x89PNG\0\0\2\0", 8));
  repo.write("new.txt", lines(3, "new"));
  repo.commit("second");
  auto const change = measured(repo, tip);
  CHECK_FALSE(change.is_cut);
  CHECK(change.files.size() == 6);
  CHECK(change.files_before == 5);
  CHECK(file_of(change, "kept.txt").lines_added == 1);
  CHECK(file_of(change, "gone.txt").fate == Fate::deleted);
  CHECK(file_of(change, "gone.txt").lines_removed == 40);
  CHECK(file_of(change, "there/moved.txt").fate == Fate::renamed);
  CHECK(file_of(change, "empty.txt").bytes_before > 300);
  CHECK(file_of(change, "empty.txt").bytes_after == 0);
  CHECK(file_of(change, "logo.png").is_binary);
  CHECK(file_of(change, "logo.png").bytes_after == 8);
  CHECK(file_of(change, "new.txt").fate == Fate::added);
  CHECK(file_of(change, "new.txt").bytes_after == 18);
}

TEST_CASE("ChangeMeasure.HostileNamesAreMeasuredLikeOthers") {
  Repo const repo;
  std::vector<std::string> const names{"-rf",     "--output=x", ":(top)a",   ":100644", "a\nb",
                                       "a\tb",    "quo\"te",    "*.txt",     "[id].js", "bad\xff.c",
                                       "\x1b[2J", "a\\b",       "sp ace/-n", "1\t2\tx"};
  for (auto const& name : names) repo.write(name, lines(30, "old"));
  repo.write("other.txt", lines(5));
  auto const tip = repo.commit("first");
  for (auto const& name : names)
    repo.write(name,
               "AKIA"
               "Q3EGRW5TZ7YUX2PM\n");
  repo.commit("second");
  auto const change = measured(repo, tip);
  CHECK_FALSE(change.is_cut);
  CHECK(change.files.size() == names.size());
  for (auto const& file : change.files) {
    CAPTURE(file.path);
    CHECK(file.lines_removed == 30);
    CHECK(file.bytes_before == 200);
    CHECK(file.bytes_after == 21);
    CHECK(file.secret_lines == 1);
  }
}

TEST_CASE("ChangeMeasure.OnlyAddedLinesHoldSecrets") {
  Repo const repo;
  std::string const secret =
      "key = ghp_"
      "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\n";
  repo.write("removed.txt", secret + lines(5));
  repo.write("near.txt", secret + lines(5));
  auto const tip = repo.commit("first");
  repo.write("removed.txt", lines(5));
  repo.write("near.txt", secret + lines(6));
  repo.write("added.txt", lines(5) + secret);
  repo.write("binary", std::string("\0\1\n", 3) + secret);
  repo.write("mention.txt", "AKIA and sk- are how tokens begin, ghp_ too\n");
  repo.commit("second");
  auto const change = measured(repo, tip);
  CHECK_FALSE(file_of(change, "removed.txt").secret_lines > 0);
  CHECK_FALSE(file_of(change, "near.txt").secret_lines > 0);
  CHECK_FALSE(file_of(change, "mention.txt").secret_lines > 0);
  CHECK(file_of(change, "added.txt").secret_lines > 0);
  CHECK(file_of(change, "binary").secret_lines == 0);  // the history of the work is searched for it
}

TEST_CASE("ChangeMeasure.AMergeThatKeepsItsOwnSideRevertsOthers") {
  Repo const repo;
  repo.write("a.txt", lines(20));
  repo.write("b.txt", lines(20));
  auto const base = repo.commit("first");
  repo.write("a.txt", lines(21));
  repo.write("theirs.txt", lines(9));
  auto const tip = repo.commit("others");
  repo.git({"checkout", "-q", "-b", "work", base});
  repo.write("b.txt", lines(22));
  repo.commit("mine");
  repo.git({"merge", "-q", "-s", "ours", "-m", "merged", "main"});
  auto const change = measured(repo, tip);
  CHECK(file_of(change, "a.txt").is_reverted);
  CHECK(file_of(change, "theirs.txt").is_reverted);
  CHECK_FALSE(file_of(change, "b.txt").is_reverted);
}

TEST_CASE("ChangeMeasure.OldCopiesPutBackOverNewerFilesAreSeen") {
  Repo const repo;
  repo.write("a.txt", lines(20));
  repo.write("gone.txt", lines(20, "gone"));
  repo.commit("first");
  repo.write("a.txt", lines(21));
  repo.remove("gone.txt");
  auto const tip = repo.commit("others");
  repo.write("a.txt", lines(20));
  repo.write("gone.txt", lines(20, "gone"));
  repo.commit("back");
  auto const change = measured(repo, tip);
  CHECK(file_of(change, "a.txt").is_reverted);
  CHECK(file_of(change, "gone.txt").is_reverted);
}

TEST_CASE("ChangeMeasure.SubmodulesAreSeenWhateverTheRepositoryIgnores") {
  Repo const repo;
  repo.write("a.txt", "a\n");
  repo.write(".gitmodules", "[submodule \"deps\"]\n\tpath = deps\n\turl = ./x\n\tignore = all\n");
  repo.git({"add", "."});
  repo.git({"update-index", "--add", "--cacheinfo", "160000," + std::string(40, 'a') + ",deps"});
  repo.git({"commit", "-q", "-m", "first"});
  auto const tip = repo.head();
  repo.git({"config", "diff.ignoreSubmodules", "all"});
  repo.git({"update-index", "--add", "--cacheinfo", "160000," + std::string(40, 'b') + ",deps"});
  // Porcelain would say that there is nothing to commit.
  auto const tree = repo.git({"write-tree"});
  repo.git({"reset", "-q", "--soft", repo.git({"commit-tree", tree, "-p", "HEAD", "-m", "second"})});
  auto const change = measured(repo, tip);
  REQUIRE(change.files.size() == 1);
  CHECK(change.files.front().is_submodule);
}

TEST_CASE("ChangeMeasure.CopiedFilesAreFoundInEveryCommitOfTheWork") {
  Repo const repo;
  repo.write("a.txt", "a\n");
  auto const tip = repo.commit("first");
  repo.write("conf/.env", "X=1\n");
  repo.write("key*", "k\n");
  repo.commit("slip");
  repo.remove("conf/.env");
  repo.remove("key*");
  repo.commit("cleaned");
  auto const head = repo.head();
  LandingCommits const commits{tip, head, tip, head};
  using Names = std::vector<std::string>;
  CHECK(files_of_work(repo.opened(), commits, {"conf/.env"}).value() == Names{"conf/.env"});
  CHECK(files_of_work(repo.opened(), commits, {"conf", "key*"}).value() == Names{"conf/.env", "key*"});
  CHECK(files_of_work(repo.opened(), commits, {"*.txt", "c*"}).value().empty());
  CHECK(files_of_work(repo.opened(), commits, {}).value().empty());
  CHECK_FALSE(files_of_work(repo.opened(), {std::string(40, '1'), head, tip, head}, {"conf"}).has_value());
}

TEST_CASE("ChangeMeasure.GitThatFailsIsTold") {
  Repo const repo;
  repo.write("a.txt", "a\n");
  auto const head = repo.commit("first");
  CHECK_FALSE(measure_change(repo.opened(), {std::string(40, '1'), head, head, head}).has_value());
}

TEST_CASE("ChangedEntries.AnOutputWithoutItsEndIsCut") {
  using namespace std::string_literals;
  auto const whole = ":100644 100644 aa bb M\0a.txt\0001\t2\ta.txt\0"s;
  CHECK_FALSE(parse_entries(whole).is_cut);
  CHECK(parse_entries(whole).entries.front().removed == 2);
  for (std::size_t bytes = 1; bytes < whole.size(); ++bytes)
    if (bytes != 29) CHECK(parse_entries(whole.substr(0, bytes)).is_cut);
  CHECK(parse_entries(":100644 100644 aa bb M\0a.txt\0001\t2\tb.txt\0"s).is_cut);
  CHECK(parse_entries("").entries.empty());
}

TEST_CASE("ChangedEntries.ManyNamesGoInSeveralCalls") {
  CHECK(in_batches({}).empty());
  CHECK(in_batches(std::vector<std::string>(501, "a")).size() == 2);
  CHECK(in_batches(std::vector<std::string>(100, std::string(4'000, 'a'))).size() == 6);
}

TEST_CASE("ChangeMeasure.ALargeChangeIsReadAsAWhole") {
  constexpr int kFiles = 100, kLinesOfFile = 1'000;
  Repo const repo;
  auto const text = [](int file, std::string const& word) {
    std::string out;
    for (int i = 0; i < kLinesOfFile; ++i)
      out += "  check(" + word + "_" + std::to_string(file) + ".value(" + std::to_string(i) + "), \"" + word +
             "\");\n";
    return out;
  };
  for (int i = 0; i < kFiles; ++i) repo.write("tests/" + std::to_string(i) + "_test.js", text(i, "before"));
  auto const tip = repo.commit("first");
  for (int i = 0; i < kFiles; ++i) repo.write("tests/" + std::to_string(i) + "_test.js", text(i, "after"));
  auto const head = repo.commit("second");
  auto const git = repo.opened();
  auto const before = std::chrono::steady_clock::now();
  auto const change = measure_change(git, {tip, head, tip, head});
  auto const secrets = find_history_secrets(git, {tip, head}, {"a secret of the machine"});
  auto const took = std::chrono::steady_clock::now() - before;
  REQUIRE(change);
  CHECK_FALSE(change->is_cut);
  CHECK_FALSE(secrets.is_cut);
  CHECK(change->files.size() == kFiles);
  for (auto const& file : change->files) CHECK(file.lines_lost == 0);
  CHECK(core::findings_of(*change, {.lines = -1, .bytes = -1}).empty());
  MESSAGE("100,000 lines replaced in 100 files: ",
          std::chrono::duration_cast<std::chrono::milliseconds>(took).count(), " ms");
}
