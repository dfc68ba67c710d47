#include "runner/worktrees/diff.hpp"

#include "runner/output/plain_text.hpp"
#include "runner/worktrees/changed_files.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kMostText = 8U << 20U;
constexpr std::size_t kMostFiles = 1'000;
/// Git's name for the empty tree. A repository without commits is compared with it.
constexpr char kEmptyTree[] = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

}  // namespace

Result<service::RunDiff> diff_of(service::DiffQuestion const& question, GitUse use) {
  auto const& run = question.run;
  auto const opened = open_git(question.repo, std::move(use));
  if (!opened) return core::refuse(Code::kNotFound, opened.error());
  auto const git = opened->as_own();
  auto const base = run.base.empty() ? std::string{kEmptyTree} : run.base;
  if (!is_commit_id(run.head) || !is_commit_id(base) || !has_commit(git, run.head) ||
      (!run.base.empty() && !has_commit(git, run.base)))
    return core::refuse(Code::kNotFound, "the commits of run " + std::to_string(run.id) +
                                             " are not in the repository " + question.repo + " any more");
  service::RunDiff out{run.id, run.task, run.branch, run.base,     run.head,           {},
                       {},     {},       false,      run.left_out, run.left_out_count, run.remarks};
  if (run.landing && run.landing->state == core::LandingState::asked) out.findings = run.landing->findings;
  auto const range = run.base.empty() ? run.head : run.base + ".." + run.head;
  out.commits = git.list({"rev-list", "--reverse", "--max-count=100", range});
  out.files = changed_files(git, base, run.head);
  out.truncated = out.files.size() > kMostFiles;
  if (out.truncated) out.files.resize(kMostFiles);
  auto const text = as_utf8(git.run(diff_arguments({}, base, run.head)).out);
  out.truncated = out.truncated || text.size() > kMostText;
  out.diff = shortened(text, kMostText);
  return out;
}

}  // namespace andon::runner
