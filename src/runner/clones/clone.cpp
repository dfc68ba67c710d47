// How a clone and its remote come together:
//
//   make      in `new-DIGEST`, from which it is moved when it is whole: a killed process leaves no half clone
//   refresh   fetch into `remote`, then copy the refs to `repo`: branches to refs/remotes/origin, tags to
//             refs/tags, the default branch also to refs/heads; the HEAD of `repo` is the same commit, and on
//             no branch, so that no files have to follow it
//   publish   the branch of a task, forced, if the remote's one is where the last refresh found it
//   land      the default branch, if the remote's one is the commit onto which the work was joined
//
// The remote's word is in `remote`, which no agent can write. What agents did to refs of `repo` is undone by
// the next refresh.

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
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;
using Refs = std::map<std::string, std::string>;

constexpr std::size_t kAttemptBytes = 8;
constexpr std::string_view kHeads = "refs/heads/";
constexpr std::string_view kTags = "refs/tags/";
constexpr std::string_view kOrigin = "refs/remotes/origin/";

/// The refs of the clone that follow those of the remote.
Refs wanted_refs(Refs const& remote, std::string const& default_branch) {
  Refs out;
  for (auto const& [name, object] : remote) {
    if (name.starts_with(kHeads)) out[std::string{kOrigin} + name.substr(kHeads.size())] = object;
    if (name.starts_with(kTags)) out[name] = object;
  }
  out.erase(std::string{kOrigin} + "HEAD");
  auto const branch = std::string{kHeads} + default_branch;
  out[branch] = remote.at(branch);
  return out;
}

Refs refs_of(Git const& git, std::string const& default_branch) {
  Refs out;
  for (auto const& line :
       git.list({"for-each-ref", "--format=%(refname) %(objectname)", "refs/remotes/origin", "refs/tags",
                 std::string{kHeads} + default_branch}))
    if (auto const blank = line.find(' '); blank != std::string::npos)
      out[line.substr(0, blank)] = line.substr(blank + 1);
  out.erase(std::string{kOrigin} + "HEAD");
  return out;
}

/// The input of `git update-ref --stdin` that removes refs.
std::string removals_from(Refs const& now, Refs const& wanted) {
  std::string out;
  for (auto const& [name, object] : now)
    if (!wanted.contains(name)) out += "option no-deref\ndelete " + name + "\n";
  return out;
}

/// The input of `git update-ref --stdin` that sets refs.
std::string updates_from(Refs const& now, Refs const& wanted) {
  std::string out;
  for (auto const& [name, object] : wanted)
    if (auto const found = now.find(name); found == now.end() || found->second != object)
      out += "option no-deref\nupdate " + name + " " + object + "\n";
  return out;
}

std::string first_line(std::string const& text) {
  auto const begin = std::min(text.find_first_not_of('\n'), text.size());
  return shown_reason(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
}

/// The line that names the cause. The first line of a complaint may be a hint of the remote.
std::string cause_in(std::string const& complaint) {
  for (auto const* mark : {"fatal: ", "error: ", "! [", "ssh: ", "Permission denied", "Host key"})
    if (auto const at = complaint.find(mark); at != std::string::npos)
      return first_line(complaint.substr(at));
  return first_line(complaint);
}

/// Changes refs as the text says, which `file` passes to git. A sentence when git cannot.
std::string change_refs(Git const& git, fs::path const& file, std::string const& changes) {
  if (changes.empty()) return {};
  os::write_file(file, changes);
  os::Descriptor const input{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  auto const done = git.run({"update-ref", "--stdin"}, {}, input.get());
  return done.good ? std::string{} : cause_in(done.complaint);
}

}  // namespace

Clone::Clone(std::string url, os::DataDirectory const& data, GitUse use, CloneLimits limits)
    : url_(std::move(url)),
      data_(data.root),
      place_{clone_folder(data, url_)},
      use_(std::move(use)),
      limits_(limits) {}

std::optional<Clone> Clone::of(std::string const& repo, os::DataDirectory const& data, GitUse use,
                               CloneLimits limits) {
  if (!core::is_clone_url(repo)) return std::nullopt;
  return Clone{repo, data, std::move(use), limits};
}

bool Clone::exists() const {
  std::error_code none;
  return fs::is_directory(place_.folder, none);
}

RemoteGit Clone::remote(ClonePlace const& place) const {
  auto use = use_;
  use.limit = limits_.time;
  return {url_, place, data_, std::move(use)};
}

std::unexpected<core::Error> Clone::refused(std::string const& why) const {
  return core::refuse(core::Code::kConflict, "the repository " + url_ + " cannot be fetched: " + why, "repo");
}

Result<void> Clone::refresh() const try {
  if (auto const fault = core::fault_of_repo(url_); !fault.empty()) return refused(fault);
  os::make_private_directory(place_.folder.parent_path());
  auto const lock = fetch_lock(place_.folder);
  auto const turn = os::AwaitedLock{lock}.take(limits_.time);
  if (!turn) return refused("another process has fetched it for too long: " + os::lock_holder_in_words(lock));
  if (!exists()) return make();
  note_use(place_.folder);
  ANDON_CHECK(fetch(place_));
  static_cast<void>(make_room(place_.folder.parent_path(), place_.folder, 0, limits_));
  return {};
} catch (os::SystemError const& error) {
  return refused(error.what());
} catch (fs::filesystem_error const& error) {
  return refused(error.what());
}

Result<void> Clone::refresh_for(std::string const& commit) const {
  auto const git = exists() ? open_git(place_.repo(), use_) : std::unexpected(std::string{});
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
  if (auto const full = make_room(clones, place_.folder, 1, limits_)) return refused(*full);
  os::make_private_directory(unfinished.folder);
  if (auto const made = remote(unfinished).init(); !made.good) return refused(cause_in(made.complaint));
  auto done = fetch(unfinished);
  if (done)
    if (auto const full = make_room(clones, place_.folder, 1, limits_)) done = refused(*full);
  if (done) {
    note_use(unfinished.folder);
    fs::rename(unfinished.folder, place_.folder);
  }
  fs::remove_all(attempts, ignored);
  return done;
}

Result<void> Clone::fetch(ClonePlace const& place) const {
  auto const far = remote(place);
  auto const branch = far.default_branch();
  if (!branch) return refused(cause_in(branch.error()));
  if (auto const fetched = far.fetch(); !fetched.good) return refused(cause_in(fetched.complaint));
  if (auto const trouble = move_refs(place, *branch); !trouble.empty()) return refused(trouble);
  return {};
}

/// Makes the clone's refs follow the remote's. A sentence when git cannot.
std::string Clone::move_refs(ClonePlace const& place, std::string const& default_branch) const {
  auto const refs = remote(place).refs();
  auto const tip = refs.find(std::string{kHeads} + default_branch);
  if (tip == refs.end()) return "its default branch " + default_branch + " has no commit; push a first one";
  auto const opened = open_git(place.repo(), use_);
  if (!opened) return opened.error();
  auto const& git = *opened;
  if (auto const set = git.run({"update-ref", "--no-deref", "HEAD", tip->second}); !set.good)
    return cause_in(set.complaint);
  auto const now = refs_of(git, default_branch);
  auto const wanted = wanted_refs(refs, default_branch);
  // One after the other: git does not replace `a` by `a/b` in one step.
  for (auto const& changes : {removals_from(now, wanted), updates_from(now, wanted)})
    if (auto trouble = change_refs(git, place.folder / "changes", changes); !trouble.empty()) return trouble;
  auto const named =
      git.run({"symbolic-ref", std::string{kOrigin} + "HEAD", std::string{kOrigin} + default_branch});
  return named.good ? std::string{} : cause_in(named.complaint);
}

void Clone::take_up(std::string const& branch) const {
  auto const git = open_git(place_.repo(), use_);
  if (!git || !branch.starts_with(core::kWorkBranches)) return;
  auto const far =
      git->text({"rev-parse", "--verify", "--quiet", std::string{kOrigin} + branch + "^{commit}"});
  auto const here = std::string{kHeads} + branch;
  bool const is_behind = !has_branch(*git, branch) || (far && contains(*git, *far, here));
  if (far && is_behind && checkout_of(*git, branch).empty()) git->run({"update-ref", here, *far});
}

std::optional<os::FileLock> Clone::hold() const {
  os::make_private_directory(place_.folder.parent_path());
  return os::FileLock::try_take(landing_lock(place_.folder));
}

Result<void> Clone::check_out() const {
  auto const repository = open_repository(place_.repo(), use_);
  if (!repository) return std::unexpected(repository.error());
  auto const done = repository->git.run({"checkout", "--quiet", "--force", "--detach", repository->tip});
  return done.good ? Result<void>{} : refused(cause_in(done.complaint));
}

std::optional<std::string> Clone::publish(std::string const& branch, std::string const& head) const {
  auto const far = remote(place_);
  auto const refs = far.refs();
  auto const found = refs.find(std::string{kHeads} + branch);
  auto const before = found == refs.end() ? std::string{} : found->second;
  if (before == head) return std::nullopt;
  auto const pushed = far.push(branch, head, before);
  if (pushed.good) return std::nullopt;
  return "the work is on this host only, since it could not be pushed to " + url_ + ": " +
         cause_in(pushed.complaint);
}

std::optional<std::string> Clone::land(std::string const& branch, std::string const& commit,
                                       std::string const& onto) const {
  auto const pushed = remote(place_).push(branch, commit, onto);
  if (pushed.good) return std::nullopt;
  return branch + " of " + url_ + " could not be moved forward: " + cause_in(pushed.complaint);
}

void Clone::unpublish(std::string const& head) const {
  auto const far = remote(place_);
  auto const tasks = std::string{kHeads} + std::string{core::kWorkBranches};
  for (auto const& [name, object] : far.refs())
    if (object == head && name.starts_with(tasks)) far.push(name.substr(kHeads.size()), {}, head);
}

}  // namespace andon::runner
