// Tests that go, or that prove nothing any more, in the ways that agents and people have made a red check
// green.
#include "runner/merging/change_shape.hpp"

using namespace andon;
using test::ChangeShape;
using Shop = test::ShopUnderTest;

namespace {

char const* const kJs = "tests/price.test.js";
char const* const kPy = "tools/tests/test_total.py";
char const* const kGo = "pkg/total_test.go";
char const* const kCpp = "native/price_test.cpp";
char const* const kRust = "crates/price.rs";

ChangeShape replaces(char const* name, char const* limit, char const* path, std::string from,
                     std::string to) {
  return {name, limit, [=](Shop const& s) { s.replace(path, from, to); }};
}

std::vector<ChangeShape> weakened() {
  return {
      replaces("an assertion becomes 'true' in JavaScript", "weak_tests", kJs, "assert.equal(price(1), 10)",
               "assert.ok(true)"),
      replaces("an expectation becomes 'true'", "weak_tests", kJs, "expect(price(1)).toBeGreaterThan(-1)",
               "expect(true).toBe(true)"),
      replaces("an expectation compares a value with itself", "weak_tests", kJs,
               "expect(price(1)).toBeGreaterThan(-1)", "expect(price(1)).toBe(price(1))"),
      replaces("an assertion compares equal numbers", "weak_tests", kJs, "assert.equal(price(1), 10)",
               "assert.equal(10, 10)"),
      replaces("an assertion has a way out", "weak_tests", kJs, "assert.equal(price(1), 10)",
               "assert(price(1) === 10 || true)"),
      replaces("an assertion becomes 'True' in Python", "weak_tests", kPy, "assert total(1) == 1",
               "assert True"),
      replaces("an assertion becomes '1 == 1' in Python", "weak_tests", kPy, "assert total(1) == 1",
               "assert 1 == 1"),
      replaces("an assertion compares a total with itself", "weak_tests", kPy, "assert total(1) == 1",
               "assert total(1) == total(1)"),
      replaces("an assertion has 'or True'", "weak_tests", kPy, "assert total(1) == 1",
               "assert total(1) == 1 or True"),
      replaces("an assertion asks for a length that always holds", "weak_tests", kPy, "assert total(1) == 1",
               "assert len(str(total(1))) >= 0"),
      replaces("an assertion becomes 'true' in C++", "weak_tests", kCpp, "ASSERT_TRUE(is_price(1))",
               "ASSERT_TRUE(true)"),
      replaces("an expectation of C++ compares a number with itself", "weak_tests", kCpp,
               "EXPECT_EQ(price(1), 1)", "EXPECT_EQ(1, 1)"),
      replaces("an assertion becomes 'true' in Rust", "weak_tests", kRust, "assert_eq!(price(1), 1)",
               "assert!(true)"),
      replaces("a test is skipped in JavaScript", "weak_tests", kJs, "test('price of 1'",
               "test.skip('price of 1'"),
      replaces("a test is left as a plan", "weak_tests", kJs, "test('price of 1'", "test.todo('price of 1'"),
      replaces("only one test is run", "weak_tests", kJs, "test('price of 1'", "test.only('price of 1'"),
      replaces("a test is skipped in Python", "weak_tests", kPy, "def test_total_1",
               "@pytest.mark.skip\ndef test_total_1"),
      replaces("a test may fail in Python", "weak_tests", kPy, "def test_total_1",
               "@pytest.mark.xfail\ndef test_total_1"),
      replaces("a test skips itself in Python", "weak_tests", kPy, "    assert total(1) == 1",
               "    pytest.skip('later')\n    assert total(1) == 1"),
      replaces("a module of tests is not collected", "weak_tests", kPy, "import pytest\n",
               "import pytest\n__test__ = False\n"),
      replaces("a test returns before it asserts", "weak_tests", kPy, "    assert total(1) == 1",
               "    return\n    assert total(1) == 1"),
      replaces("a test is skipped in Go", "weak_tests", kGo, "TestTotal1(t *testing.T) {\n",
               "TestTotal1(t *testing.T) {\n\tt.Skip()\n"),
      replaces("a test returns first in Go", "weak_tests", kGo, "TestTotal1(t *testing.T) {\n",
               "TestTotal1(t *testing.T) {\n\treturn\n"),
      replaces("a file of tests is not built in Go", "weak_tests", kGo, "package pkg",
               "//go:build ignore\n\npackage pkg"),
      replaces("a test is disabled in C++", "weak_tests", kCpp, "TEST(Price, Of1)",
               "TEST(Price, DISABLED_Of1)"),
      replaces("a test is skipped in C++", "weak_tests", kCpp, "  EXPECT_EQ(price(1), 1);",
               "  GTEST_SKIP();\n  EXPECT_EQ(price(1), 1);"),
      replaces("tests are left out by the preprocessor", "weak_tests", kCpp, "TEST(Price, Of1)",
               "#if 0\n#endif\nTEST(Price, Of1)"),
      replaces("a test is ignored in Rust", "weak_tests", kRust, "    #[test]\n    fn of_1",
               "    #[test]\n    #[ignore]\n    fn of_1"),
  };
}

std::vector<ChangeShape> lost() {
  return {
      replaces("the failing assertion goes", "lost_assertions", kJs, "  assert.equal(price(1), 10);\n", ""),
      replaces("the failing assertion becomes a remark", "lost_assertions", kJs, "  assert.equal(price(1)",
               "  // assert.equal(price(1)"),
      replaces("the failing assertion becomes a remark in Python", "lost_assertions", kPy,
               "    assert total(1) == 1", "    # assert total(1) == 1"),
      replaces("the failing assertion becomes a print", "lost_assertions", kPy, "assert total(1) == 1",
               "print(total(1))"),
      {"assertions go, and other files gain more", "lost_assertions",
       [](Shop const& s) {
         s.replace(kPy, "    assert total(1) == 1\n    assert total(-1) < 1\n", "    pass\n");
         for (int i = 0; i < 30; ++i)
           s.append(kJs, "assert.equal(price(" + std::to_string(i + 100) + "), 7);\n");
       }},
      {"assertions are kept in a text that nobody runs", "lost_assertions",
       [](Shop const& s) {
         s.replace(kPy, "    assert total(1) == 1\n", "");
         s.append("docs/cart.md", "    assert total(1) == 1\n");
       }},
      {"a test goes as a whole", "lost_assertions",
       [](Shop const& s) {
         s.replace(kJs,
                   "test('price of 1', () => {\n  assert.equal(price(1), 10);\n  "
                   "expect(price(1)).toBeGreaterThan(-1);\n});\n",
                   "");
       }},
      {"a file of tests is deleted", "lost_tests", [](Shop const& s) { s.remove(kPy); }},
      {"a file of tests is renamed to a text", "lost_tests",
       [](Shop const& s) { s.rename(kPy, "tools/tests/test_total.txt"); }},
      {"a file of tests is renamed to a copy", "lost_tests",
       [](Shop const& s) { s.rename(kJs, "tests/price.test.js.bak"); }},
      {"a file of tests moves to an archive", "lost_tests",
       [](Shop const& s) { s.rename(kGo, "archive/total_test.go"); }},
      {"a file of tests loses the name of a test", "lost_tests",
       [](Shop const& s) { s.rename(kGo, "pkg/total_checks.go"); }},
      {"all tests are renamed to texts", "lost_tests",
       [](Shop const& s) {
         for (auto const* area : {"cart", "pay", "user", "catalog", "mail"})
           s.rename("tests/" + std::string{area} + ".test.js", "tests/" + std::string{area} + ".txt");
       }},
      {"all tests move away", "moved_files", [](Shop const& s) { s.rename("tests", "attic"); }},
      {"all sources move away", "moved_files", [](Shop const& s) { s.rename("src", "src_old"); }},
  };
}

}  // namespace

TEST_CASE("WeakTests.TestsThatProveNothingAreHeld") { check_all_held(weakened()); }
TEST_CASE("WeakTests.TestsThatGoAreHeld") { check_all_held(lost()); }

TEST_CASE("WeakTests.OrdinaryWorkOnTestsPasses") {
  Shop const shop;
  std::vector<ChangeShape> const ordinary{
      {"an assertion gets another value", "",
       [](Shop const& s) { s.replace(kJs, "assert.equal(price(1), 10)", "assert.equal(price(1), 12)"); }},
      {"a test is added", "",
       [](Shop const& s) { s.append(kPy, "def test_none():\n    assert total(None) is None\n"); }},
      {"tests move to a file of their own", "",
       [](Shop const& s) {
         auto const moved = std::string{"    assert total(7) == 7\n    assert total(-7) < 1\n"};
         s.replace(kPy, moved, "    pass\n");
         s.write("tools/tests/test_seven.py", "def test_seven():\n" + moved);
       }},
      {"a file of tests gets a better name", "",
       [](Shop const& s) { s.rename(kJs, "tests/prices.test.js"); }},
      {"a test returns a promise", "",
       [](Shop const& s) { s.append(kJs, "test('waits', () => {\n  return done(price(1));\n});\n"); }},
  };
  for (auto const& change : ordinary) {
    INFO(std::string{change.name});
    CHECK(limits_exceeded(shop, change) == std::vector<std::string>{});
  }
}
