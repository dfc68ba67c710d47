#include "store/markdown/files/directory.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "store/markdown/files/task_name.hpp"

namespace andon::store::markdown {
namespace {

std::int64_t nanoseconds(timespec const& at) { return std::int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec; }

FileStatus look_of(struct stat const& about) {
  return {{about.st_size, nanoseconds(about.st_mtim), nanoseconds(about.st_ctim),
           static_cast<std::int64_t>(about.st_ino)},
          about.st_mode & 07777U,
          S_ISREG(about.st_mode)};
}

/// File systems that only this machine changes: ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ZFS. The numbers are
/// those of statfs(2).
constexpr std::array<std::uint32_t, 6> kLocal{0xEF53U,     0x58465342U, 0x9123683EU,
                                              0xF2F52010U, 0x01021994U, 0x2FC12FC1U};

/// Whether the error is that of a file system that does not support a flag of renameat2(2).
bool is_refused_flag(int error) { return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP; }

/// A directory entry of getdents64(2).
struct Entry64 {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

}  // namespace

std::int64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037U;
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return static_cast<std::int64_t>(hash);
}

std::int64_t tick_of(std::int64_t modified) {
  return kTick + (modified % 1'000'000'000 == 0 ? 2'000'000'000 : 0);
}

Directory::Directory(Directory const& parent, std::filesystem::path const& name)
    : path_(name == "." ? parent.path_ : parent.path_ / name),
      calls_(parent.calls_),
      handle_(on_its_thread([in = parent.handle_, name] {
        return std::make_shared<os::Descriptor const>(os::open_beneath(*in, name, O_RDONLY | O_DIRECTORY));
      })) {}

Directory::Directory(std::filesystem::path const& path, Calls calls)
    : path_(path), calls_(std::move(calls)), handle_(on_its_thread([path] {
        return std::make_shared<os::Descriptor const>(os::open_directory(path));
      })) {}

FileStatus Directory::look() const { return guarded(&Directory::look_here); }
std::optional<FileStatus> Directory::look(std::string const& name) const {
  return guarded(&Directory::look_at, name);
}
std::vector<std::optional<FileStatus>> Directory::look(std::vector<std::string> names) const {
  return guarded(&Directory::look_at_all, std::move(names));
}
void Directory::each_name(std::function<void(std::string_view, std::int64_t)> const& visit) const {
  for (auto const& [name, inode] : guarded(&Directory::entries_here))
    if (is_task_name(name)) visit(name, inode);
}
std::vector<std::string> Directory::names() const {
  std::vector<std::string> out;
  for (auto& [name, inode] : guarded(&Directory::entries_here))
    if (name != "." && name != "..") out.push_back(std::move(name));
  return out;
}
std::optional<Content> Directory::read(std::string const& name, std::size_t limit) const {
  return guarded(&Directory::read_here, name, limit);
}
void Directory::set_mode(std::string const& name, mode_t mode) const {
  guarded(&Directory::set_mode_here, name, mode);
}
void Directory::remove(std::string const& name) const { guarded(&Directory::remove_here, name); }
FileStatus Directory::write_new(std::string const& name, std::string_view text, mode_t mode) const {
  return guarded(&Directory::write_new_here, name, std::string{text}, mode);
}
void Directory::write_on(std::string const& name, std::int64_t at, std::string_view text) const {
  guarded(&Directory::write_on_here, name, at, std::string{text});
}
void Directory::cut(std::string const& name, std::int64_t size) const {
  guarded(&Directory::cut_here, name, size);
}
void Directory::move(std::string const& name, Directory const& to, std::string const& new_name) const {
  guarded(&Directory::move_here, name, to, new_name);
}
bool Directory::move_to_free(std::string const& name, Directory const& to,
                             std::string const& new_name) const {
  return guarded(&Directory::move_to_free_here, name, to, new_name);
}
Exchange Directory::exchange(std::string const& name, Directory const& with,
                             std::string const& its_name) const {
  return guarded(&Directory::exchange_here, name, with, its_name);
}
bool Directory::set_modified(std::int64_t at) const { return guarded(&Directory::set_modified_here, at); }
bool Directory::is_on_this_machine() const { return guarded(&Directory::is_on_this_machine_here); }
void Directory::sync() const { guarded(&Directory::sync_here); }

FileStatus Directory::look_here() const {
  struct stat about{};
  if (::fstat(handle_->get(), &about) != 0) os::fail("look at", path_.native());
  return look_of(about);
}

std::optional<FileStatus> Directory::look_at(std::string const& name) const {
  struct stat about{};
  if (::fstatat(handle_->get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0) return look_of(about);
  if (errno == ENOENT) return std::nullopt;
  os::fail("look at", (path_ / name).native());
}

std::vector<std::optional<FileStatus>> Directory::look_at_all(std::vector<std::string> const& names) const {
  std::vector<std::optional<FileStatus>> out;
  out.reserve(names.size());
  for (auto const& name : names) out.push_back(look_at(name));
  return out;
}

Directory::Entries Directory::entries_here() const {
  Entries out;
  os::Descriptor const own{::openat(handle_->get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!own) os::fail("list", path_.native());
  alignas(Entry64) std::array<char, 65'536> buffer;
  for (;;) {
    auto const n = ::syscall(SYS_getdents64, own.get(), buffer.data(), buffer.size());
    if (n < 0) os::fail("list", path_.native());
    if (n == 0) return out;
    for (long at = 0; at < n;) {
      auto const* entry = reinterpret_cast<Entry64 const*>(buffer.data() + at);
      out.emplace_back(&entry->name[0], static_cast<std::int64_t>(entry->inode));
      at += entry->length;
    }
  }
}

std::optional<Content> Directory::read_here(std::string const& name, std::size_t limit) const {
  os::Descriptor const file{
      ::openat(handle_->get(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)};
  if (!file && errno == ENOENT) return std::nullopt;
  if (!file) os::fail("open", (path_ / name).native());
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) os::fail("look at", (path_ / name).native());
  if (!S_ISREG(about.st_mode)) throw os::SystemError("read", (path_ / name).native(), EINVAL);
  auto const size = static_cast<std::size_t>(about.st_size);
  if (size > limit) throw os::SystemError("read", (path_ / name).native(), EFBIG);
  Content out{std::string(size + 1, '\0'), look_of(about)};
  std::size_t used = 0;
  do {
    auto const n = ::read(file.get(), out.text.data() + used, out.text.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) os::fail("read", (path_ / name).native());
    if (n == 0) break;
    used += static_cast<std::size_t>(n);
    if (used > limit) throw os::SystemError("read", (path_ / name).native(), EFBIG);
    if (used == out.text.size()) out.text.resize(used * 2);
  } while (used != size);
  out.text.resize(used);
  return out;
}

void Directory::set_mode_here(std::string const& name, mode_t mode) const {
  if (::fchmodat(handle_->get(), name.c_str(), mode, 0) != 0)
    os::fail("set the mode of", (path_ / name).native());
}

void Directory::remove_here(std::string const& name) const {
  if (::unlinkat(handle_->get(), name.c_str(), 0) != 0 && errno != ENOENT)
    os::fail("remove", (path_ / name).native());
}

FileStatus Directory::write_new_here(std::string const& name, std::string const& text, mode_t mode) const {
  os::Descriptor const file{
      ::openat(handle_->get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!file) os::fail("create", (path_ / name).native());
  os::write_all(file, text, (path_ / name).native());
  if (::fchmod(file.get(), mode) != 0) os::fail("set the mode of", (path_ / name).native());
  if (::fsync(file.get()) != 0) os::fail("write to disk", (path_ / name).native());
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) os::fail("look at", (path_ / name).native());
  return look_of(about);
}

void Directory::write_on_here(std::string const& name, std::int64_t at, std::string const& text) const {
  auto const path = (path_ / name).native();
  bool const is_new = !look_at(name);
  os::Descriptor const file{
      ::openat(handle_->get(), name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!file) os::fail("open", path);
  if (::lseek(file.get(), at, SEEK_SET) < 0) os::fail("write", path);
  os::write_all(file, text, path);
  if (::ftruncate(file.get(), at + static_cast<std::int64_t>(text.size())) != 0) os::fail("write", path);
  if (::fdatasync(file.get()) != 0) throw FailedSync("write to disk", path, errno);
  if (is_new) sync_here();
}

void Directory::cut_here(std::string const& name, std::int64_t size) const {
  os::Descriptor const file{::openat(handle_->get(), name.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!file && errno == ENOENT) return;
  if (!file || ::ftruncate(file.get(), size) != 0) os::fail("cut", (path_ / name).native());
}

void Directory::move_here(std::string const& name, Directory const& to, std::string const& new_name) const {
  if (::renameat(handle_->get(), name.c_str(), to.handle_->get(), new_name.c_str()) != 0)
    os::fail("replace", (to.path_ / new_name).native());
}

bool Directory::move_to_free_here(std::string const& name, Directory const& to,
                                  std::string const& new_name) const {
  if (::renameat2(handle_->get(), name.c_str(), to.handle_->get(), new_name.c_str(), RENAME_NOREPLACE) == 0)
    return true;
  if (errno == EEXIST || errno == ENOENT) return false;
  if (!is_refused_flag(errno)) os::fail("move", (to.path_ / new_name).native());
  if (to.look_at(new_name) || !look_at(name)) return false;
  move_here(name, to, new_name);
  return true;
}

Exchange Directory::exchange_here(std::string const& name, Directory const& with,
                                  std::string const& its_name) const {
  if (::renameat2(handle_->get(), name.c_str(), with.handle_->get(), its_name.c_str(), RENAME_EXCHANGE) == 0)
    return Exchange::done;
  if (errno == ENOENT) return Exchange::no_such_file;
  if (is_refused_flag(errno)) return Exchange::not_possible;
  os::fail("replace", (with.path_ / its_name).native());
}

bool Directory::set_modified_here(std::int64_t at) const {
  std::array const times{timespec{0, UTIME_OMIT}, timespec{at / 1'000'000'000, at % 1'000'000'000}};
  return ::futimens(handle_->get(), times.data()) == 0;
}

bool Directory::is_on_this_machine_here() const {
  struct statfs about{};
  return ::fstatfs(handle_->get(), &about) == 0 &&
         std::ranges::find(kLocal, static_cast<std::uint32_t>(about.f_type)) != kLocal.end();
}

void Directory::sync_here() const {
  if (::fsync(handle_->get()) != 0) throw FailedSync("write to disk", path_.native(), errno);
}

}  // namespace andon::store::markdown
