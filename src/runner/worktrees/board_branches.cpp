#include "runner/worktrees/board_branches.hpp"

#include "core/model/clone_url.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

/// Says which branch work lands on where a person has another one before them.
std::vector<std::string> remarks_on(Repository const& repository, service::WantedRepository const& wanted) {
  auto const here = checked_out_branch(repository.git);
  auto const& own = repository.default_branch;
  if (!wanted.worktree || !wanted.branch.empty() || here.empty() || here == own) return {};
  return {"work begins at and lands on " + as_utf8(own) + "; " + as_utf8(here) + " is checked out in " +
          wanted.repo + ". To work on that branch: --branch " + as_utf8(here)};
}

}  // namespace

core::Result<std::vector<std::string>> check_branches(service::WantedRepository const& wanted,
                                                      GitUse const& use) {
  if (wanted.repo.empty() || core::is_clone_url(wanted.repo)) return {};
  auto const repository = open_repository(wanted.repo, use, wanted.branch);
  if (repository && wanted.worktree)
    if (auto const why = why_no_branches(repository->git, "refs/heads/", wanted.branch_prefix); !why.empty())
      return core::refuse(core::Code::kInvalidInput, "the repository " + wanted.repo + " " + why,
                          "branch_prefix");
  if (repository) return remarks_on(*repository, wanted);
  // Other faults of a repository may be mended before the first run.
  if (repository.error().field == "branch") return std::unexpected(repository.error());
  return {};
}

}  // namespace andon::runner
