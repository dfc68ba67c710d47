#include "core/runs/test_names.hpp"

#include <doctest/doctest.h>

using namespace andon;
using Names = std::set<std::string>;

TEST_CASE("TestNames.ListingsOfUsualRunnersAreRead") {
  struct Row {
    char const* output;
    Names names;
  };
  Row const rows[] = {
      {"tests/test_a.py::test_x\ntests/test_a.py::test_y[1-2]\n\n2 tests collected in 0.01s\n",
       {"tests/test_a.py::test_x", "tests/test_a.py::test_y[1-2]"}},
      {"Test project /srv/build\n  Test  #1: price\n  Test #12: total\n\nTotal Tests: 2\n",
       {"price", "total"}},
      {"TestA\nExampleB\nok  \tshop/pkg\t0.003s\n?   \tshop/cmd\t[no test files]\n", {"TestA", "ExampleB"}},
      {"tests::of_1: test\ntests::of_2: test\n\n2 tests, 0 benchmarks\n", {"tests::of_1", "tests::of_2"}},
      {"/srv/tree/tests/a.test.js\n", {"tests/a.test.js"}},
      {"no tests ran in 0.02s\n", {}},
      {"", {}},
  };
  for (auto const& row : rows) {
    INFO(std::string{row.output});
    CHECK(core::listed_tests(row.output, "/srv/tree").run == row.names);
  }
}

TEST_CASE("TestNames.ReportsTellTestsThatRanAndTestsThatWereSkipped") {
  auto const names = core::reported_tests(
      "<?xml version=\"1.0\"?><testsuite name=\"s\"><testcase classname='pkg.A' name='one' time=\"0.1\"/>"
      "<testcase name=\"two\" classname=\"pkg.A\"><skipped message=\"later\"/></testcase>"
      "<testcase name=\"three\"><failure>no</failure></testcase></testsuite>");
  CHECK(names.run == Names{"pkg.A.one", "three"});
  CHECK(names.skipped == Names{"pkg.A.two"});
}

TEST_CASE("TestNames.HostileReportsHaveNoNames") {
  for (std::string const& text : {"<testcase", "<testcase name=", "<testcase name=\"",
                                  "<testcase name='a\"/>", "\xff\xfe<", "<testcase/>"})
    CHECK(core::reported_tests(text).run.size() <= 1);
  CHECK(core::reported_tests("<testcase name=\"" + std::string(5'000, 'x') + "\"/>").run.empty());
}

TEST_CASE("TestNames.ATestIsLostWhenItIsGoneOrSkipped") {
  core::TestNames const before{{"a", "b", "c"}, {"d"}};
  core::TestNames const after{{"a", "e"}, {"b", "d"}};
  CHECK(core::lost_tests(before, after) == std::vector<std::string>{"b is skipped now", "c is gone"});
  CHECK(core::lost_tests(before, before).empty());
}
