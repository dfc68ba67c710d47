// Git moves an object from loose to packed, and from pack to pack: it writes the new file first and removes
// the old one later. So the loose objects are shared before the packs, and the packs again until no new one
// came while they were shared. Git sees a pack when it has an index, so the index comes last.

#include "runner/worktrees/shared_objects.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

constexpr std::size_t kLargestAlternates = 1U << 20U;
constexpr int kMostAlternates = 20;
constexpr int kMostPasses = 100;
constexpr std::string_view kHexDigits = "0123456789abcdef";
/// The parts of a pack, in the order in which they are shared.
constexpr std::array<std::string_view, 3> kPackParts{".pack", ".rev", ".idx"};

bool is_hex(std::string_view text) { return text.find_first_not_of(kHexDigits) == std::string_view::npos; }

Names names_in(fs::path const& directory) {
  Names out;
  std::error_code gone;
  for (fs::directory_iterator entry{directory, gone}, end; !gone && entry != end; entry.increment(gone))
    out.insert(entry->path().filename().native());
  return out;
}

/// Copies a file under its name as a whole.
void copy_object(fs::path const& from, fs::path const& to) {
  auto const unfinished = to.parent_path() / ("tmp_obj_" + to.filename().native());
  std::error_code trouble;
  fs::copy_file(from, unfinished, fs::copy_options::overwrite_existing, trouble);
  if (!trouble) fs::rename(unfinished, to, trouble);
  if (!trouble) return;
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  if (trouble.value() != ENOENT) throw os::SystemError("copy", from.native(), trouble.value());
}

/// Shares a file, unless it is there or gone.
void share(fs::path const& from, fs::path const& to) {
  if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0) == 0) return;
  switch (errno) {
    case EEXIST:
    case ENOENT: return;
    case EXDEV:
    case EPERM:
    case EMLINK:
    case EACCES: return copy_object(from, to);
    default: throw os::SystemError("link", from.native(), errno);
  }
}

void share_loose(fs::path const& from, fs::path const& to) {
  for (auto const& folder : names_in(from)) {
    if (folder.size() != 2 || !is_hex(folder)) continue;
    auto const known = names_in(to / folder);
    if (known.empty()) os::make_private_directory(to / folder);
    for (auto const& name : names_in(from / folder))
      if (is_hex(name) && !known.contains(name)) share(from / folder / name, to / folder / name);
  }
}

/// Shares the packs whose index is in `names`.
void share_packs(fs::path const& from, fs::path const& to, Names const& names) {
  for (auto const& name : names) {
    auto const part = fs::path{name}.extension().native();
    if (part != kPackParts.back() || !name.starts_with("pack-")) continue;
    for (auto const extension : kPackParts) {
      auto const file = fs::path{name}.replace_extension(extension);
      share(from / file, to / file);
    }
  }
}

void share_all_packs(fs::path const& from, fs::path const& to) {
  os::make_private_directory(to);
  Names shared;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    auto const names = names_in(from);
    if (std::ranges::includes(shared, names)) return;
    share_packs(from, to, names);
    shared.insert(names.begin(), names.end());
  }
}

/// The object directories that belong to a repository: its own, and those that its alternates name.
std::vector<fs::path> object_directories(fs::path const& objects) {
  std::vector<fs::path> out{objects};
  for (std::size_t i = 0; i < out.size() && out.size() <= kMostAlternates; ++i) {
    auto const at = out[i];
    for (auto const& line : os::read_lines(at / "info" / "alternates", kLargestAlternates)) {
      if (line.starts_with('#')) continue;
      std::error_code gone;
      auto const other = fs::canonical(at / line, gone);
      if (!gone && std::ranges::find(out, other) == out.end()) out.push_back(other);
    }
  }
  return out;
}

}  // namespace

void share_objects(fs::path const& from, fs::path const& to) {
  for (auto const& objects : object_directories(from)) {
    share_loose(objects, to);
    share_all_packs(objects / "pack", to / "pack");
  }
}

}  // namespace andon::runner
