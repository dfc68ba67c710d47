#include "runner/worktrees/diff.hpp"

#include <charconv>

#include "runner/output/plain_text.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kMostText = 1U << 20U;
constexpr std::size_t kMostFiles = 1'000;
/// Git's name for the empty tree. A repository without commits is compared with it.
constexpr char kEmptyTree[] = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

std::int64_t number(std::string_view text) {
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// Parses `ADDED\tREMOVED\tPATH`, with `-` for files without lines.
service::ChangedFile file_of(std::string_view line) {
  auto const first = line.find('\t');
  auto const second = line.find('\t', first + 1);
  if (second == std::string_view::npos) return {as_utf8(line), 0, 0, false};
  return {as_utf8(line.substr(second + 1)), number(line.substr(0, first)),
          number(line.substr(first + 1, second - first - 1)), line.starts_with('-')};
}

std::vector<std::string> diff_arguments(std::vector<std::string> how, std::string const& base,
                                        std::string const& head) {
  std::vector<std::string> out{"diff",       "--no-ext-diff", "--no-textconv",
                               "--no-color", "--no-renames",  "--submodule=short"};
  out.insert(out.end(), how.begin(), how.end());
  out.insert(out.end(), {base, head, "--"});
  return out;
}

}  // namespace

Result<service::RunDiff> diff_of(service::DiffQuestion const& question, GitUse use) {
  auto const& run = question.run;
  auto const opened = open_git(question.repo, std::move(use));
  if (!opened) return core::refuse(Code::kNotFound, opened.error());
  auto const& git = *opened;
  auto const base = run.base.empty() ? std::string{kEmptyTree} : run.base;
  if (!is_commit_id(run.head) || !is_commit_id(base) || !has_commit(git, run.head) ||
      (!run.base.empty() && !has_commit(git, run.base)))
    return core::refuse(Code::kNotFound, "the commits of run " + std::to_string(run.id) +
                                             " are not in the repository " + question.repo + " any more");
  service::RunDiff out{run.id, run.task, run.branch, run.base, run.head, {}, {}, {}, false};
  auto const range = run.base.empty() ? run.head : run.base + ".." + run.head;
  out.commits = git.list({"rev-list", "--reverse", "--max-count=100", range});
  for (auto const& line : git.list(diff_arguments({"--numstat", "-z"}, base, run.head), '\0')) {
    out.truncated = out.truncated || out.files.size() == kMostFiles;
    if (out.files.size() < kMostFiles) out.files.push_back(file_of(line));
  }
  auto const text = as_utf8(git.run(diff_arguments({}, base, run.head)).out);
  out.truncated = out.truncated || text.size() > kMostText;
  out.diff = shortened(text, kMostText);
  return out;
}

}  // namespace andon::runner
