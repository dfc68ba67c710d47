// LD_PRELOAD: notes what processes do to the files beneath $ANDON_RECORD_BELOW, in order, in $ANDON_RECORD.
//
// A record is five 64-bit numbers (kind, inode, place, number, size) and as many bytes as its size:
//   1 bytes written at a place    2 a sync of the inode began    3 the sync of that number succeeded
//   4 cut to a place    5 a file was made: its path    6 renamed, the place is the flags: path, zero, path
//   7 removed: its path    8 a directory was made: its path    9 a symbolic link was made: path, zero, target
// Those that test append records of kind 10, which tell what was acknowledged.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { kWritten = 1, kBegun, kSynced, kCut, kMade, kRenamed, kRemoved, kDirectory, kLinked };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int out = -1;
static char below[PATH_MAX];
static size_t below_size;

__attribute__((constructor)) static void begin(void) {
  char const* file = getenv("ANDON_RECORD");
  char const* directory = getenv("ANDON_RECORD_BELOW");
  if (!file || !directory) return;
  below_size = strlen(directory);
  memcpy(below, directory, below_size + 1);
  out = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/// Calls and their records come in one order, over all processes.
static void lock(void) {
  pthread_mutex_lock(&mutex);
  flock(out, LOCK_EX);
}
static void unlock(void) {
  flock(out, LOCK_UN);
  pthread_mutex_unlock(&mutex);
}

static void note(enum kind kind, int64_t inode, int64_t place, int64_t number, void const* bytes, size_t size) {
  int64_t const head[5] = {kind, inode, place, number, (int64_t)size};
  struct iovec const parts[2] = {{(void*)head, sizeof head}, {(void*)bytes, size}};
  syscall(SYS_writev, out, parts, 2);
}

static bool is_below(char const* path) {
  return strncmp(path, below, below_size) == 0 && (path[below_size] == '/' || path[below_size] == 0);
}

static bool path_of(int fd, char* path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t const size = readlink(link, path, PATH_MAX - 1);
  if (size <= 0) return false;
  path[size] = 0;
  return true;
}

/// The absolute path of a name, when its changes are noted.
static bool noted(int directory, char const* name, char* path) {
  if (out < 0) return false;
  char at[PATH_MAX];
  if (name[0] == '/') snprintf(path, PATH_MAX, "%s", name);
  else if (directory == AT_FDCWD ? getcwd(at, sizeof at) != NULL : path_of(directory, at))
    snprintf(path, PATH_MAX, "%.2000s/%.2000s", at, name);
  else return false;
  return is_below(path);
}

static int64_t inode_of(int fd) {
  struct stat about;
  return syscall(SYS_fstat, fd, &about) == 0 ? (int64_t)about.st_ino : 0;
}

static bool is_noted(int fd) {
  char path[PATH_MAX];
  return out >= 0 && path_of(fd, path) && is_below(path);
}

ssize_t pwrite64(int fd, void const* bytes, size_t size, off64_t at) {
  if (!is_noted(fd)) return syscall(SYS_pwrite64, fd, bytes, size, at);
  lock();
  ssize_t const done = syscall(SYS_pwrite64, fd, bytes, size, at);
  if (done > 0) note(kWritten, inode_of(fd), at, 0, bytes, (size_t)done);
  unlock();
  return done;
}
ssize_t pwrite(int fd, void const* bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }

ssize_t write(int fd, void const* bytes, size_t size) {
  if (!is_noted(fd)) return syscall(SYS_write, fd, bytes, size);
  lock();
  ssize_t const done = syscall(SYS_write, fd, bytes, size);
  if (done > 0) note(kWritten, inode_of(fd), lseek(fd, 0, SEEK_CUR) - done, 0, bytes, (size_t)done);
  unlock();
  return done;
}

static int synced(int fd, long call) {
  if (!is_noted(fd)) return (int)syscall(call, fd);
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  int64_t const number = now.tv_sec * 1000000000 + now.tv_nsec;
  lock();
  note(kBegun, inode_of(fd), 0, number, NULL, 0);
  unlock();
  int const result = (int)syscall(call, fd);
  if (result != 0) return result;
  lock();
  note(kSynced, inode_of(fd), 0, number, NULL, 0);
  unlock();
  return 0;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

int ftruncate64(int fd, off64_t size) {
  if (!is_noted(fd)) return (int)syscall(SYS_ftruncate, fd, size);
  lock();
  int const result = (int)syscall(SYS_ftruncate, fd, size);
  if (result == 0) note(kCut, inode_of(fd), size, 0, NULL, 0);
  unlock();
  return result;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int open_at(int directory, char const* name, int flags, mode_t mode) {
  char path[PATH_MAX];
  if (!(flags & (O_CREAT | O_TRUNC)) || !noted(directory, name, path))
    return (int)syscall(SYS_openat, directory, name, flags, mode);
  lock();
  bool const is_new = syscall(SYS_faccessat, directory, name, F_OK) != 0;
  int const fd = (int)syscall(SYS_openat, directory, name, flags, mode);
  if (fd >= 0 && is_new) note(kMade, inode_of(fd), 0, 0, path, strlen(path));
  if (fd >= 0 && !is_new && (flags & O_TRUNC)) note(kCut, inode_of(fd), 0, 0, NULL, 0);
  unlock();
  return fd;
}

#define MODE_OF(flags)           \
  mode_t mode = 0;               \
  if ((flags) & O_CREAT) {       \
    va_list more;                \
    va_start(more, flags);       \
    mode = va_arg(more, mode_t); \
    va_end(more);                \
  }

int open(char const* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(char const* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int directory, char const* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(directory, path, flags, mode);
}
int openat64(int directory, char const* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(directory, path, flags, mode);
}

static void note_two(enum kind kind, int64_t place, char const* one, char const* other) {
  char both[2 * PATH_MAX];
  int const size = snprintf(both, sizeof both, "%s%c%s", one, 0, other);
  note(kind, 0, place, 0, both, (size_t)size);
}

int renameat2(int from, char const* name, int to, char const* new_name, unsigned flags) {
  char path[PATH_MAX], new_path[PATH_MAX];
  if (!noted(from, name, path) || !noted(to, new_name, new_path))
    return (int)syscall(SYS_renameat2, from, name, to, new_name, flags);
  lock();
  int const result = (int)syscall(SYS_renameat2, from, name, to, new_name, flags);
  if (result == 0) note_two(kRenamed, flags, path, new_path);
  unlock();
  return result;
}
int renameat(int from, char const* name, int to, char const* new_name) {
  return renameat2(from, name, to, new_name, 0);
}
int rename(char const* name, char const* new_name) {
  return renameat2(AT_FDCWD, name, AT_FDCWD, new_name, 0);
}

int unlinkat(int directory, char const* name, int flags) {
  char path[PATH_MAX];
  if (!noted(directory, name, path)) return (int)syscall(SYS_unlinkat, directory, name, flags);
  lock();
  int const result = (int)syscall(SYS_unlinkat, directory, name, flags);
  if (result == 0) note(kRemoved, 0, 0, 0, path, strlen(path));
  unlock();
  return result;
}
int unlink(char const* name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(char const* name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int mkdir(char const* name, mode_t mode) {
  char path[PATH_MAX];
  if (!noted(AT_FDCWD, name, path)) return (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
  lock();
  int const result = (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
  struct stat about;
  if (result == 0 && syscall(SYS_newfstatat, AT_FDCWD, name, &about, 0) == 0)
    note(kDirectory, (int64_t)about.st_ino, 0, 0, path, strlen(path));
  unlock();
  return result;
}

int symlink(char const* target, char const* name) {
  char path[PATH_MAX];
  if (!noted(AT_FDCWD, name, path)) return (int)syscall(SYS_symlinkat, target, AT_FDCWD, name);
  lock();
  int const result = (int)syscall(SYS_symlinkat, target, AT_FDCWD, name);
  if (result == 0) note_two(kLinked, 0, path, target);
  unlock();
  return result;
}
