// A clone gets a small pack with each fetch of work. The clone of a person's repository also shares its packs
// by hard links. After the person's next `git gc` the old packs are the clone's own, and hold the objects of
// the new ones once more. So own packs are joined into one, without the objects of all other packs:
//
//   too many        all but the largest, which is that of the first fetch, or the joined one
//   mostly copies   all, when those beside the largest take more than the shared ones and some slack
//
// A pack that has another name elsewhere is never joined: it costs no disk.

#include "runner/clones/clone_packs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <vector>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOwnPacks = 50;
constexpr std::int64_t kSlackBytes = std::int64_t{64} << 20U;
/// The parts of a pack in the order in which they are removed: git does not see a pack without an index.
constexpr std::array kRemovedParts{".idx", ".rev", ".pack"};

struct PackFile {
  fs::path file;
  std::int64_t bytes = 0;
  bool is_shared = false;
};
using PackFiles = std::vector<PackFile>;

/// The packs that git sees, the largest first. Those that git keeps for a reason of its own are not among
/// them.
PackFiles packs_in(fs::path const& directory) {
  PackFiles out;
  for (auto const& entry : fs::directory_iterator{directory}) {
    auto file = entry.path();
    if (file.extension() != ".idx") continue;
    auto const has = [&](char const* extension) {
      return fs::exists(fs::path{file}.replace_extension(extension));
    };
    if (has(".keep") || has(".promisor")) continue;
    file.replace_extension(".pack");
    struct stat about{};
    if (::stat(file.c_str(), &about) == 0) out.push_back({file, about.st_size, about.st_nlink > 1});
  }
  std::ranges::sort(out, std::greater{}, &PackFile::bytes);
  return out;
}

std::int64_t bytes_of(PackFiles const& packs) {
  std::int64_t out = 0;
  for (auto const& pack : packs) out += pack.bytes;
  return out;
}

/// The packs to join; none when it is not worth it.
PackFiles packs_to_join(PackFiles const& packs) {
  PackFiles own;
  PackFiles shared;
  for (auto const& pack : packs) (pack.is_shared ? shared : own).push_back(pack);
  if (own.size() < 2) return {};
  PackFiles rest{own.begin() + 1, own.end()};
  if (!shared.empty() && bytes_of(rest) > bytes_of(shared) + kSlackBytes) return own;
  return own.size() > kMostOwnPacks ? rest : PackFiles{};
}

/// The input of `git pack-objects --stdin-packs`: the objects of some packs without those of the others.
std::string list_of(PackFiles const& packs, PackFiles const& joined) {
  std::string out;
  for (auto const& pack : packs) {
    bool const is_joined = std::ranges::find(joined, pack.file, &PackFile::file) != joined.end();
    out += (is_joined ? "" : "^") + pack.file.filename().native() + "\n";
  }
  return out;
}

/// Removes what git left that was killed. Nothing else makes packs there while the fetch lock is held.
void remove_unfinished_packs(fs::path const& directory) {
  std::vector<fs::path> left;
  for (auto const& entry : fs::directory_iterator{directory})
    if (entry.path().filename().native().starts_with("tmp_")) left.push_back(entry.path());
  for (auto const& file : left) fs::remove(file);
}

void remove_pack(fs::path const& pack) {
  for (auto const* part : kRemovedParts) fs::remove(fs::path{pack}.replace_extension(part));
}

/// A sentence when the packs stay as they are.
std::string join(Git const& clone, fs::path const& directory, PackFiles const& joined, fs::path const& list) {
  os::Descriptor const input{::open(list.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!input) os::fail("open", list.native());
  auto const made = clone.run({"pack-objects", "--quiet", "--stdin-packs", "--delta-base-offset",
                               "--non-empty", (directory / "pack").native()},
                              {}, input.get());
  if (!made.good) return made.complaint;
  // There is no new pack when the others have all objects.
  auto const name = made.out.substr(0, made.out.find('\n'));
  auto const pack = directory / ("pack-" + name + ".pack");
  if (!name.empty() && !fs::exists(fs::path{pack}.replace_extension(".idx"))) return "git made no pack";
  os::sync_directory(directory);
  for (auto const& old : joined)
    if (old.file != pack) remove_pack(old.file);
  return {};
}

std::string untidy(Git const& clone, std::string const& why) {
  return "the packs of the clone " + clone.place().directory + " cannot be joined: " + shown_reason(why);
}

}  // namespace

std::string tidy_packs(Git const& clone, fs::path const& list) try {
  auto const directory = fs::path{clone.place().common_directory} / "objects" / "pack";
  if (!fs::exists(directory)) return {};
  remove_unfinished_packs(directory);
  if (auto const pruned = clone.run({"prune-packed", "--quiet"}); !pruned.good)
    return untidy(clone, pruned.complaint);
  auto const packs = packs_in(directory);
  auto const joined = packs_to_join(packs);
  if (joined.empty()) return {};
  os::write_passing_file(list, list_of(packs, joined));
  auto const trouble = join(clone, directory, joined, list);
  fs::remove(list);
  return trouble.empty() ? trouble : untidy(clone, trouble);
} catch (os::SystemError const& error) {
  return untidy(clone, error.what());
} catch (fs::filesystem_error const& error) {
  return untidy(clone, error.what());
}

}  // namespace andon::runner
