// How a clone and its origin come together:
//
//   make      in `new-DIGEST`, from which it is moved when it is whole: a killed process leaves no half clone
//   refresh   bring the objects, then copy the refs to `repo`: branches to refs/remotes/origin, tags to
//             refs/tags, the default branch and the board's also to refs/heads; the HEAD of `repo` is the
//             same commit, and on no branch, so that no files have to follow it
//   publish   the branch of a task, forced, if the origin's one is where the last refresh found it
//   land      the board's branch, if the origin's one is the commit onto which the work was joined
//
// No agent can write a clone. Runs borrow its objects; their work comes into it by `fetch_commit`.

#include "runner/clones/clone.hpp"

#include <algorithm>
#include <fcntl.h>
#include <map>

#include "core/model/clone_url.hpp"
#include "core/runs/work_branch.hpp"
#include "os/data/awaited_lock.hpp"
#include "os/files/file.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"
#include "runner/clones/clone_packs.hpp"
#include "runner/git/global_ignores.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/followed_refs.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// A person may remove a branch with its objects when its name has been read and its objects have not.
constexpr int kMostFetches = 5;
constexpr std::size_t kAttemptBytes = 8;
constexpr std::size_t kMostRules = 4U << 20U;
constexpr std::string_view kHeads = "refs/heads/";
constexpr std::string_view kTags = "refs/tags/";
constexpr std::string_view kOrigin = "refs/remotes/origin/";

/// The refs of the clone that follow those of the remote.
Refs wanted_refs(Refs const& remote, std::vector<std::string> const& branches) {
  Refs out;
  for (auto const& [name, object] : remote) {
    if (name.starts_with(kHeads)) out[std::string{kOrigin} + name.substr(kHeads.size())] = object;
    if (name.starts_with(kTags)) out[name] = object;
  }
  out.erase(std::string{kOrigin} + "HEAD");
  for (auto const& name : branches) {
    auto const branch = std::string{kHeads} + name;
    out[branch] = remote.at(branch);
  }
  return out;
}

/// Gives the clone the ignore rules that count beside those in the files. The rules of the repository come
/// last, since the last rule that matches a path counts.
void keep_ignores(ClonePlace const& place, std::string const& of_origin) {
  auto const file = place.git() / "info/exclude";
  auto const rules = global_ignores() + of_origin;
  if (os::read_file_if_there(file, kMostRules).value_or("") == rules) return;
  os::make_private_directory(file.parent_path());
  os::write_file(file, rules);
}

}  // namespace

Clone::Clone(std::string repo, os::DataDirectory const& data, GitUse use, CloneLimits limits,
             std::string branch)
    : repo_(std::move(repo)),
      data_(data.root),
      place_{clone_folder(data, repo_)},
      use_(std::move(use)),
      limits_(limits),
      branch_(std::move(branch)) {
  use_.lender.clear();
}

bool Clone::is_remote() const { return core::is_clone_url(repo_); }

bool Clone::exists() const {
  std::error_code none;
  return fs::is_directory(place_.folder, none);
}

std::unique_ptr<CloneOrigin> Clone::origin(ClonePlace const& place) const {
  auto use = use_;
  if (!is_remote()) {
    use.records = os::data_directory(data_).repositories();
    return local_origin(repo_, place, std::move(use), branch_);
  }
  use.filters = {};
  use.limit = limits_.time;
  return remote_origin(repo_, place, data_, std::move(use), branch_);
}

std::unexpected<core::Error> Clone::refused(std::string const& why) const {
  return core::refuse(core::Code::kConflict, "the repository " + repo_ + " cannot be fetched: " + why,
                      "repo");
}

Result<void> Clone::refresh() const try {
  if (auto const fault = core::fault_of_repo(repo_); !fault.empty()) return refused(fault);
  os::make_private_directory(place_.folder.parent_path());
  auto const lock = fetch_lock(place_.folder);
  auto const turn = os::AwaitedLock{lock}.take(limits_.time);
  if (!turn) return refused("another process has fetched it for too long: " + os::lock_holder_in_words(lock));
  if (!exists()) return make();
  note_use(place_.folder);
  ANDON_CHECK(fetch(place_));
  if (is_remote()) static_cast<void>(make_room(place_.folder.parent_path(), place_.folder, 0, limits_));
  return {};
} catch (os::SystemError const& error) {
  return refused(error.what());
} catch (fs::filesystem_error const& error) {
  return refused(error.what());
}

std::expected<Git, std::string> Clone::own_git() const {
  auto const git = open_git(place_.repo(), use_);
  return git ? std::expected<Git, std::string>{git->as_own()} : git;
}

Result<void> Clone::refresh_for(std::string const& commit) const {
  auto const git = exists() ? own_git() : std::unexpected(std::string{});
  bool const has_it = git && (!is_commit_id(commit) || has_commit(*git, commit));
  return has_it ? Result<void>{} : refresh();
}

/// Each attempt has a directory of its own. The git of an attempt that was killed may still be at work in the
/// earlier one.
Result<void> Clone::make() const {
  auto const clones = place_.folder.parent_path();
  auto const attempts = unfinished_clone(place_.folder);
  ClonePlace const unfinished{attempts / os::random_hex(kAttemptBytes)};
  std::error_code ignored;
  fs::remove_all(attempts, ignored);
  if (auto const full = why_no_room(clones)) return refused(*full);
  os::make_private_directory(unfinished.folder);
  ANDON_CHECK(origin(unfinished)->init());
  auto done = fetch(unfinished);
  if (done)
    if (auto const full = why_no_room(clones)) done = refused(*full);
  if (done) {
    note_use(unfinished.folder);
    fs::rename(unfinished.folder, place_.folder);
  }
  fs::remove_all(attempts, ignored);
  return done;
}

/// The clones of remotes have bounds together. That of a person's repository stays: it has work that is
/// nowhere else.
std::optional<std::string> Clone::why_no_room(fs::path const& clones) const {
  return is_remote() ? make_room(clones, place_.folder, 1, limits_) : std::nullopt;
}

Result<void> Clone::fetch(ClonePlace const& place) const {
  std::string trouble;
  for (int attempt = 0; attempt < (is_remote() ? 1 : kMostFetches); ++attempt) {
    ANDON_TRY(auto const found, origin(place)->fetch());
    keep_ignores(place, found.ignores);
    trouble = move_refs(place, found);
    if (trouble.empty()) return {};
  }
  return refused(trouble);
}

/// Makes the clone's refs follow the origin's. A sentence when git cannot.
std::string Clone::move_refs(ClonePlace const& place, OriginRefs const& found) const {
  auto const& [default_branch, refs, ignores] = found;
  std::vector<std::string> branches{default_branch};
  if (!branch_.empty() && branch_ != default_branch) branches.push_back(branch_);
  auto const tip = refs.find(std::string{kHeads} + default_branch);
  auto const opened = open_git(place.repo(), use_);
  if (!opened) return opened.error();
  auto const git = opened->as_own();
  if (auto const set = git.run({"update-ref", "--no-deref", "HEAD", tip->second}); !set.good)
    return cause_in(set.complaint);
  if (auto trouble = follow_refs(git, branches, wanted_refs(refs, branches), place.folder / "changes");
      !trouble.empty())
    return cause_in(trouble);
  auto const named =
      git.run({"symbolic-ref", std::string{kOrigin} + "HEAD", std::string{kOrigin} + default_branch});
  return named.good ? std::string{} : cause_in(named.complaint);
}

void Clone::take_up(std::string const& branch) const {
  auto const git = own_git();
  if (!git || core::task_of_branch(branch) == core::TaskId{}) return;
  auto const far =
      git->text({"rev-parse", "--verify", "--quiet", std::string{kOrigin} + branch + "^{commit}"});
  auto const here = std::string{kHeads} + branch;
  bool const is_behind = !has_branch(*git, branch) || (far && contains(*git, *far, here));
  auto const checkout = checkout_of(*git, branch);
  if (far && is_behind && checkout && checkout->empty()) git->carry_out({"update-ref", here, *far});
}

std::optional<os::FileLock> Clone::hold() const {
  os::make_private_directory(place_.folder.parent_path());
  return os::FileLock::try_take(landing_lock(place_.folder));
}

Result<void> Clone::check_out() const {
  auto const repository = open_clone(place_.repo(), use_, branch_);
  if (!repository) return std::unexpected(repository.error());
  auto const done = repository->git.run({"checkout", "--quiet", "--force", "--detach", repository->tip});
  return done.good ? Result<void>{} : refused(cause_in(done.complaint));
}

std::optional<std::string> Clone::publish(std::string const& branch, std::string const& head) const {
  return origin(place_)->publish(branch, head);
}

std::optional<std::string> Clone::obstacle() const { return origin(place_)->obstacle(); }

std::optional<std::string> Clone::land(std::string const& branch, std::string const& commit,
                                       std::string const& onto) const {
  return origin(place_)->land(branch, commit, onto);
}

bool Clone::complete_landing(std::string const& commit) const {
  return origin(place_)->complete_landing(commit);
}

std::string Clone::tidy() const {
  if (!exists()) return {};
  auto const turn = os::FileLock::try_take(fetch_lock(place_.folder));
  if (!turn) return {};
  auto const git = own_git();
  return git ? tidy_packs(*git, place_.folder / "packs") : git.error();
}

std::optional<std::string> Clone::offer(std::string const& branch, std::string const& head) const {
  return origin(place_)->offer(branch, head);
}

void Clone::unpublish(std::string const& head, core::TaskId task, std::string const& prefix) const {
  origin(place_)->unpublish(head, task, prefix);
}

}  // namespace andon::runner
