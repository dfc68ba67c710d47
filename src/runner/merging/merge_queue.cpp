#include "runner/merging/merge_queue.hpp"

#include <algorithm>
#include <set>

#include "core/runs/outcome.hpp"
#include "os/processes/log.hpp"
#include "os/system_error.hpp"
#include "runner/merging/revert_work.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/profiles/profile_book.hpp"
#include "runner/supervision/supervised_check.hpp"
#include "runner/worktrees/default_branch.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/repository_records.hpp"
#include "runner/worktrees/work_folder.hpp"
#include "runner/worktrees/work_place.hpp"
#include "runner/worktrees/work_trees.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/run_guard.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kLongestMergeRest = std::chrono::minutes{1};
constexpr core::Duration kTryAgain = std::chrono::seconds{5};  ///< a temporary obstacle may be gone by then
constexpr char kChecksNeedIt[] =
    "the checks fail without it, so take back first what builds on it, or change that: after it was taken "
    "back, ";
constexpr int kTries = 3;  ///< attempts while people commit to the default branch at the same time

}  // namespace

MergeQueue::MergeQueue(OperationClient& client, os::DataDirectory data, std::vector<std::string> own,
                       std::filesystem::path program, std::function<bool()> stopping, int stop)
    : client_(client),
      data_(std::move(data)),
      own_(std::move(own)),
      program_(std::move(program)),
      stopping_(std::move(stopping)),
      stop_(stop) {}

core::Instant MergeQueue::step(core::Instant now) {
  auto const queue = client_.call<&service::landing_queue>();
  if (!queue) return now + kTryAgain;
  std::set<core::BoardId> served;
  auto next = now + kLongestMergeRest;
  for (auto const& place : queue->items) {
    if (!served.insert(place.board.id).second) continue;
    auto& rest = rests_[place.run.id];
    if (rest <= now || rest > now + kTryAgain) {
      auto const end = stopping_() ? End::waits : land(place);
      rest = end == End::waits ? now + kTryAgain : now;
    }
    next = std::min(next, rest);
  }
  std::erase_if(rests_, [&](auto const& entry) { return entry.second <= now; });
  return next;
}

MergeQueue::End MergeQueue::land(service::LandingPlace const& place) try {
  MergeTree tree(work_folder(data_, place.board.name), trees_[place.board.id],
                 {.stop = stop_, .records = data_.repositories()});
  if (tree.is_busy()) return End::waits;
  tree.end_checks();
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
  auto const repository = open_repository(place.board.repo, tree.use());
  if (!repository) return hold(place, repository.error().message);
  auto const& git = repository->git;
  auto const& planned = place.is_revert() ? run.revert->commit : run.landing->commit;
  auto const& onto = place.is_revert() ? run.revert->onto : run.landing->onto;
  if (!planned.empty() && contains(git, repository->tip, planned)) return finish(place, *repository, planned);
  if (!planned.empty() && onto == repository->tip && complete_advance(*repository, planned))
    return finish(place, *repository, planned);

  if (auto const reason = unfit(place, *repository)) return send_back(place, *reason);
  if (auto const reason = obstacle(*repository)) return hold(place, *reason);

  auto const joined = make_next(place, tree, *repository);
  if (!joined.conflict.empty()) return send_back(place, joined.conflict, joined.files);
  if (joined.commit.empty()) return hold(place, joined.trouble);
  bool const is_new = !place.is_revert() || joined.commit != repository->tip;
  if (auto const reason = is_new ? failed_check(place, tree) : std::nullopt) {
    if (stopping_()) return End::waits;
    return send_back(place, *reason);
  }

  auto const now = open_repository(place.board.repo, tree.use());
  moved_on = now && now->tip != repository->tip;
  if (moved_on) return End::waits;
  if (!plan(place, joined.commit, repository->tip)) return End::returned;
  if (auto const reason = advance(*repository, joined.commit)) return hold(place, *reason);
  return finish(place, *repository, joined.commit);
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
  if (!place.is_revert()) return tree.join(repository, place.run.head, place.was_reverted);
  auto const known = client_.call<&service::landed_work>({place.board.name});
  if (!known) return {{}, {}, known.error().message};
  return take_back(place, *known, tree, repository);
}

/// A profile that is gone counts as one that wants a sandbox. The checks read the repository's git directory,
/// but change only what belongs to their own work tree.
std::optional<SandboxSpec> MergeQueue::sandbox_of_checks(service::LandingPlace const& place,
                                                         MergeTree const& tree,
                                                         std::vector<std::string> const& environment) {
  auto const guard = client_.call<&service::get_run_guard>({place.run.id});
  ProfileBook const book{data_.agents};
  auto const* profile = guard ? book.find(guard->agent) : nullptr;
  if (profile ? !has_sandbox(*profile) : os::confinement_version() == 0) return std::nullopt;
  auto out = sandbox_of({.program = program_,
                         .andon_directory = program_.parent_path(),
                         .data = data_.root,
                         .run_dir = tree.run_directory(),
                         .cwd = tree.directory(),
                         .environment = environment,
                         .folders = {}});
  auto const& git = *trees_[place.board.id];
  out.changes.push_back(git.git_directory);
  out.reads.push_back(git.common_directory);
  for (auto& part :
       RepositoryRecords{data_.repositories(), git}.outlying().value_or(std::vector<std::string>{}))
    out.reads.push_back(std::move(part));
  return out;
}

std::optional<std::string> MergeQueue::failed_check(service::LandingPlace const& place,
                                                    MergeTree const& tree) {
  auto const environment = agent_environment({}, own_, {},
                                             {{"ANDON_TASK", std::to_string(place.task.id)},
                                              {"ANDON_RUN", std::to_string(place.run.id)},
                                              {"ANDON_BOARD", place.board.name},
                                              {"ANDON_RUN_DIR", tree.run_directory().native()}},
                                             program_.parent_path());
  auto const sandbox = sandbox_of_checks(place, tree, environment);
  for (auto const& name : place.checks) {
    auto const check = place.board.checks.find(name);
    if (check == place.board.checks.end()) continue;
    auto const directory = enter(*trees_[place.board.id]);
    if (!directory) return directory.error();
    auto const result = run_supervised(
        {{name, check->second}, tree.directory(), environment, place.board.check_timeout, sandbox},
        {program_, tree.run_directory(), directory->get(), stopping_});
    tree.end_checks();
    if (auto const reason = core::failed_check({result}))
      return (place.is_revert() ? kChecksNeedIt : "after it was joined with the default branch, ") + *reason;
  }
  return std::nullopt;
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
  remove_landed_tree(client_, data_, place.board, place.task,
                     {.stop = stop_, .records = data_.repositories()});
  return End::landed;
}

MergeQueue::End MergeQueue::hold(service::LandingPlace const& place, std::string const& reason) {
  static_cast<void>(client_.call<&service::hold_landing>({place.run.id, reason}));
  return End::waits;
}

MergeQueue::End MergeQueue::send_back(service::LandingPlace const& place, std::string const& reason,
                                      std::vector<std::string> const& files) {
  auto const done = client_.call<&service::return_landing>({place.run.id, reason, files});
  return done ? End::returned : End::waits;
}

}  // namespace andon::runner
