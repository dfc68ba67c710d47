#include "runner/worktrees/own_repository.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <stdio.h>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/git/filter_keys.hpp"
#include "runner/git/settings_file.hpp"
#include "runner/git/work_place.hpp"
#include "runner/runs/borrowers.hpp"
#include "runner/worktrees/followed_refs.hpp"
#include "runner/worktrees/work_index.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::size_t kLargestFile = 1U << 20U;
/// The files of the clone that a repository of its own has too.
constexpr std::array kTakenOver{"config", "shallow", "info/exclude", "info/attributes"};

fs::path objects_of(Repository const& clone) {
  return fs::path{clone.git.place().common_directory} / "objects";
}

fs::path folder_of(Repository const& clone) { return fs::path{clone.git.place().directory}.parent_path(); }

std::unexpected<core::Error> not_made(fs::path const& directory, std::string const& why) {
  return core::refuse(core::Code::kConflict,
                      "no work tree at " + directory.native() + ": " + shown_reason(why));
}

/// The directory in which a work tree is made before it gets its name.
fs::path unfinished(fs::path const& directory) {
  return directory.parent_path() / (".new-" + directory.filename().native());
}

/// The text of `packed-refs`: all refs that follow the clone, and the branch of the work.
std::string packed_refs(Repository const& clone, OwnRepository const& wanted) {
  auto refs = followed_refs(clone.git, {clone.default_branch});
  refs["refs/heads/" + wanted.branch] = wanted.commit;
  std::string out = "# pack-refs with: sorted\n";
  for (auto const& [name, object] : refs) out.append(object).append(" ").append(name).append("\n");
  return out;
}

/// Adds the filters to the settings, so that the agent's git runs them too.
void add_filters(HeldFilters const& filters, fs::path const& file) {
  auto text = os::read_file_if_there(file, kLargestFile).value_or("");
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  for (auto const& [key, value] : filters.settings)
    if (!value.empty()) text += setting_in_file(key, value);
  os::write_passing_file(file, text);
}

/// Writes a git directory without an index.
void write_git_directory(Repository const& clone, OwnRepository const& wanted, fs::path const& git) {
  fs::path const from{clone.git.place().common_directory};
  for (auto const* part : {"objects/info", "objects/pack", "refs/heads", "refs/tags", "info"})
    os::make_private_directory(git / part);
  for (auto const* file : kTakenOver)
    if (auto const content = os::read_file_if_there(from / file, kLargestFile))
      os::write_passing_file(git / file, *content);
  add_filters(wanted.filters, git / "config");
  give_filter_keys(wanted.filters, from, git);
  os::write_passing_file(git / "objects/info/alternates", objects_of(clone).native() + "\n");
  os::write_passing_file(git / "packed-refs", packed_refs(clone, wanted));
  os::write_passing_file(git / "andon-origin", wanted.origin + "\n");
  os::write_passing_file(git / "HEAD", "ref: refs/heads/" + wanted.branch + "\n");
}

Result<core::WorkPlace> place_at(fs::path const& directory) {
  auto place = find_work_place(directory);
  if (!place) return not_made(directory, place.error());
  return *std::move(place);
}

Result<void> fill(Repository const& clone, fs::path const& directory, char const* how,
                  HeldFilters const& filters) {
  ANDON_TRY(auto const place, place_at(directory));
  auto use = clone.git.use();
  use.lender = objects_of(clone);
  auto const done = Git{place, use}.with_filters(filters).run({"reset", "--quiet", how});
  return done.good ? Result<void>{} : not_made(directory, done.complaint);
}

/// Puts `made` in the place of `old`, which is at the name of `made` afterwards.
void exchange(fs::path const& made, fs::path const& old) {
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, old.c_str(), RENAME_EXCHANGE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOENT) os::fail("exchange", old.native());
  fs::remove_all(old);
  fs::rename(made, old);
}

}  // namespace

Result<core::WorkPlace> make_own_repository(Repository const& clone, OwnRepository const& wanted) try {
  auto const& directory = wanted.directory;
  auto const making = unfinished(directory);
  os::make_private_directory(directory.parent_path());
  fs::remove_all(making);
  os::make_private_directory(making);
  write_git_directory(clone, wanted, making / ".git");
  note_borrower(folder_of(clone), directory, making);
  if (auto const filled = fill(clone, making, "--hard", wanted.filters); !filled) {
    std::error_code ignored;
    fs::remove_all(making, ignored);
    return not_made(directory, filled.error().message);
  }
  fs::rename(making, directory);
  keep_index(folder_of(clone), directory);
  return place_at(directory);
} catch (os::SystemError const& error) {
  return not_made(wanted.directory, error.what());
} catch (fs::filesystem_error const& error) {
  return not_made(wanted.directory, error.what());
}

Result<core::WorkPlace> renew_own_repository(Repository const& clone, OwnRepository const& wanted) try {
  auto const& directory = wanted.directory;
  auto const making = unfinished(directory);
  fs::remove_all(making);
  os::make_private_directory(making);
  write_git_directory(clone, wanted, making / ".git");
  note_borrower(folder_of(clone), directory);
  // A process that is killed leaves a repository with an index, or the former one.
  ANDON_CHECK(fill(clone, making, "--mixed", wanted.filters));
  exchange(making / ".git", directory / ".git");
  fs::remove_all(making);
  ANDON_TRY(auto place, place_at(directory));
  auto use = clone.git.use();
  use.lender = objects_of(clone);
  Git{place, use}.with_filters(wanted.filters).attempt({"update-index", "-q", "--refresh"});
  return place;
} catch (os::SystemError const& error) {
  return not_made(wanted.directory, error.what());
} catch (fs::filesystem_error const& error) {
  return not_made(wanted.directory, error.what());
}

void remove_unfinished_tree(fs::path const& directory) {
  std::error_code ignored;
  fs::remove_all(unfinished(directory), ignored);
}

std::string refresh_own_repository(Repository const& clone, Git const& own) {
  for (auto const& [key, value] : own.use().filters.settings)
    if (!value.empty() && own.text({"config", "--local", key}) != value)
      own.attempt({"config", "--local", "--replace-all", key, value});
  return follow_refs(own, {clone.default_branch}, followed_refs(clone.git, {clone.default_branch}),
                     fs::path{own.place().git_directory} / "andon-refs");
}

bool is_own_repository(core::WorkPlace const& place) {
  return place.git_directory == place.common_directory &&
         place.git_directory == (fs::path{place.directory} / ".git").native();
}

bool is_recorded_tree(core::WorkPlace const& recorded, core::WorkPlace const& now) {
  bool const is_same_directory =
      recorded.directory == now.directory && recorded.directory_id == now.directory_id;
  return recorded == now || (is_same_directory && is_own_repository(now));
}

}  // namespace andon::runner
