#include "store/attachments/attachment_directory.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <sys/stat.h>

#include "os/files/beneath.hpp"
#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDirectory = "attachments";

StoreError failure_of(os::SystemError const& error) {
  using Kind = StoreError::Kind;
  switch (error.number()) {
    case ENOSPC:
    case EFBIG:
    case EDQUOT: return {Kind::no_space, error.what()};
    case EROFS:
    case EACCES: return {Kind::read_only, error.what()};
    default: return {Kind::other, error.what()};
  }
}

/// The numbers of tasks that have a directory, from that one on, in order.
std::vector<core::TaskId> tasks_in(fs::path const& directory, core::TaskId from) {
  std::vector<core::TaskId> out;
  std::error_code failed;
  for (fs::directory_iterator each{directory, failed}, end; !failed && each != end; each.increment(failed)) {
    auto const name = each->path().filename().native();
    std::int64_t id = 0;
    auto const parsed = std::from_chars(name.data(), name.data() + name.size(), id);
    if (parsed.ec == std::errc{} && parsed.ptr == name.data() + name.size() && id >= from)
      out.emplace_back(id);
  }
  std::ranges::sort(out);
  return out;
}

/// The time at which the directory of an attachment got its file; the present for one that is gone.
core::Instant written_at(fs::path const& directory, core::Instant otherwise) {
  struct stat about{};
  if (::lstat(directory.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return otherwise;
  return core::Instant{std::chrono::seconds{about.st_mtim.tv_sec}};
}

void add_places(fs::path const& directory, core::TaskId task, core::Instant before,
                std::vector<AttachmentPlace>& out) {
  std::error_code failed;
  for (fs::directory_iterator each{directory, failed}, end; !failed && each != end; each.increment(failed)) {
    if (written_at(each->path(), before) >= before) continue;
    std::error_code unreadable;
    for (fs::directory_iterator file{each->path(), unreadable}; !unreadable && file != end;
         file.increment(unreadable))
      out.push_back({{}, task, each->path().filename().native(), file->path().filename().native()});
  }
}

}  // namespace

fs::path AttachmentDirectory::path_of(AttachmentPlace const& place) const {
  bool const is_in_board = kind_ == Root::board || !place.board.empty();
  auto const base = is_in_board ? fs::path{kDirectory} : fs::path{kDirectory} / std::to_string(place.task);
  return base / place.id / place.name;
}

void AttachmentDirectory::put(AttachmentPlace const& place, std::string_view content) try {
  os::write_new_beneath(base_of(place), path_of(place), content);
} catch (os::SystemError const& error) {
  throw failure_of(error);
}

std::optional<std::string> AttachmentDirectory::get(AttachmentPlace const& place, std::size_t most) try {
  return os::read_beneath(base_of(place), path_of(place), most);
} catch (os::SystemError const& error) {
  if (error.number() == EFBIG) return std::nullopt;
  throw failure_of(error);
}

void AttachmentDirectory::remove(AttachmentPlace const& place) try {
  os::remove_beneath(base_of(place), path_of(place));
} catch (os::SystemError const& error) {
  throw failure_of(error);
}

AttachmentFiles::OldPlaces AttachmentDirectory::old_places(core::TaskId from, core::Instant before,
                                                           std::size_t most) {
  if (kind_ == Root::board) return {};
  auto const directory = root_ / kDirectory;
  OldPlaces out;
  auto tasks = tasks_in(directory, from);
  if (tasks.size() > most) {
    out.next = tasks[most];
    tasks.resize(most);
  }
  for (auto const task : tasks) add_places(directory / std::to_string(task), task, before, out.places);
  return out;
}

}  // namespace andon::store
