// Git moves an object from loose to packed, and from pack to pack: it writes the new file first and removes
// the old one later. So the loose objects are shared before the packs, and the packs again until no new one
// came while they were shared. Git sees a pack when it has an index, so the index comes last.
//
// A file or directory that vanishes was moved so. Any other one that cannot be read is an error, since git
// would then miss objects.

#include "runner/objects/shared_objects.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <set>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "os/files/descriptor.hpp"
#include "os/files/file.hpp"
#include "os/files/plain_path.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

constexpr std::size_t kLargestAlternates = 1U << 20U;
constexpr std::size_t kMostAlternates = 20;
constexpr std::size_t kCopiedAtOnce = 1U << 20U;
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool is_hex(std::string_view text) { return text.find_first_not_of(kHexDigits) == std::string_view::npos; }

bool has_vanished(std::error_code const& trouble) {
  return trouble.value() == ENOENT || trouble.value() == ENOTDIR;
}

/// An opened directory of the other repository. No path to it or below it leads through a link.
struct Folder {
  fs::path name;
  os::Descriptor handle;  ///< none when there is no such directory
};

Folder opened(fs::path name, int handle) {
  if (handle < 0 && !has_vanished({errno, std::generic_category()})) os::fail("open", name.native());
  return {std::move(name), os::Descriptor{handle}};
}

/// Opens a directory by a path without links.
Folder open_folder(fs::path const& path) {
  return opened(path, os::open_plain(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, os::Reach::anywhere).release());
}

Folder open_folder(Folder const& in, std::string const& name) {
  if (!in.handle) return {in.name / name, {}};
  constexpr int kHow = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
  struct stat about{};
  bool const is_link =
      ::fstatat(in.handle.get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode);
  if (is_link) throw os::SystemError("follow the link", (in.name / name).native(), ELOOP);
  return opened(in.name / name, ::openat(in.handle.get(), name.c_str(), kHow));
}

/// The names in a directory; none when there is no such directory.
Names names_in(fs::path const& directory) {
  Names out;
  std::error_code trouble;
  for (fs::directory_iterator entry{directory, trouble}, end; !trouble && entry != end;
       entry.increment(trouble))
    out.insert(entry->path().filename().native());
  if (trouble && !has_vanished(trouble))
    throw os::SystemError("read the directory", directory.native(), trouble.value());
  return out;
}

Names names_in(Folder const& folder) {
  return folder.handle ? names_in("/proc/self/fd/" + std::to_string(folder.handle.get())) : Names{};
}

/// The next bytes of a file; none at its end.
std::string_view read_some(os::Descriptor const& file, std::string& buffer, fs::path const& name) {
  while (true) {
    auto const n = ::read(file.get(), buffer.data(), buffer.size());
    if (n >= 0) return std::string_view{buffer}.substr(0, static_cast<std::size_t>(n));
    if (errno != EINTR) os::fail("read", name.native());
  }
}

/// Writes all of a file to a new one, which is on the disk then.
void copy_content(os::Descriptor const& from, fs::path const& name, fs::path const& to) {
  os::Descriptor const made{::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0444)};
  if (!made) os::fail("create", to.native());
  std::string buffer(kCopiedAtOnce, '\0');
  for (auto some = read_some(from, buffer, name); !some.empty(); some = read_some(from, buffer, name))
    os::write_all(made, some, to.native());
  if (::fsync(made.get()) != 0) os::fail("write to disk", to.native());
}

/// Copies a file under its name as a whole. False when it is gone, or is no file.
bool copy_object(Folder const& from, std::string const& name, fs::path const& to) {
  constexpr int kHow = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
  auto const shown = from.name / name;
  os::Descriptor const file{::openat(from.handle.get(), name.c_str(), kHow)};
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return false;
  struct stat about{};
  if (!file || ::fstat(file.get(), &about) != 0) os::fail("open", shown.native());
  if (!S_ISREG(about.st_mode)) return false;
  auto const unfinished = to.parent_path() / ("tmp_obj_" + to.filename().native());
  ::unlink(unfinished.c_str());  // what a killed process left
  try {
    copy_content(file, shown, unfinished);
    if (::rename(unfinished.c_str(), to.c_str()) != 0) os::fail("rename", unfinished.native());
  } catch (...) {
    ::unlink(unfinished.c_str());
    throw;
  }
  return true;
}

/// Links a file; copies it where it cannot be linked. False when it is gone.
bool link_object(Folder const& from, std::string const& name, fs::path const& to) {
  if (::linkat(from.handle.get(), name.c_str(), AT_FDCWD, to.c_str(), 0) == 0) return true;
  switch (errno) {
    case EEXIST: return true;
    case ENOENT: return false;
    case EXDEV:
    case EPERM:
    case EMLINK:
    case EACCES: return copy_object(from, name, to);
    default: throw os::SystemError("link", (from.name / name).native(), errno);
  }
}

/// Shares a file, unless it is there. A symbolic link is refused, as by `git clone`: it may lead to a file
/// that an agent must not read. False when `to` does not have it: `from` is gone, or is no file.
bool share(Folder const& from, std::string const& name, fs::path const& to) {
  struct stat about{};
  if (::lstat(to.c_str(), &about) == 0) return true;
  if (::fstatat(from.handle.get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return false;
    os::fail("look at", (from.name / name).native());
  }
  if (S_ISLNK(about.st_mode))
    throw os::SystemError(
        "follow a link among the objects (replace it: git repack -ad):", (from.name / name).native(), ELOOP);
  return S_ISREG(about.st_mode) && link_object(from, name, to);
}

void share_loose(Folder const& from, fs::path const& to) {
  for (auto const& folder : names_in(from)) {
    if (folder.size() != 2 || !is_hex(folder)) continue;
    auto const objects = open_folder(from, folder);
    auto const names = names_in(objects);
    if (names.empty()) continue;
    auto const known = names_in(to / folder);
    if (known.empty()) os::make_private_directory(to / folder);
    for (auto const& name : names)
      if (is_hex(name) && !known.contains(name)) share(objects, name, to / folder / name);
  }
}

/// Shares a pack. One that git removes meanwhile leaves nothing.
void share_pack(Folder const& from, fs::path const& to, std::string const& index) {
  auto const with = [&](char const* extension) {
    return fs::path{index}.replace_extension(extension).native();
  };
  if (!share(from, with(".pack"), to / with(".pack"))) return;
  share(from, with(".rev"), to / with(".rev"));
  if (share(from, index, to / index)) return;
  for (auto const* extension : {".pack", ".rev"}) fs::remove(to / with(extension));
}

/// The indexes of the packs in a directory.
Names indexes_in(Folder const& folder) {
  auto out = names_in(folder);
  std::erase_if(out, [](std::string const& name) {
    return !name.starts_with("pack-") || fs::path{name}.extension() != ".idx";
  });
  return out;
}

void share_all_packs(Folder const& from, fs::path const& to, int most_passes) {
  os::make_private_directory(to);
  Names shared;
  for (int pass = 0; pass < most_passes; ++pass) {
    auto const names = indexes_in(from);
    if (std::ranges::includes(shared, names)) return;
    for (auto const& name : names) share_pack(from, to, name);
    shared.insert(names.begin(), names.end());
  }
  throw os::SystemError("share the objects in " + from.name.native(),
                        "because they are repacked all the time; try again later", EAGAIN);
}

/// The object directories that the alternates of one name. Git skips those that are missing.
std::vector<fs::path> alternates_of(fs::path const& objects) {
  std::vector<fs::path> out;
  auto const text = os::read_file_if_there(objects / "info" / "alternates", kLargestAlternates).value_or("");
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    auto const line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty() || line.starts_with('#')) continue;
    std::error_code trouble;
    auto other = fs::canonical(objects / line, trouble);
    if (!trouble) out.push_back(std::move(other));
    if (trouble && !has_vanished(trouble)) throw os::SystemError("find the alternate", line, trouble.value());
  }
  return out;
}

/// The object directories that belong to a repository: its own, and those that its alternates name. Each is
/// its own or one of `elsewhere`.
std::vector<fs::path> object_directories(fs::path const& objects, std::vector<std::string> const& elsewhere) {
  std::error_code trouble;
  std::vector<fs::path> out{fs::canonical(objects, trouble)};
  if (trouble) throw os::SystemError("find", objects.native(), trouble.value());
  auto const check = [&](fs::path const& found) {
    if (found != objects && std::ranges::find(elsewhere, found.native()) == elsewhere.end())
      throw os::SystemError("share the objects of another repository,", found.native(), EACCES);
  };
  check(out.front());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i > kMostAlternates) throw os::SystemError("follow the alternates of", objects.native(), E2BIG);
    for (auto& other : alternates_of(out[i])) {
      check(other);
      if (std::ranges::find(out, other) == out.end()) out.push_back(std::move(other));
    }
  }
  return out;
}

}  // namespace

void share_objects(fs::path const& from, fs::path const& to, std::vector<std::string> const& elsewhere,
                   int most_passes) {
  for (auto const& directory : object_directories(from, elsewhere)) {
    auto const objects = open_folder(directory);
    share_loose(objects, to);
    share_all_packs(open_folder(objects, "pack"), to / "pack", most_passes);
  }
}

}  // namespace andon::runner
