#include "store/markdown/files/board_folder.hpp"

#include <cerrno>
#include <sys/stat.h>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::markdown {
namespace {

constexpr mode_t kFolderMode = 0750;

std::filesystem::path made(std::filesystem::path const& path) {
  if (::mkdir(path.c_str(), kFolderMode) != 0 && errno != EEXIST)
    os::fail("make the directory", path.native());
  return path;
}

std::filesystem::path own_folder(std::filesystem::path const& root) {
  auto path = root / ".andon";
  bool const is_new = ::mkdir(path.c_str(), kFolderMode) == 0;
  if (!is_new && errno != EEXIST) os::fail("make the directory", path.native());
  struct stat about{};
  if (::lstat(path.c_str(), &about) != 0 || !S_ISDIR(about.st_mode))
    throw StoreError{StoreError::Kind::unusable,
                     path.native() + " is not a directory of this board; remove it"};
  if (is_new) os::write_file(path / ".gitignore", "*\n", 0644);
  made(path / "new");
  return path;
}

bool is_same(std::optional<FileStatus> const& there, Directory const& opened) {
  return there && there->stamp.inode == opened.look().stamp.inode;
}

}  // namespace

std::filesystem::path tasks_path(std::string const& name) {
  auto const path = (std::filesystem::path{name} / "").lexically_normal().parent_path();
  return path.empty() ? "." : path;
}

BoardFolder::BoardFolder(std::filesystem::path const& root, Access access, Calls calls)
    : root_(root, std::move(calls)) {
  if (access == Access::read) return;
  own_.emplace(root_, root_.on_its_thread([root] { return own_folder(root).filename(); }));
  fresh_.emplace(*own_, "new");
  record_ = std::make_unique<ReadingRecord>(*own_);
}

void BoardFolder::open_tasks(std::string const& name) {
  auto const path = tasks_path(name);
  if (tasks_ && tasks_name_ == name && is_same(root_.look(path.native()), *tasks_)) return;
  if (path.is_absolute() || *path.begin() == "..")
    throw StoreError{StoreError::Kind::unusable,
                     "invalid config: tasks_dir \"" + name + "\" is outside the board"};
  tasks_.reset();
  if (!root_.look(path)) {
    if (!is_to_write()) return;
    make_tasks(path);
  }
  tasks_.emplace(root_, path);
  tasks_name_ = name;
}

/// Opens every directory on the way before it creates the next one, so that no link leads out of the board.
void BoardFolder::make_tasks(std::filesystem::path const& path) const {
  std::filesystem::path way;
  for (auto const& name : path) {
    way /= name;
    if (!root_.look(way.native())) root_.on_its_thread([path = root_.path() / way] { made(path); });
    Directory const inside(root_, way);
  }
}

bool BoardFolder::is_in_place() const {
  auto const inode_of_path = root_.on_its_thread([path = root_.path()] {
    struct stat about{};
    return ::lstat(path.c_str(), &about) == 0 ? std::optional{about.st_ino} : std::nullopt;
  });
  return inode_of_path && static_cast<std::int64_t>(*inode_of_path) == root_.look().stamp.inode &&
         is_same(root_.look(".andon"), own()) && is_same(own().look("new"), fresh()) &&
         (!tasks_ || is_same(root_.look(tasks_path(tasks_name_)), *tasks_));
}

}  // namespace andon::store::markdown
