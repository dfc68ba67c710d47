#include "runner/merging/test_reports.hpp"

#include "core/runs/path_pattern.hpp"
#include "os/files/beneath.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostReports = 1'000;
constexpr std::size_t kMostEntries = 10'000;  ///< of one folder
constexpr std::size_t kLongestReport = 16U << 20U;
constexpr std::size_t kLongestListing = 32U << 20U;
constexpr char kListing[] = "test-list";
constexpr char kToListing[] = "exec \"$@\" >\"$TMPDIR/test-list\"";

/// The entries of a folder beneath the tree whose names are like the pattern.
std::vector<fs::path> entries_like(fs::path const& tree, fs::path const& folder, std::string const& pattern) {
  std::vector<fs::path> out;
  std::error_code trouble;
  std::size_t seen = 0;
  for (fs::directory_iterator entry{tree / folder, trouble}; !trouble && entry != fs::directory_iterator{};
       entry.increment(trouble)) {
    if (++seen > kMostEntries || out.size() > kMostReports) break;
    auto const name = entry->path().filename();
    if (core::is_like(name.native(), core::PathPart::name, pattern)) out.push_back(folder / name);
  }
  return out;
}

std::vector<fs::path> files_like(fs::path const& tree, std::string const& pattern) {
  std::vector<fs::path> out{{}};
  for (auto const& part : fs::path{pattern}) {
    std::vector<fs::path> next;
    for (auto const& folder : out) {
      if (next.size() > kMostReports) break;
      if (!part.native().contains('*')) {
        next.push_back(folder / part);
        continue;
      }
      auto const found = entries_like(tree, folder, part.native());
      next.insert(next.end(), found.begin(), found.end());
    }
    out = std::move(next);
  }
  if (out.size() > kMostReports) out.resize(kMostReports);
  return out;
}

}  // namespace

std::vector<fs::path> TestReports::files() const {
  std::vector<fs::path> out;
  for (auto const& pattern : patterns_) {
    auto const found = files_like(tree_, pattern);
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

void TestReports::remove() const {
  for (auto const& file : files()) try {
      os::remove_beneath(tree_, file);
    } catch (os::SystemError const&) {  // NOLINT(bugprone-empty-catch): no file, or a link, which is not read
    }
}

core::TestNames TestReports::read() const {
  core::TestNames out;
  for (auto const& file : files()) try {
      core::add_names(out, core::reported_tests(os::read_beneath(tree_, file, kLongestReport).value_or("")));
    } catch (os::SystemError const&) {  // NOLINT(bugprone-empty-catch): a link, a folder or a file too large
    }
  return out;
}

CheckSpec listing_of(core::Command const& command) {
  CheckSpec out{"test_list", {"sh", "-c", kToListing, "sh"}};
  out.argv.insert(out.argv.end(), command.begin(), command.end());
  return out;
}

core::TestNames read_listing(fs::path const& temporary, fs::path const& tree) try {
  auto const text = os::read_beneath(temporary, kListing, kLongestListing).value_or("");
  return core::listed_tests(text, tree.native());
} catch (os::SystemError const&) {
  return {};  // no regular file, so nothing is listed, which is a loss of all tests
}

}  // namespace andon::runner
