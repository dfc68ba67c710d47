#include "core/runs/executed_paths.hpp"

#include <doctest/doctest.h>

#include "core/runs/hidden_text.hpp"
#include "core/runs/obeyed_parts.hpp"
#include "core/runs/test_lines.hpp"

using namespace andon;
using core::TestLine;
using Lines = std::vector<std::string>;

TEST_CASE("ExecutedPaths.EachIsKnownByTheProgramThatExecutesIt") {
  CHECK(core::executor_of(".github/workflows/ci.yml") == "CI");
  CHECK(core::executor_of(".husky/pre-push") == "git hooks");
  CHECK(core::executor_of("src/.gitattributes") == "git");
  CHECK(core::executor_of("web/Claude.md") == "AI agents");
  CHECK(core::executor_of(".vscode/tasks.json") == "editors");
  CHECK(core::executor_of(".devcontainer/Dockerfile") == "containers");
  CHECK(core::executor_of("a/.envrc") == "shells");
  CHECK(core::executor_of(".npmrc") == "package managers");
  CHECK(core::executor_of("tests/conftest.py") == "test runners");
  for (auto const* path :
       {"src/index.js", "README.md", ".github/ISSUE_TEMPLATE/bug.md", ".github/FUNDING.yml",
        "docs/agents/overview.md", "src/hooks/use.ts", ".gitignore", "", "/", "\xff"})
    CHECK(core::executor_of(path).empty());
}

TEST_CASE("ExecutedPaths.SettingsCountWhereTheirToolIsStarted") {
  CHECK(core::is_read_by("web/tsconfig.json", {"tsc"}));
  CHECK_FALSE(core::is_read_by("web/tsconfig.json", {"eslint"}));
  CHECK(core::is_read_by("Makefile", {"make"}));
  CHECK_FALSE(core::is_read_by("Makefile", {}));
}

TEST_CASE("ObeyedParts.OfPackageJsonAreItsScriptsAndWhatComesFromElsewhere") {
  auto const parts = core::obeyed_parts("web/package.json",
                                        R"({"name": "x", "scripts": {"test": "a \"b\"", "build": "c"},
      "dependencies": {"a": "1.0", "b": "git+https://x"}, "jest": {"x": [1, {"y": true}]}})",
                                        {});
  CHECK(parts == Lines{R"(scripts.test: a \"b\")", "scripts.build: c", "dependencies.b: git+https://x",
                       "jest.x: 1", "jest.y: true"});
}

TEST_CASE("ObeyedParts.OfSectionsAreThoseThatProgramsObey") {
  auto const* const text =
      "[project]\nname = \"x\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n# no\n[[tool.uv.index]]\nurl = "
      "1\n"
      "[tool.ruff]\nline-length = 1\n";
  CHECK(core::obeyed_parts("pyproject.toml", text, {}) ==
        Lines{"[tool.pytest.ini_options] addopts = \"-q\"", "[[tool.uv.index] url = 1"});
  CHECK(core::obeyed_parts("pyproject.toml", text, {"ruff"}).size() == 3);
}

TEST_CASE("ObeyedParts.OfHostileTextsAreBounded") {
  for (std::string const& text :
       {std::string{"{\"scripts\":"}, std::string{"\""}, std::string{"\"\\"}, std::string(200'000, '{'),
        std::string(200'000, '"'), std::string(200'000, '['), std::string("\0\xff{", 3)}) {
    CHECK(core::obeyed_parts("package.json", text, {}).size() <= text.size());
    CHECK(core::obeyed_parts("setup.cfg", text, {}).size() <= text.size());
  }
}

TEST_CASE("TestLines.AreToldByTheirWords") {
  struct Row {
    char const* line;
    TestLine part;
  };
  Row const rows[] = {
      {"  assert.equal(a, b);", TestLine::assertion},
      {"assert total(1) == 1, 'one'", TestLine::assertion},
      {"assert(x)", TestLine::assertion},
      {"    EXPECT_EQ(a, b) << \"x\";", TestLine::assertion},
      {"expect(a).not.toBe(a)", TestLine::assertion},
      {"self.assertNotEqual(a, a)", TestLine::assertion},
      {"assert.ok(isTrue(x))", TestLine::assertion},
      {"it('works', () => {", TestLine::assertion},
      {"def test_total():", TestLine::assertion},
      {"func TestTotal(t *testing.T) {", TestLine::assertion},
      {"assert True", TestLine::truth},
      {"assert x == x", TestLine::truth},
      {"assertTrue(true);", TestLine::truth},
      {"expect(1).toBe(1)", TestLine::truth},
      {"REQUIRE(true)", TestLine::truth},
      {"assert_eq!(2, 2);", TestLine::truth},
      {"self.assertEqual(a, a)", TestLine::truth},
      {"@unittest.skip('later')", TestLine::skip},
      {"xit('works', () => {", TestLine::skip},
      {"describe.only('x', () => {", TestLine::skip},
      {"t.Skip(\"flaky\")", TestLine::skip},
      {"#[ignore]", TestLine::skip},
      {"// assert(x)", TestLine::other},
      {"# assert x", TestLine::other},
      {"import assert from 'assert'", TestLine::other},
      {"const assert = require('assert')", TestLine::other},
      {"remove(file)", TestLine::other},
      {"await(x)", TestLine::other},
      {"", TestLine::other},
      {"}", TestLine::other},
  };
  for (auto const& row : rows) {
    INFO(std::string{row.line});
    CHECK(core::test_line_of(row.line) == row.part);
  }
}

TEST_CASE("HiddenText.IsNamedWithItsCodePoint") {
  core::HiddenText const code{"src/a.js"}, text{"docs/a.md"}, translation{"locales/he.json"};
  CHECK(code.in("const a = 1;").empty());
  CHECK(code.in("\u202Ea") == "text that is shown in another order (U+202E)");
  CHECK(code.in("a\u200Bb") == "a character that is not shown (U+200B)");
  CHECK(code.in("a\x1b[2J") == "a control character (U+001B)");
  CHECK(text.in("a\u200Bb").empty());
  CHECK(text.in("\u202Ea") == "text that is shown in another order (U+202E)");
  CHECK(translation.in("\u2067a\u2069").empty());
  CHECK(translation.in("\u202Ea") == "text that is shown in another order (U+202E)");
  CHECK(code.in(std::string(30'000, 'x')) == "a line of 30000 bytes");
}
