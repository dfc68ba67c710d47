// LD_PRELOAD: makes the k-th call of a process that changes files fail, or kills the process before it.
//
// $ANDON_FAULTS names a file of five 64-bit numbers that the test and all processes share in memory:
//   0  calls that still succeed; the one after them gets the fault; negative: none does
//   1  the fault: an errno; -1: the process is killed; -2: half of a write succeeds, then the disk is full
//   2  1: after the fault the disk stays full, so that nothing that needs room succeeds
//   3  calls that were counted
//   4  1: the fault happened
// $ANDON_FAULTS_NFS makes those files lie on NFS, by their own word.
// $ANDON_FAULTS_BELOW is the directory whose files count. With ENOSPC only calls that need room are counted.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { kLeft, kFault, kLasts, kCounted, kHappened, kNumbers };
enum { kKill = -1, kShort = -2 };
enum need { kAny, kRoom, kName };  // what a call needs: nothing, room for bytes, room for a name

static int64_t* shared;
static char below[PATH_MAX];
static size_t below_size;

__attribute__((constructor)) static void begin(void) {
  char const* file = getenv("ANDON_FAULTS");
  char const* directory = getenv("ANDON_FAULTS_BELOW");
  if (!file || !directory) return;
  int const fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void* const at = mmap(NULL, kNumbers * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  below_size = strlen(directory);
  memcpy(below, directory, below_size + 1);
  if (at != MAP_FAILED) shared = at;
}

static bool is_below(char const* path) {
  return strncmp(path, below, below_size) == 0 && (path[below_size] == '/' || path[below_size] == 0);
}

static bool counts_file(int fd) {
  if (!shared) return false;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t const size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return false;
  path[size] = 0;
  return is_below(path);
}

static bool counts_path(int directory, char const* path) {
  if (!shared) return false;
  if (path[0] == '/') return is_below(path);
  if (directory != AT_FDCWD) return counts_file(directory);
  char here[PATH_MAX];
  return getcwd(here, sizeof here) && is_below(here);
}

/// Whether this call fails, with errno set. Ends the process when that is the fault.
static bool fails(enum need need) {
  int64_t const fault = __atomic_load_n(&shared[kFault], __ATOMIC_SEQ_CST);
  bool const is_full = fault == ENOSPC || fault == kShort;
  if (is_full && need == kAny) return false;
  if (__atomic_load_n(&shared[kHappened], __ATOMIC_SEQ_CST)) {
    errno = ENOSPC;
    return shared[kLasts] && need == kRoom;
  }
  __atomic_add_fetch(&shared[kCounted], 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&shared[kLeft], __ATOMIC_SEQ_CST) < 0) return false;
  if (__atomic_sub_fetch(&shared[kLeft], 1, __ATOMIC_SEQ_CST) >= 0) return false;
  __atomic_store_n(&shared[kHappened], 1, __ATOMIC_SEQ_CST);
  if (fault == kKill) kill(getpid(), SIGKILL);
  errno = fault == kShort ? ENOSPC : (int)fault;
  return true;
}

static enum need need_of(int fd, off_t end) {
  struct stat about;
  return syscall(SYS_fstat, fd, &about) == 0 && end <= about.st_size ? kAny : kRoom;
}

static ssize_t write_half(int fd, void const* bytes, size_t size, off_t at) {
  shared[kLasts] = 1;
  if (at < 0) return syscall(SYS_write, fd, bytes, size / 2);
  return syscall(SYS_pwrite64, fd, bytes, size / 2, at);
}

ssize_t write(int fd, void const* bytes, size_t size) {
  if (counts_file(fd)) {
    off_t const at = lseek(fd, 0, SEEK_CUR);
    bool const appends = (fcntl(fd, F_GETFL) & O_APPEND) != 0;
    if (fails(appends || at < 0 ? kRoom : need_of(fd, at + (off_t)size))) {
      if (shared[kFault] == kShort && !shared[kLasts] && size > 1) return write_half(fd, bytes, size, -1);
      return -1;
    }
  }
  return syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite64(int fd, void const* bytes, size_t size, off64_t at) {
  if (counts_file(fd) && fails(need_of(fd, at + (off_t)size))) {
    if (shared[kFault] == kShort && !shared[kLasts] && size > 1) return write_half(fd, bytes, size, at);
    return -1;
  }
  return syscall(SYS_pwrite64, fd, bytes, size, at);
}
ssize_t pwrite(int fd, void const* bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }

int fsync(int fd) { return counts_file(fd) && fails(kAny) ? -1 : (int)syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return counts_file(fd) && fails(kAny) ? -1 : (int)syscall(SYS_fdatasync, fd); }

int ftruncate64(int fd, off64_t size) {
  return counts_file(fd) && fails(need_of(fd, size)) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }
int fallocate64(int fd, int mode, off64_t at, off64_t size) {
  return counts_file(fd) && fails(kRoom) ? -1 : (int)syscall(SYS_fallocate, fd, mode, at, size);
}
int fallocate(int fd, int mode, off_t at, off_t size) { return fallocate64(fd, mode, at, size); }

static int open_at(int directory, char const* path, int flags, mode_t mode) {
  bool const may_make = (flags & O_CREAT) != 0;
  if (may_make && counts_path(directory, path)) {
    bool const is_there = syscall(SYS_faccessat, directory, path, F_OK) == 0;
    if (fails(is_there ? kAny : kRoom)) return -1;
  }
  return (int)syscall(SYS_openat, directory, path, flags, mode);
}

#define MODE_OF(flags)               \
  mode_t mode = 0;                   \
  if ((flags) & O_CREAT) {           \
    va_list more;                    \
    va_start(more, flags);           \
    mode = va_arg(more, mode_t);     \
    va_end(more);                    \
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

int renameat2(int from, char const* path, int to, char const* name, unsigned flags) {
  if (counts_path(to, name) && fails(flags & RENAME_EXCHANGE ? kAny : kName)) return -1;
  return (int)syscall(SYS_renameat2, from, path, to, name, flags);
}
int renameat(int from, char const* path, int to, char const* name) {
  return renameat2(from, path, to, name, 0);
}
int rename(char const* path, char const* name) { return renameat2(AT_FDCWD, path, AT_FDCWD, name, 0); }

int unlinkat(int directory, char const* path, int flags) {
  if (counts_path(directory, path) && fails(kAny)) return -1;
  return (int)syscall(SYS_unlinkat, directory, path, flags);
}
int unlink(char const* path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(char const* path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int directory, char const* path, mode_t mode) {
  if (counts_path(directory, path) && syscall(SYS_faccessat, directory, path, F_OK) != 0 && fails(kRoom))
    return -1;
  return (int)syscall(SYS_mkdirat, directory, path, mode);
}
int mkdir(char const* path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
int symlink(char const* target, char const* path) {
  if (counts_path(AT_FDCWD, path) && fails(kRoom)) return -1;
  return (int)syscall(SYS_symlinkat, target, AT_FDCWD, path);
}

int fstatfs(int fd, struct statfs* about) {
  enum { kNfs = 0x6969 };
  int const result = (int)syscall(SYS_fstatfs, fd, about);
  if (result == 0 && getenv("ANDON_FAULTS_NFS") && counts_file(fd)) about->f_type = kNfs;
  return result;
}
