#include "runner/git/work_place.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/files/file.hpp"
#include "os/files/plain_path.hpp"
#include "os/system_error.hpp"

// A linked work tree has a file `.git` with the line `gitdir: PATH`. That git directory has a file
// `commondir` with the path of the directory that all work trees share. In the main work tree, the shared
// directory is the directory `.git`. An agent may write all of these. So each is read once, when the place is
// made or found. Afterwards the place must remain the three recorded directories.

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using Fault = std::unexpected<std::string>;

constexpr std::size_t kLongestPointer = 4096;
constexpr std::string_view kPointer = "gitdir: ";
/// The files that git opens first. If one were a pipe, git would wait for ever.
constexpr std::array kReadFirst{
    "HEAD",         "config",          "config.worktree",      "index",
    "commondir",    "gitdir",          "packed-refs",          "shallow",
    "info/exclude", "info/attributes", "info/sparse-checkout", "objects/info/alternates",
    "logs/HEAD"};

std::string named(fs::path const& path, std::string_view what) {
  return path.native() + " " + std::string{what};
}

std::string identity_of(struct stat const& about) {
  return std::to_string(about.st_dev) + ":" + std::to_string(about.st_ino);
}

/// Opens a directory by a path without links.
std::expected<os::Descriptor, std::string> open_plain(fs::path const& directory) {
  auto opened = os::open_plain(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY, os::Reach::anywhere);
  if (opened) return opened;
  if (errno == ELOOP) return Fault{named(directory, "is reached through a link")};
  if (errno == ENOTDIR) return Fault{named(directory, "is no directory")};
  return Fault{os::SystemError("open", directory.native(), errno).what()};
}

std::expected<std::string, std::string> identity_of(os::Descriptor const& directory) {
  struct stat about{};
  if (::fstat(directory.get(), &about) != 0) os::fail("look at a directory");
  return identity_of(about);
}

/// The single line of a small file.
std::optional<std::string> line_of(fs::path const& file) try {
  auto text = os::read_file_if_there(file, kLongestPointer);
  while (text && (text->ends_with('\n') || text->ends_with('\r'))) text->pop_back();
  return text;
} catch (os::SystemError const&) {
  return std::nullopt;
}

/// The target of a path in a file of that directory.
std::expected<fs::path, std::string> resolved(fs::path const& directory, std::string const& text) {
  std::error_code trouble;
  auto const path = fs::canonical(directory / text, trouble);
  if (trouble) return Fault{named(directory, "points to " + text + ", which is not there")};
  return path;
}

std::expected<fs::path, std::string> git_directory_of(fs::path const& top) {
  auto const git = top / ".git";
  struct stat about{};
  if (::stat(git.c_str(), &about) != 0) return Fault{named(top, "holds no repository")};
  if (S_ISDIR(about.st_mode)) return resolved(top, ".git");
  auto const line = S_ISREG(about.st_mode) ? line_of(git) : std::nullopt;
  if (!line || !line->starts_with(kPointer)) return Fault{named(git, "names no git directory")};
  return resolved(top, line->substr(kPointer.size()));
}

/// The directory shared by all work trees. Only a git directory that a `.git` file points to may name another
/// one.
std::expected<fs::path, std::string> common_directory_of(fs::path const& top, fs::path const& git_directory) {
  struct stat about{};
  if (::lstat((git_directory / "commondir").c_str(), &about) != 0) return git_directory;
  auto const line = S_ISREG(about.st_mode) ? line_of(git_directory / "commondir") : std::nullopt;
  bool const is_own = ::stat((top / ".git").c_str(), &about) == 0 && S_ISDIR(about.st_mode);
  if (!line || is_own) return Fault{named(git_directory / "commondir", "has no meaning there")};
  return resolved(git_directory, *line);
}

/// Finds a file that git must not open. Links are allowed in a person's repository, but not in the part of
/// one work tree.
std::optional<std::string> odd_file_in(fs::path const& git_directory, bool may_link) {
  for (auto const* name : kReadFirst) {
    auto const file = git_directory / name;
    struct stat about{};
    if ((may_link ? ::stat(file.c_str(), &about) : ::lstat(file.c_str(), &about)) != 0) continue;
    if (!S_ISREG(about.st_mode)) return named(file, "is no file");
  }
  return std::nullopt;
}

std::optional<std::string> change_of(std::string const& path, std::string const& id) {
  auto const now = directory_identity(path);
  if (!now) return now.error();
  if (*now == id) return std::nullopt;
  return path + " is not the directory that was there when the work began";
}

}  // namespace

std::expected<std::string, std::string> directory_identity(fs::path const& directory) {
  auto const opened = open_plain(directory);
  if (!opened) return Fault{opened.error()};
  return identity_of(*opened);
}

fs::path top_above(fs::path const& directory) {
  std::error_code error;
  auto place = fs::canonical(directory, error);
  if (error) return {};
  while (!fs::exists(fs::symlink_status(place / ".git", error))) {
    if (!place.has_relative_path()) return {};
    place = place.parent_path();
  }
  return place;
}

std::expected<core::WorkPlace, std::string> find_work_place(fs::path const& top) {
  std::error_code trouble;
  auto const directory = fs::canonical(top, trouble);
  if (trouble) return Fault{named(top, "is not there")};
  auto const git = git_directory_of(directory);
  if (!git) return Fault{git.error()};
  auto const common = common_directory_of(directory, *git);
  if (!common) return Fault{common.error()};
  core::WorkPlace place{directory, *git, *common, {}, {}, {}};
  for (auto const& [path, id] : {std::pair{&place.directory, &place.directory_id},
                                 std::pair{&place.git_directory, &place.git_directory_id},
                                 std::pair{&place.common_directory, &place.common_directory_id}}) {
    auto found = directory_identity(*path);
    if (!found) return Fault{found.error()};
    *id = *std::move(found);
  }
  return place;
}

std::expected<os::Descriptor, std::string> enter(core::WorkPlace const& place) {
  auto opened = open_plain(place.directory);
  if (!opened) return opened;
  if (identity_of(*opened) != place.directory_id)
    return Fault{place.directory + " is not the directory that was there when the work began"};
  if (auto change = change_of(place.git_directory, place.git_directory_id)) return Fault{*std::move(change)};
  if (auto change = change_of(place.common_directory, place.common_directory_id))
    return Fault{*std::move(change)};
  bool const is_main = place.git_directory == place.common_directory;
  fs::path const elsewhere = fs::path{place.git_directory} / "commondir";
  if (is_main && fs::exists(fs::symlink_status(elsewhere)))
    return Fault{named(elsewhere, "has no meaning there")};
  if (auto odd = odd_file_in(place.git_directory, is_main)) return Fault{*std::move(odd)};
  if (auto odd = is_main ? std::nullopt : odd_file_in(place.common_directory, true))
    return Fault{*std::move(odd)};
  return opened;
}

std::expected<os::Descriptor, std::string> enter_folder(core::WorkPlace const& place,
                                                        std::string const& folder) {
  auto top = enter(place);
  if (!top || folder.empty()) return top;
  auto opened = os::open_plain(top->get(), folder, O_RDONLY | O_DIRECTORY, os::Reach::beneath);
  if (opened) return opened;
  auto const what = "the folder " + folder + " of " + place.directory;
  if (errno == ELOOP) return Fault{what + " is reached through a link"};
  if (errno == ENOENT || errno == ENOTDIR)
    return Fault{what + " is not there; commit it, or change \"folder\" of the board"};
  return Fault{os::SystemError("open", what, errno).what()};
}

}  // namespace andon::runner
