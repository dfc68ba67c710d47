#include "runner/merging/merge_queue.hpp"

#include <algorithm>
#include <set>

#include "os/processes/log.hpp"
#include "os/system_error.hpp"
#include "runner/commands/tree_removal.hpp"
#include "runner/merging/known_secrets.hpp"
#include "runner/merging/landing_judge.hpp"
#include "runner/merging/one_commit.hpp"
#include "runner/merging/revert_work.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/default_branch.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/work_folder.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/landing_verdict.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kLongestMergeRest = std::chrono::minutes{1};
constexpr core::Duration kTryAgain = std::chrono::seconds{5};  ///< a temporary obstacle may be gone by then
constexpr int kTries = 3;  ///< attempts while people commit to the default branch at the same time

/// Of one fetch or push: other boards wait meanwhile.
constexpr CloneLimits kRemoteLimits{.time = std::chrono::minutes{2}};

}  // namespace

MergeQueue::MergeQueue(OperationClient& client, os::DataDirectory data, std::vector<std::string> own,
                       std::filesystem::path program, std::function<bool()> stopping, int stop)
    : client_(client),
      commands_{std::move(data), std::move(own), std::move(program)},
      stopping_(std::move(stopping)),
      stop_(stop) {}

core::Duration MergeQueue::rest_after(End end) {
  if (end == End::waits_for_remote) return kLongestMergeRest;
  return end == End::waits ? kTryAgain : core::Duration{};
}

core::Instant MergeQueue::step(core::Instant now) {
  auto const queue = client_.call<&service::landing_queue>();
  if (!queue) return now + kTryAgain;
  std::set<core::BoardId> served;
  auto next = now + kLongestMergeRest;
  for (auto const& place : queue->items) {
    if (!served.insert(place.board.id).second) continue;
    auto& rest = rests_[place.run.id];
    if (rest <= now || rest > now + kLongestMergeRest) {
      auto const end = stopping_() ? End::waits : land(place);
      rest = now + rest_after(end);
    }
    next = std::min(next, rest);
  }
  std::erase_if(rests_, [&](auto const& entry) { return entry.second <= now; });
  return next;
}

MergeQueue::End MergeQueue::land(service::LandingPlace const& place) try {
  MergeTree tree(work_folder(commands_.data, place.board.name), trees_[place.board.id],
                 {.stop = stop_, .filters = held_filters(place.board.filters)});
  if (tree.is_busy()) return End::waits;
  tree.end_checks();
  auto const held = clone_of(place).hold();
  if (!held) return End::waits;
  for (int tries = kTries; tries > 0; --tries) {
    bool moved_on = false;
    auto const end = land_once(place, tree, moved_on);
    if (!moved_on) return end;
  }
  return End::waits;
} catch (os::SystemError const& error) {
  return hold(place, error.what());
}

MergeQueue::End MergeQueue::land_once(service::LandingPlace const& place, MergeTree& tree, bool& moved_on) {
  auto const& run = place.run;
  auto const clone = clone_of(place);
  if (auto const fetched = clone.refresh(); !fetched) return wait_for(clone, place, fetched.error().message);
  auto const repository = open(place, tree);
  if (!repository) return hold(place, repository.error().message);
  auto const& git = repository->git;
  auto const& planned = place.is_revert() ? run.revert->commit : run.landing->commit;
  auto const& onto = place.is_revert() ? run.revert->onto : run.landing->onto;
  if (!planned.empty() && contains(git, repository->tip, planned)) return finish(place, *repository, planned);
  if (!planned.empty() && onto == repository->tip && clone.complete_landing(planned))
    return finish(place, *repository, planned);

  if (auto const reason = unfit(place, *repository)) return send_back(place, *reason);
  if (auto const reason = clone.obstacle()) return hold(place, *reason);

  auto const joined = make_next(place, tree, *repository);
  if (!joined.conflict.empty()) return send_back(place, joined.conflict, joined.files);
  if (joined.commit.empty()) return hold(place, joined.trouble);
  bool const is_new = !place.is_revert() || joined.commit != repository->tip;
  if (!place.is_revert())
    if (auto const end = gate(place, tree, *repository, joined.commit)) return *end;
  if (is_new && !trial_.has_passed(place, tree, joined.commit, repository->tip)) {
    auto const failure = checks_.failure(place, tree, joined.commit, repository->tip);
    if (!failure || (*failure && stopping_())) return End::waits;
    if (*failure) return send_back(place, **failure);
  }

  auto const now = open(place, tree);
  moved_on = now && now->tip != repository->tip;
  if (moved_on) return End::waits;
  if (!plan(place, joined.commit, repository->tip)) return End::returned;
  return move(place, *repository, joined.commit, moved_on);
}

MergeQueue::End MergeQueue::move(service::LandingPlace const& place, Repository const& repository,
                                 std::string const& commit, bool& moved_on) {
  auto const clone = clone_of(place);
  if (commit != repository.tip) {
    if (auto const reason = clone.land(repository.default_branch, commit, repository.tip)) {
      auto const fetched = clone.refresh();
      auto const now = open_clone(clone.repo(), repository.git.use(), place.board.branch);
      moved_on = fetched && now && now->tip != repository.tip;
      return moved_on ? End::waits : wait_for(clone, place, *reason);
    }
  }
  if (auto const reason = advance(repository, commit)) return hold(place, *reason);
  return finish(place, repository, commit);
}

Clone MergeQueue::clone_of(service::LandingPlace const& place) const {
  return {place.board.repo,
          commands_.data,
          {.stop = stop_, .filters = held_filters(place.board.filters)},
          kRemoteLimits,
          place.board.branch};
}

core::Result<Repository> MergeQueue::open(service::LandingPlace const& place, MergeTree const& tree) const {
  auto use = tree.use();
  use.filters = {};
  return open_clone(repository_directory(place.board.repo, commands_.data), std::move(use),
                    place.board.branch);
}

std::optional<MergeQueue::End> MergeQueue::gate(service::LandingPlace const& place, MergeTree& tree,
                                                Repository const& repository, std::string const& joined) {
  auto const secrets = known_secrets(place.board, commands_.data);
  auto verdict = judge_change(place, repository, joined, secrets);
  if (!verdict.trouble.empty()) return hold(place, verdict.trouble);
  if (!verdict.refusal.empty()) return send_back(place, verdict.refusal);
  auto const trial = trial_.run({place, tree, joined, repository.tip}, verdict);
  if (!trial || stopping_()) return End::waits;
  if (*trial) return send_back(place, **trial);
  auto const questions = questions_of(std::move(verdict.findings), *place.run.landing, secrets);
  if (questions.empty()) return std::nullopt;
  auto const asked = client_.call<&service::ask_landing>({place.run.id, questions});
  return asked ? End::returned : End::waits;
}

std::optional<std::string> MergeQueue::unfit(service::LandingPlace const& place,
                                             Repository const& repository) {
  if (place.is_revert()) {
    bool const is_open = !core::is_terminal(place.task.stage);
    return is_open ? std::optional{std::string{
                         "the task was taken up again; finish it before its work is taken back"}}
                   : std::nullopt;
  }
  auto const& head = place.run.head;
  if (!is_commit_id(head)) return "\"" + head + "\" is no commit";
  if (!has_commit(repository.git, head))
    return "its commit " + head + " is not in the repository " + place.board.repo;
  if (fork_point(repository.git, repository.tip, head).empty())
    return "its commit " + head + " shares no commit with " + repository.default_branch;
  return std::nullopt;
}

MergeTree::Joined MergeQueue::make_next(service::LandingPlace const& place, MergeTree& tree,
                                        Repository const& repository) {
  if (!place.is_revert()) return join_work(place, tree, repository);
  auto const known = client_.call<&service::landed_work>({place.board.name});
  if (!known) return {{}, {}, known.error().message};
  return take_back(place, *known, tree, repository);
}

bool MergeQueue::plan(service::LandingPlace const& place, std::string const& commit,
                      std::string const& onto) {
  return client_.call<&service::plan_landing>({place.run.id, commit, onto}).has_value();
}

MergeQueue::End MergeQueue::finish(service::LandingPlace const& place, Repository const& repository,
                                   std::string const& commit) {
  auto const landed = client_.call<&service::land_run>({place.run.id, commit, repository.default_branch});
  if (!landed) {
    os::log(os::Level::warning, "landing #" + std::to_string(place.task.id) + ": " + landed.error().message);
    return End::waits;
  }
  if (!place.is_revert()) clone_of(place).unpublish(place.run.head, place.task.id, place.board.branch_prefix);
  TreeRemoval const removal{commands_, {.stop = stop_}, stopping_};
  removal.remove_landed(client_, place.board, place.task);
  return End::landed;
}

MergeQueue::End MergeQueue::hold(service::LandingPlace const& place, std::string const& reason) {
  static_cast<void>(client_.call<&service::hold_landing>({place.run.id, reason}));
  return End::waits;
}

MergeQueue::End MergeQueue::wait_for(Clone const& clone, service::LandingPlace const& place,
                                     std::string const& reason) {
  hold(place, reason);
  return clone.is_remote() ? End::waits_for_remote : End::waits;
}

MergeQueue::End MergeQueue::send_back(service::LandingPlace const& place, std::string const& reason,
                                      std::vector<std::string> const& files) {
  auto const done = client_.call<&service::return_landing>({place.run.id, reason, files});
  return done ? End::returned : End::waits;
}

}  // namespace andon::runner
