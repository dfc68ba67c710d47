// Measures mistaken hits on ordinary histories. ANDON_PUBLIC_REPOSITORIES holds directories of git
// repositories, with colons between them, which are searched commit by commit, each against its first parent;
// bare ones too. Every commit with a hit is printed. ANDON_PUBLIC_COMMITS says how many of each repository,
// 1,000 without it.
#include <cstdio>
#include <cstdlib>

#include "os/processes/capture.hpp"
#include "runner/secrets/patch_reader.hpp"
#include "runner/secrets/secret_rules.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

std::string printed_by_git(std::string const& directory, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"git", "-C", directory});
  auto done = os::capture({.program = "/usr/bin/git",
                           .argv = arguments,
                           .env = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "GIT_CONFIG_GLOBAL=/dev/null"},
                           .cwd = "/"},
                          {.time = core::Duration{300'000}, .bytes = 1024U << 20U});
  done.out.resize(done.printed);
  REQUIRE(done.status.code == 0);
  return std::move(done.out);
}

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto const part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    if (!part.empty()) out.emplace_back(part);
  }
  return out;
}

void print_hits(BroughtText const& text, std::vector<SecretHit> const& hits) {
  for (auto const& hit : hits) {
    auto const lines = parts_of(text.text, '\n');
    std::printf("%.12s %s:%lld %s\n", std::string{text.commit}.c_str(), std::string{text.path}.c_str(),
                static_cast<long long>(text.line) + static_cast<long long>(hit.line), hit.rule.c_str());
  }
}

std::size_t commits_with_hits(std::string const& directory, std::vector<std::string> const& commits) {
  std::set<std::string> with;
  PatchReader reader{"2b6e8f0c1d", [&](BroughtText const& text) {
                       auto const hits = SecretRules::embedded().in_text(text.path, text.text);
                       print_hits(text, hits);
                       if (!hits.empty()) with.emplace(text.commit);
                     }};
  for (std::size_t at = 0; at < commits.size(); at += 500) {
    auto arguments = reader.arguments();
    for (auto i = at; i < std::min(commits.size(), at + 500); ++i) arguments.push_back(commits[i]);
    CHECK(reader.read(printed_by_git(directory, arguments)));
  }
  return with.size();
}

}  // namespace

TEST_CASE("PublicRepositories.HaveFewMistakenHits") {
  auto const* const directories = std::getenv("ANDON_PUBLIC_REPOSITORIES");
  if (!directories) return;
  auto const* const wanted = std::getenv("ANDON_PUBLIC_COMMITS");
  auto const most = std::string{"--max-count="} + (wanted ? wanted : "1000");
  for (auto const& directory : parts_of(directories, ':')) {
    auto const commits = parts_of(printed_by_git(directory, {"rev-list", "--no-merges", most, "HEAD"}), '\n');
    auto const count = commits_with_hits(directory, commits);
    std::printf("%s: %zu of %zu commits with a hit\n", directory.c_str(), count, commits.size());
  }
}
