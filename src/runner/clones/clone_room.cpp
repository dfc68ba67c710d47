#include "runner/clones/clone_room.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <vector>

#include "os/files/disk_use.hpp"
#include "os/files/file.hpp"
#include "os/processes/log.hpp"
#include "runner/runs/borrowers.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinished = "new-";
constexpr std::chrono::minutes kRecent{1};
constexpr std::chrono::hours kLongestMaking{24};  ///< of a work tree
constexpr std::size_t kLongestPath = 4096;

struct Room {
  fs::path clone;
  fs::file_time_type used;
  std::int64_t bytes = 0;
};

fs::path use_file(fs::path const& clone) { return clone / "used"; }

/// True when a linked work tree of a task belongs to the clone, as earlier versions made it. The tree in
/// which work lands is Andon's own, and is made again.
bool has_work_trees(fs::path const& clone) {
  std::error_code trouble;
  for (fs::directory_iterator entry{clone / "repo/.git/worktrees", trouble}, end; entry != end;
       entry.increment(trouble)) {
    auto const named = os::read_file_if_there(entry->path() / "gitdir", kLongestPath).value_or("");
    fs::path const tree = fs::path{named.substr(0, named.find('\n'))}.parent_path();
    if (tree.filename() != "landing" && fs::exists(tree, trouble)) return true;
  }
  return false;
}

std::vector<Room> rooms_in(fs::path const& clones) {
  std::vector<Room> out;
  std::error_code trouble;
  for (fs::directory_iterator entry{clones, trouble}, end; entry != end; entry.increment(trouble)) {
    if (!entry->is_directory(trouble)) continue;
    auto const& clone = entry->path();
    if (!clone.filename().native().starts_with(kUnfinished)) {
      std::error_code none;
      out.push_back({clone, fs::last_write_time(use_file(clone), none), os::bytes_on_disk(clone)});
    }
  }
  std::ranges::sort(out, {}, &Room::used);
  return out;
}

/// Removes what a killed process left of a clone.
void remove_unfinished(fs::path const& clones) {
  std::error_code trouble;
  for (fs::directory_iterator entry{clones, trouble}, end; entry != end; entry.increment(trouble)) {
    auto const name = entry->path().filename().native();
    if (!name.starts_with(kUnfinished)) continue;
    auto const turn = os::FileLock::try_take(fetch_lock(clones / name.substr(kUnfinished.size())));
    std::error_code ignored;
    if (turn) fs::remove_all(entry->path(), ignored);
  }
}

/// Removes a clone if nothing needs it.
bool remove(Room const& room, fs::file_time_type now) {
  if (room.used + kRecent > now) return false;
  auto const fetching = os::FileLock::try_take(fetch_lock(room.clone));
  auto const landing = os::FileLock::try_take(landing_lock(room.clone));
  if (!fetching || !landing || has_work_trees(room.clone) || has_borrowers(room.clone, now - kLongestMaking))
    return false;
  // A clone that is half removed must not have its name.
  auto const gone = unfinished_clone(room.clone);
  std::error_code trouble;
  fs::remove_all(gone, trouble);
  fs::rename(room.clone, gone, trouble);
  if (trouble) return false;
  os::log(os::Level::info, "removing the clone " + room.clone.native() + ", which nothing uses");
  fs::remove_all(gone, trouble);
  return true;
}

}  // namespace

fs::path fetch_lock(fs::path const& clone) { return clone.native() + ".lock"; }

fs::path landing_lock(fs::path const& clone) { return clone.native() + ".landing"; }

fs::path unfinished_clone(fs::path const& clone) {
  return clone.parent_path() / (std::string{kUnfinished} + clone.filename().native());
}

void note_use(fs::path const& clone) { os::write_file(use_file(clone), ""); }

std::optional<std::string> make_room(fs::path const& clones, fs::path const& kept, std::size_t more,
                                     CloneLimits const& limits) {
  remove_unfinished(clones);
  auto const here = clones / "now";  // its time is the time of the file system
  os::write_file(here, "");
  auto const now = fs::last_write_time(here);
  auto rooms = rooms_in(clones);
  std::int64_t bytes = os::bytes_on_disk(unfinished_clone(kept));
  for (auto const& room : rooms) bytes += room.bytes;
  auto count = rooms.size() + more;
  for (auto const& room : rooms) {
    if (count <= limits.clones && bytes <= limits.bytes) break;
    if (room.clone == kept || !remove(room, now)) continue;
    bytes -= room.bytes;
    --count;
  }
  if (count > limits.clones)
    return "there are " + std::to_string(count - more) + " clones, at most " + std::to_string(limits.clones) +
           " are kept, and all are in use; remove work trees with: andon work clean";
  if (bytes > limits.bytes)
    return "the clones take " + std::to_string(bytes >> 20) + " MiB, more than the " +
           std::to_string(limits.bytes >> 20) +
           " MiB they may, and all are in use; remove work trees with: andon work clean";
  return std::nullopt;
}

}  // namespace andon::runner
