#include "runner/merging/worktree_gc.hpp"

#include <algorithm>
#include <set>

#include "os/processes/log.hpp"
#include "runner/clones/clone.hpp"
#include "runner/commands/tree_removal.hpp"
#include "runner/worktrees/work_trees.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {
namespace {

/// The interval is long, because measuring reads every directory of every tree.
constexpr core::Duration kCollectEvery = std::chrono::minutes{10};

bool holds_nothing(service::WorkTree const& tree) {
  return tree.state != service::WorkState::running && !tree.dirty && tree.unlanded == 0;
}

}  // namespace

core::Instant WorktreeGc::step(core::Instant now) {
  if (now < next_ && next_ - now <= kCollectEvery) return next_;
  tidy();
  return next_ = now + kCollectEvery;
}

void WorktreeGc::tidy() {
  auto const work = client_.call<&service::work_question>({});
  if (!work) return;
  auto const& boards = work->boards;
  tidy_clones(boards);
  GitUse const use{.stop = stop_};
  auto const trees = find_work_trees(client_, place_.data, boards, use);
  if (!trees) return;
  TreeRemoval const removal{place_, use, should_stop_};
  std::int64_t total = 0;
  for (auto const& tree : *trees) total += tree.bytes;
  for (auto const& tree : *trees) {
    bool const is_over = why_kept(tree, false).empty();
    if (!is_over && !(total > work->limit && holds_nothing(tree))) continue;
    auto const board = std::ranges::find(boards, tree.board, &core::Board::name);
    if (auto const why = removal.remove(*board, tree, false); why.empty())
      total -= tree.bytes;
    else
      os::log(os::Level::warning, tree.directory + " stays: " + why);
  }
  if (total > work->limit)
    os::log(os::Level::warning, "work trees take " + std::to_string(total >> 20) + " MiB, more than the " +
                                    std::to_string(work->limit >> 20) +
                                    " MiB they may; see: andon work list");
}

void WorktreeGc::tidy_clones(std::vector<core::Board> const& boards) const {
  std::set<std::string> done;
  for (auto const& board : boards) {
    if (should_stop_()) return;
    if (board.repo.empty() || !done.insert(board.repo).second) continue;
    Clone const clone{board.repo, place_.data, {.stop = stop_}};
    if (auto const trouble = clone.tidy(); !trouble.empty()) os::log(os::Level::warning, trouble);
  }
}

}  // namespace andon::runner
