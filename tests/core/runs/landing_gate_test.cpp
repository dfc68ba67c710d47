#include "core/runs/landing_gate.hpp"

#include <doctest/doctest.h>

#include "core/runs/path_kinds.hpp"
#include "core/runs/secret_text.hpp"

using namespace andon;
using core::LandedChange;
using core::LandedFile;
using core::LandFinding;
using core::LandLimits;
using core::PathKind;
using Fate = core::LandedFile::Fate;

namespace {

LandedFile file(std::string path, Fate fate = Fate::changed) {
  LandedFile out{path, fate};
  out.from = std::move(path);
  return out;
}

/// A file whose lines and bytes fit to each other.
LandedFile text(std::string path, std::int64_t added, std::int64_t removed, Fate fate = Fate::changed) {
  auto out = file(std::move(path), fate);
  out.lines_added = added;
  out.lines_removed = removed;
  out.lines_lost = removed - added;
  out.bytes_before = fate == Fate::added ? 0 : 4'000;
  out.bytes_after = fate == Fate::deleted ? 0 : 4'000;
  return out;
}

LandedChange change_of(std::vector<LandedFile> files) {
  LandedChange out{std::move(files)};
  out.files_before = 1'000;
  return out;
}

std::vector<std::string> limits_of(LandedChange const& change, LandLimits const& limits = {}) {
  std::vector<std::string> out;
  for (auto const& found : core::findings_of(change, limits)) out.push_back(found.limit);
  return out;
}
using Limits = std::vector<std::string>;

LandedFile renamed(std::string from, std::string path) {
  auto out = file(std::move(path), Fate::renamed);
  out.from = std::move(from);
  return out;
}
LandedFile reverted(std::string path) {
  auto out = text(std::move(path), 3, 3);
  out.is_reverted = true;
  return out;
}
LandedFile with_secret(LandedFile out) {
  out.secret_lines = 1;
  return out;
}
LandedFile submodule(std::string path, Fate fate) {
  auto out = file(std::move(path), fate);
  out.is_submodule = true;
  return out;
}
LandedFile sized(LandedFile out, std::int64_t before, std::int64_t after, bool is_binary = false) {
  out.bytes_before = before;
  out.bytes_after = after;
  out.bytes_lost = std::max<std::int64_t>(0, before - after);
  out.is_binary = is_binary;
  return out;
}

}  // namespace

TEST_CASE("LandingGate.AnOrdinaryChangePasses") {
  auto const change =
      change_of({text("src/cart.js", 40, 12), text("tests/cart.test.js", 30, 35),
                 text("src/old.js", 0, 80, Fate::deleted), text("docs/cart.md", 9, 0, Fate::added),
                 renamed("src/cart/a.js", "src/basket/a.js"), text("package.json", 1, 1),
                 text("package-lock.json", 300, 200), text(".env.example", 1, 0)});
  CHECK(limits_of(change) == Limits{});
}

TEST_CASE("LandingGate.EachLimitIsExceededByItsOwnKindOfFile") {
  struct Row {
    char const* limit;
    LandedFile file;
  };
  Row const rows[] = {
      {"emptied_files", sized(text("src/a.js", 1, 90), 4'000, 40)},
      {"emptied_files", sized(text("src/a.js", 0, 90), 4'000, 0)},
      {"emptied_files", sized(text("logo.png", 0, 0), 9'000, 0)},
      {"reverted_files", reverted("src/a.js")},
      {"test_lines", text("tests/a.js", 0, 41)},
      {"test_lines", text("src/a.test.ts", 9, 50)},
      {"test_lines", text("pkg/test_a.py", 0, 50, Fate::deleted)},
      {"generated_files", text("node_modules/x/index.js", 1, 0, Fate::added)},
      {"generated_files", text("vendor/x.js", 1, 1)},
      {"generated_files", text("web/dist/a.js", 1, 0, Fate::added)},
      {"generated_files", text("a/app.min.js", 1, 1)},
      {"generated_files", text("src/__pycache__/a.pyc", 0, 0, Fate::added)},
      {"lock_files", text("package-lock.json", 9, 9)},
      {"lock_files", text("go.sum", 0, 9, Fate::deleted)},
      {"secret_files", text(".env", 3, 0, Fate::added)},
      {"secret_files", text("deploy/.ENV.production", 3, 0, Fate::added)},
      {"secret_files", text("keys/id_rsa", 3, 0, Fate::added)},
      {"secret_files", text("prod.pem", 3, 0, Fate::added)},
      {"secret_files", with_secret(text("src/a.js", 1, 0))},
      {"lines", text("src/data.js", 9'000, 1'001)},
      {"bytes", sized(text("dump.sql", 1, 0, Fate::added), 0, 5'000'001)},
      {"submodules", submodule("deps/theme", Fate::changed)},
      {"submodules", submodule("deps/theme", Fate::deleted)},
      {"submodules", text(".gitmodules", 1, 1)},
      {"check_files", text(".github/workflows/ci.yml", 1, 1)},
      {"check_files", text(".github/workflows/ci.yml", 0, 40, Fate::deleted)},
      {"check_files", text("Jenkinsfile", 1, 1)},
      {"check_files", text("AGENTS.md", 1, 0)},
      {"check_files", text("web/.vscode/tasks.json", 1, 0, Fate::added)},
      {"check_files", renamed(".githooks/pre-commit.sh", "tools/pre-commit.sh")},
      {"emptied_files", renamed("src/pay.py", "docs/pay.txt")},
      {"lost_tests", renamed("tests/pay_test.py", "tests/pay_test.txt")},
      {"lost_tests", renamed("tests/pay_test.py", "attic/pay_test.py")},
  };
  for (auto const& row : rows) {
    CAPTURE(row.limit);
    CAPTURE(row.file.path);
    CHECK(limits_of(change_of({row.file})) == Limits{row.limit});
  }
}

TEST_CASE("LandingGate.DeletionsCountByNumberAndByShareOfARepositoryOfSomeSize") {
  auto deletions = [](int count, std::int64_t of) {
    LandedChange out;
    for (int i = 0; i < count; ++i)
      out.files.push_back(text("src/" + std::to_string(i), 0, 9, Fate::deleted));
    out.files_before = of;
    return out;
  };
  CHECK(limits_of(deletions(10, 1'000)) == Limits{});
  CHECK(limits_of(deletions(11, 1'000)) == Limits{"deleted_files"});
  CHECK(limits_of(deletions(4, 20)) == Limits{});
  CHECK(limits_of(deletions(5, 20)) == Limits{"deleted_percent"});
  CHECK(limits_of(deletions(5, 19)) == Limits{});
  CHECK(limits_of(deletions(201, 1'000)) == Limits{"deleted_files", "deleted_percent"});
}

TEST_CASE("LandingGate.SixBinaryFilesAreMoreThanFive") {
  LandedChange change;
  for (int i = 0; i < 5; ++i)
    change.files.push_back(sized(file(std::to_string(i) + ".png", Fate::added), 0, 9, true));
  CHECK(limits_of(change) == Limits{});
  change.files.push_back(sized(file("6.png"), 9, 9, true));
  CHECK(limits_of(change) == Limits{"binary_files"});
}

TEST_CASE("LandingGate.TouchesCountOnlyWhereTheTaskHasSome") {
  auto change = change_of({text("src/cart/a.js", 1, 1), text("src/pay/a.js", 1, 1)});
  CHECK(limits_of(change) == Limits{});
  change.touches = {"src/cart/**"};
  auto const found = core::findings_of(change, {});
  REQUIRE(found.size() == 1);
  CHECK(found.front() == LandFinding{"outside_touches", 1, 0, {"src/pay/a.js"}, {}, "src/pay/a.js\n\n"});
}

TEST_CASE("LandingGate.TheProgramsOfTheBoardsChecksAreCheckFiles") {
  using Files = std::vector<std::string>;
  CHECK(core::files_of_check({"./check", "tests"}) == Files{"check"});
  CHECK(core::files_of_check({"make", "test"}) == Files{"make"});
  CHECK(core::files_of_check({"sh", "-e", "./tools/check.sh"}) == Files{"sh", "tools/check.sh"});
  CHECK(core::files_of_check({"/usr/bin/env", "node"}) == Files{"/usr/bin/env", "node"});
  CHECK(core::files_of_check({"python3", "-u"}) == Files{"python3"});
  CHECK(core::files_of_check({}).empty());
  auto change = change_of({text("tools/check.sh", 1, 1)});
  change.check_files = {"sh", "tools/check.sh"};
  CHECK(limits_of(change) == Limits{"check_files"});
}

TEST_CASE("LandingGate.ANegativeLimitIsNoneAndTheBoardsOwnCounts") {
  auto const change = change_of({text(".env", 3, 0, Fate::added), text("tests/a.js", 0, 20)});
  LandLimits limits;
  limits.secret_files = -1;
  CHECK(limits_of(change, limits) == Limits{});
  limits.test_lines = 19;
  CHECK(limits_of(change, limits) == Limits{"test_lines"});
}

TEST_CASE("LandingGate.AChangeThatIsTooLargeToMeasureExceedsEveryLimit") {
  LandedChange change;
  change.is_cut = true;
  LandLimits limits;
  limits.lines = -1;
  auto const found = core::findings_of(change, limits);
  CHECK(found.size() == 20);
  for (auto const& each : found) CHECK(each.count == each.most + 1);
}

TEST_CASE("LandingGate.AnAnswerHoldsForThatFindingAndContentAlone") {
  std::vector<LandFinding> const allowed{{"deleted_files", 12, 10, {"a", "b"}, {}, "ab"}};
  using Found = std::vector<LandFinding>;
  CHECK(core::beyond(allowed, allowed).empty());
  for (auto const& other : {LandFinding{"deleted_files", 12, 10, {"a", "b"}, {}, "ac"},
                            LandFinding{"deleted_files", 11, 10, {"a"}, {}, "a"},
                            LandFinding{"secret_files", 12, 10, {"a", "b"}, {}, "ab"}})
    CHECK(core::beyond({other}, allowed) == Found{other});
}

TEST_CASE("LandingGate.ASentenceNamesLimitsAndFilesWithoutTheirTricks") {
  CHECK(
      core::in_words({{"deleted_files", 12, 10, {"a", "b", "c", "d"}, {}, {}},
                      {"secret_files", 1, 0, {"x\n\x1b[2J"}, {}, {}}}) ==
      "12 files deleted (at most 10): a, b, c, …; 1 file that looks like a secret (at most 0): x\\n\\x1b[2J");
}

TEST_CASE("LandingGate.AFindingNamesSomeFilesOfMany") {
  LandedChange change;
  for (int i = 0; i < 500; ++i) change.files.push_back(text(std::to_string(i), 0, 9, Fate::deleted));
  auto const found = core::findings_of(change, {});
  CHECK(found.front().count == 500);
  CHECK(found.front().files.size() == 20);
}

TEST_CASE("LandingGate.APartOfTheWorkIsAFinding") {
  auto const found = core::left_out_of(2, {"web/", "odd.txt"});
  CHECK(core::in_words({found}) == "2 paths of the work left out (at most 0): web/, odd.txt");
  CHECK(core::beyond({found}, {found}).empty());
  CHECK(core::beyond({core::left_out_of(3, {"web/", "odd.txt", "c"})}, {found}).size() == 1);
}

TEST_CASE("PathKinds.HostileNamesAreOnlyNames") {
  CHECK(core::is_of_kind("a\nb/.env", PathKind::secret));
  CHECK(core::is_of_kind("-rf/node_modules/\xff", PathKind::generated));
  CHECK_FALSE(core::is_of_kind("", PathKind::test));
  CHECK_FALSE(core::is_of_kind("/", PathKind::secret));
  CHECK_FALSE(core::is_of_kind(std::string(100'000, '*'), PathKind::test));
}
