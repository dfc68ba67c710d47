#include "runner/setup/setup_cache.hpp"

#include <algorithm>

#include "os/digest.hpp"
#include "os/files/beneath.hpp"
#include "os/files/file.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/log.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestKeyFile = 64U << 20U;
constexpr core::Duration kLongestCopy = std::chrono::minutes{5};
/// Results of so many fingerprints stay: of the default branch, and of branches that change lock files.
constexpr std::size_t kMostKept = 3;

/// Copies a directory as a whole, with links as links. On file systems that can, the copy shares its blocks
/// until one of both is written.
bool copy_directory(fs::path const& from, fs::path const& to) try {
  auto const copied =
      os::capture({.program = "/bin/cp",
                   .argv = {"cp", "-a", "--reflink=auto", "-T", "--", from.native(), to.native()},
                   .env = {"LC_ALL=C"},
                   .cwd = "/"},
                  {.time = kLongestCopy});
  return !copied.timed_out && copied.status.code == 0;
} catch (os::SystemError const&) {
  return false;
}

void remove_quietly(fs::path const& directory) {
  std::error_code ignored;
  fs::remove_all(directory, ignored);
}

}  // namespace

std::string setup_fingerprint(TreeSetup const& setup, fs::path const& tree) {
  std::string text;
  auto const add = [&](std::string_view part) {
    text += std::to_string(part.size()) + ":" + std::string{part};
  };
  for (auto const& command : setup.commands) {
    for (auto const& word : command) add(word);
    text += ";";
  }
  if (!setup.cache) return os::hex(os::sha256(text));
  for (auto const& directory : setup.cache->keep) add(directory);
  for (auto const& file : setup.cache->key) {
    auto const content = os::read_beneath(tree, file, kLargestKeyFile);
    add(file);
    add(content ? os::hex(os::sha256(*content)) : "");
  }
  return os::hex(os::sha256(text));
}

bool SetupCache::is_complete(fs::path const& tree) const {
  return !setup_.cache || std::ranges::all_of(setup_.cache->keep, [&](std::string const& directory) {
    return os::is_directory_beneath(tree, directory);
  });
}

bool SetupCache::has(std::string const& fingerprint) const {
  std::error_code none;
  return setup_.cache && fs::is_directory(fs::path{setup_.kept} / fingerprint, none);
}

bool SetupCache::restore(std::string const& fingerprint, fs::path const& tree) const {
  if (!has(fingerprint)) return false;
  auto const kept = fs::path{setup_.kept} / fingerprint;
  std::error_code none;
  for (std::size_t i = 0; i < setup_.cache->keep.size(); ++i) {
    auto const target = tree / setup_.cache->keep[i];
    auto const parent = setup_.cache->keep[i].find('/') == std::string::npos
                            ? fs::path{"."}
                            : fs::path{setup_.cache->keep[i]}.parent_path();
    if (!os::is_directory_beneath(tree, parent)) return false;
    remove_quietly(target);
    if (!copy_directory(kept / std::to_string(i), target)) {
      remove_quietly(target);
      return false;
    }
  }
  fs::last_write_time(kept, fs::file_time_type::clock::now(), none);
  return true;
}

void SetupCache::keep(std::string const& fingerprint, fs::path const& tree) const {
  if (!setup_.cache || !is_complete(tree)) return;
  fs::path const folder{setup_.kept};
  std::error_code none;
  if (fs::exists(folder / fingerprint, none)) return;
  auto const part = folder / ("." + os::random_hex(6));
  os::make_private_directory(part);
  bool good = true;
  for (std::size_t i = 0; good && i < setup_.cache->keep.size(); ++i)
    good = copy_directory(tree / setup_.cache->keep[i], part / std::to_string(i));
  if (good) fs::rename(part, folder / fingerprint, none);
  if (!good || none) remove_quietly(part);
  if (!good) os::log(os::Level::warning, "the results of the set-up could not be kept in " + folder.native());
  remove_old();
}

/// Removes all but the last used results, and copies that a crash left unfinished.
void SetupCache::remove_old() const {
  std::error_code trouble;
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  for (fs::directory_iterator entry{setup_.kept, trouble}, end; !trouble && entry != end;
       entry.increment(trouble)) {
    std::error_code gone;
    kept.emplace_back(fs::last_write_time(entry->path(), gone), entry->path());
  }
  std::ranges::sort(kept, std::ranges::greater{});
  for (std::size_t i = kMostKept; i < kept.size(); ++i) remove_quietly(kept[i].second);
}

}  // namespace andon::runner
