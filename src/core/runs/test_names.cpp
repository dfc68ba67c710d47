#include "core/runs/test_names.hpp"

#include <algorithm>
#include <array>

#include "core/text/ascii.hpp"
#include "core/text/visible_text.hpp"

namespace andon::core {
namespace {

constexpr std::size_t kMostNames = 100'000;
constexpr std::size_t kLongestName = 1'000;

/// Beginnings of lines about all tests, not about one.
constexpr std::array<std::string_view, 10> kTotals{
    "Total Test", "Test project", "ok ",      "ok\t",     "? ",
    "?\t",        "=====",        "warning:", "running ", "Internal ctest"};

std::string_view trimmed_name(std::string_view line) {
  auto const first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// True for `5 tests collected in 0.01s`, `3 tests, 0 benchmarks`, `no tests ran`.
bool is_total(std::string_view line) {
  if (std::ranges::any_of(kTotals, [&](std::string_view begin) { return line.starts_with(begin); }))
    return true;
  bool const begins_with_number = is_ascii_digit(line.front());
  auto const space = line.find(' ');
  auto const rest = space == std::string_view::npos ? std::string_view{} : line.substr(space + 1);
  return (begins_with_number &&
          (rest.starts_with("test") || rest.starts_with("deselected") || rest.contains(" in "))) ||
         line.starts_with("no tests");
}

/// The name behind `Test  #12: ` of CTest, and before `: test` of Cargo.
std::string_view name_in(std::string_view line) {
  if (line.starts_with("Test") && line.find('#') < 8 && line.contains(": "))
    return line.substr(line.find(": ") + 2);
  if (line.ends_with(": test") || line.ends_with(": benchmark")) return line.substr(0, line.rfind(": "));
  return line;
}

std::string_view without_tree(std::string_view line, std::string_view tree) {
  if (tree.empty() || !line.starts_with(tree)) return line;
  line.remove_prefix(tree.size());
  while (line.starts_with('/')) line.remove_prefix(1);
  return line;
}

/// The value of an attribute of an element, as it is written.
std::string_view attribute_of(std::string_view element, std::string_view name) {
  for (auto at = element.find(name); at != std::string_view::npos; at = element.find(name, at + 1)) {
    auto const rest = element.substr(at + name.size());
    bool const is_whole =
        at > 0 && std::string_view{" \t\r\n"}.contains(element[at - 1]) && rest.starts_with('=');
    if (!is_whole || rest.size() < 2 || (rest[1] != '"' && rest[1] != '\'')) continue;
    return rest.substr(2, rest.find(rest[1], 2) - 2);
  }
  return {};
}

std::string name_of_case(std::string_view element) {
  auto out = std::string{attribute_of(element, "classname")};
  auto const name = attribute_of(element, "name");
  return out.empty() ? std::string{name} : out + "." + std::string{name};
}

}  // namespace

TestNames listed_tests(std::string_view output, std::string_view tree) {
  TestNames out;
  while (!output.empty() && out.run.size() < kMostNames) {
    auto const line = trimmed_name(output.substr(0, output.find('\n')));
    output.remove_prefix(std::min(output.size(), std::min(output.find('\n'), output.size()) + 1));
    if (line.empty() || line.size() > kLongestName || is_total(line)) continue;
    out.run.emplace(without_tree(name_in(line), tree));
  }
  return out;
}

TestNames reported_tests(std::string_view report) {
  constexpr std::string_view kCase = "<testcase";
  TestNames out;
  for (auto at = report.find(kCase); at != std::string_view::npos; at = report.find(kCase, at + 1)) {
    if (out.run.size() + out.skipped.size() >= kMostNames) break;
    auto const next = report.find(kCase, at + 1);
    auto const part = report.substr(at, next == std::string_view::npos ? next : next - at);
    auto const head = part.substr(0, part.find('>'));
    bool const is_closed = head.ends_with('/');
    auto const inner = is_closed ? std::string_view{} : part.substr(0, part.find("</testcase"));
    bool const is_skipped = inner.contains("<skipped") || inner.contains("<disabled");
    if (auto name = name_of_case(head); !name.empty() && name.size() <= kLongestName)
      (is_skipped ? out.skipped : out.run).insert(std::move(name));
  }
  return out;
}

void add_names(TestNames& names, TestNames const& more) {
  names.run.insert(more.run.begin(), more.run.end());
  names.skipped.insert(more.skipped.begin(), more.skipped.end());
}

std::vector<std::string> lost_tests(TestNames const& before, TestNames const& after) {
  std::vector<std::string> out;
  for (auto const& name : before.run) {
    if (after.run.contains(name)) continue;
    auto const why = after.skipped.contains(name) ? " is skipped now" : " is gone";
    out.push_back(visible_line(name) + why);
  }
  return out;
}

}  // namespace andon::core
