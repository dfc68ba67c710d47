#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace andon::core {

/// The most that a change may do to a repository before a person is asked whether it lands. A negative number
/// means no limit.
struct LandLimits {
  std::int64_t deleted_files = 10;    ///< or renamed to what they cannot work as
  std::int64_t deleted_percent = 20;  ///< of all files of the repository, when it has enough of them
  std::int64_t emptied_files = 0;     ///< that lose all or nearly all of their content
  std::int64_t moved_files = 2;       ///< that leave a top folder of which nothing stays
  std::int64_t reverted_files = 0;    ///< that become what they were before others changed them
  std::int64_t outside_touches = 0;   ///< that match no pattern of the task's `touches`, when it has any
  std::int64_t test_lines = 40;       ///< lines of tests that go, without those that come in the same file
  std::int64_t lost_tests = 0;        ///< names of tests that the board's listing or reports have no more
  std::int64_t lost_assertions = 0;   ///< of test files, each without those that it gains
  std::int64_t weak_tests = 0;        ///< lines that skip a test, or assert what is always true
  std::int64_t generated_files = 0;   ///< generated or vendored
  std::int64_t lock_files = 0;        ///< changed without their manifest
  std::int64_t secret_files = 0;      ///< that look like secrets
  std::int64_t secret_commits = 0;    ///< places in the history of the work that look like secrets
  std::int64_t hidden_text = 0;       ///< lines with text that a reader does not see
  std::int64_t odd_files = 0;         ///< links out of the repository, files turned to links, programs
  std::int64_t lines = 10'000;        ///< added and removed
  std::int64_t bytes = 5'000'000;     ///< of new content
  std::int64_t binary_files = 5;
  std::int64_t submodules = 0;
  std::int64_t check_files = 0;               ///< that checks, CI, agents or people's machines execute
  std::vector<std::string> check_paths = {};  ///< patterns of more such files
  bool operator==(LandLimits const&) const = default;
};
void describe(auto& field, LandLimits const*) {
  field(&LandLimits::deleted_files, "deleted_files", "Most files it may delete; -1 means no limit", always);
  field(&LandLimits::deleted_percent, "deleted_percent", "Most it may delete of all files, in percent",
        always);
  field(&LandLimits::emptied_files, "emptied_files", "Most files that may lose nearly all of their content",
        always);
  field(&LandLimits::moved_files, "moved_files",
        "Most files that may leave a top folder of which nothing stays", always);
  field(&LandLimits::reverted_files, "reverted_files",
        "Most files that may become what they were before others changed them", always);
  field(&LandLimits::outside_touches, "outside_touches",
        "Most files that no pattern of the task's touches matches", always);
  field(&LandLimits::test_lines, "test_lines", "Most lines of tests that may go", always);
  field(&LandLimits::lost_tests, "lost_tests", "Most tests that may no longer be collected or run", always);
  field(&LandLimits::lost_assertions, "lost_assertions",
        "Most assertions that test files may lose, each without those that it gains", always);
  field(&LandLimits::weak_tests, "weak_tests",
        "Most lines that may skip a test or assert what is always true", always);
  field(&LandLimits::generated_files, "generated_files", "Most generated or vendored files", always);
  field(&LandLimits::lock_files, "lock_files", "Most lock files that change without their manifest", always);
  field(&LandLimits::secret_files, "secret_files", "Most files that look like secrets", always);
  field(&LandLimits::secret_commits, "secret_commits",
        "Most places in commits and messages that may look like secrets", always);
  field(&LandLimits::hidden_text, "hidden_text", "Most lines with text that a reader does not see", always);
  field(&LandLimits::odd_files, "odd_files",
        "Most links out of the repository, files turned to links, and programs", always);
  field(&LandLimits::lines, "lines", "Most lines added and removed", always);
  field(&LandLimits::bytes, "bytes", "Most bytes of new content", always);
  field(&LandLimits::binary_files, "binary_files", "Most binary files", always);
  field(&LandLimits::submodules, "submodules", "Most submodules that may change", always);
  field(&LandLimits::check_files, "check_files",
        "Most files that checks, CI, agents, editors or package managers execute", always);
  field(&LandLimits::check_paths, "check_paths", "Patterns of more such files, as tools/ci/**");
}

/// A limit that a change exceeds.
struct LandFinding {
  std::string limit;  ///< a member of `LandLimits`
  std::int64_t count = 0;
  std::int64_t most = 0;
  std::vector<std::string> files{};  ///< the first ones
  std::vector<std::string> lines{};  ///< the first ones, as PATH:LINE: TEXT, or what a check said
  std::string content{};             ///< a digest of what counts; an answer holds for this alone
  bool operator==(LandFinding const&) const = default;
};
void describe(auto& field, LandFinding const*) {
  field(&LandFinding::limit, "limit", "The limit, as land_limits names it", always);
  field(&LandFinding::count, "count", "How much the change has", always);
  field(&LandFinding::most, "most", "How much the board permits", always);
  field(&LandFinding::files, "files", "The first files that count");
  field(&LandFinding::lines, "lines", "The first lines that count, as PATH:LINE: TEXT");
  field(&LandFinding::content, "content", "Digest of what counts; an answer holds for this alone");
}

}  // namespace andon::core
