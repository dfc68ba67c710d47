#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace andon::core {

/// The tests that a runner knows, by name.
struct TestNames {
  std::set<std::string> run{};
  std::set<std::string> skipped{};
};

/// Reads the output of a command that lists tests, one on each line: `pytest --collect-only -q`, `ctest -N`,
/// `go test -list`, `cargo test -- --list`, `jest --listTests` and the like. Totals are left out, and `tree`,
/// the directory in which it ran, is cut off the front of paths. At most 100,000 names are read.
TestNames listed_tests(std::string_view output, std::string_view tree);

/// Reads a report in the form of JUnit: `testcase` elements with `classname` and `name`, and `skipped`
/// within. Text that is no such report has no names.
TestNames reported_tests(std::string_view report);

void add_names(TestNames& names, TestNames const& more);

/// The tests that ran before and do not any more, each with its reason.
std::vector<std::string> lost_tests(TestNames const& before, TestNames const& after);

}  // namespace andon::core
