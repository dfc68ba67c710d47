// Loaded with LD_PRELOAD it makes time pass faster for a program: for all clocks that it reads and for all its waits.
// So leases, renewals and retries keep their proportions, and a test of a long lease is short.
//
// ANDON_TIME_RATE   the seconds that pass for the program in a real one, a whole number
// ANDON_TIME_SINCE  the moment, in nanoseconds since 1970, at which its wall clock showed the real time
// The clocks that count from the start of the machine have had that rate since then, so that all programs agree on them.
// A program passes them on to others of its own kind, though it gives them an environment of their own: a supervisor keeps
// the time of its runner. Agents keep the real time, and so do the times of files.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// The function of the C library behind one of this file.
#define REAL(function)                                                                     \
  ({                                                                                       \
    static __typeof__(&function) found;                                                    \
    if (!found) found = (__typeof__(&function))dlsym(RTLD_NEXT, #function);                \
    found;                                                                                 \
  })

enum { kMillion = 1000000, kBillion = 1000000000 };
static int64_t rate = 1, since;

__attribute__((constructor)) static void begin(void) {
  char const* const given_rate = getenv("ANDON_TIME_RATE");
  char const* const given_since = getenv("ANDON_TIME_SINCE");
  if (!given_rate || !given_since) return;
  since = strtoll(given_since, NULL, 10);
  rate = strtoll(given_rate, NULL, 10);
}

static int64_t nanoseconds(struct timespec at) { return at.tv_sec * (int64_t)kBillion + at.tv_nsec; }
static struct timespec timespec_of(int64_t n) { return (struct timespec){n / kBillion, n % kBillion}; }

// Never zero for what is not: zero means not to wait, or to stop a timer.
static struct timespec real_span(struct timespec span) {
  return timespec_of((nanoseconds(span) + rate - 1) / rate);
}

// A moment is one of the wall clock if it is later than any machine has run.
static int64_t origin_of(int64_t moment) { return moment > kBillion * (int64_t)kBillion ? since : 0; }

static struct timespec real_moment(struct timespec shown) {
  if (shown.tv_sec >= INT64_MAX / kBillion) return shown;
  int64_t const moment = nanoseconds(shown), origin = origin_of(moment);
  return timespec_of(origin + (moment - origin + rate - 1) / rate);
}

int clock_gettime(clockid_t clock, struct timespec* out) {
  if (REAL(clock_gettime)(clock, out) != 0) return -1;
  if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) return 0;
  int64_t const moment = nanoseconds(*out), origin = origin_of(moment);
  *out = timespec_of(origin + (moment - origin) * rate);
  return 0;
}

int gettimeofday(struct timeval* out, void* zone) {
  (void)zone;
  struct timespec at;
  if (clock_gettime(CLOCK_REALTIME, &at) != 0) return -1;
  *out = (struct timeval){at.tv_sec, at.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* out) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  if (out) *out = at.tv_sec;
  return at.tv_sec;
}

int poll(struct pollfd* files, nfds_t count, int milliseconds) {
  if (milliseconds <= 0) return REAL(poll)(files, count, milliseconds);
  struct timespec const span = real_span(timespec_of(milliseconds * (int64_t)kMillion));
  return ppoll(files, count, &span, NULL);
}

int epoll_wait(int epoll, struct epoll_event* events, int most, int milliseconds) {
  if (milliseconds > 0) milliseconds = (int)((milliseconds + rate - 1) / rate);
  return REAL(epoll_wait)(epoll, events, most, milliseconds);
}

int select(int count, fd_set* read, fd_set* written, fd_set* failed, struct timeval* limit) {
  if (!limit) return REAL(select)(count, read, written, failed, NULL);
  struct timespec const span = real_span((struct timespec){limit->tv_sec, limit->tv_usec * 1000});
  return pselect(count, read, written, failed, &span, NULL);
}

int nanosleep(struct timespec const* span, struct timespec* left) {
  struct timespec const real = real_span(*span);
  int const result = REAL(nanosleep)(&real, left);
  if (result != 0 && left) *left = timespec_of(nanoseconds(*left) * rate);
  return result;
}

int usleep(useconds_t microseconds) {
  struct timespec const span = timespec_of(microseconds * INT64_C(1000));
  return nanosleep(&span, NULL);
}

unsigned sleep(unsigned seconds) {
  struct timespec left = {seconds, 0};
  return nanosleep(&left, &left) == 0 ? 0 : (unsigned)left.tv_sec;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, struct timespec const* end) {
  struct timespec const real = real_moment(*end);
  return REAL(pthread_cond_timedwait)(condition, mutex, &real);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           struct timespec const* end) {
  struct timespec const real = real_moment(*end);
  return REAL(pthread_cond_clockwait)(condition, mutex, clock, &real);
}

int timerfd_settime(int timer, int flags, struct itimerspec const* set, struct itimerspec* before) {
  struct itimerspec const real = {real_span(set->it_interval),
                                  flags & TFD_TIMER_ABSTIME ? real_moment(set->it_value) : real_span(set->it_value)};
  return REAL(timerfd_settime)(timer, flags, &real, before);
}

int setitimer(__itimer_which_t which, struct itimerval const* set, struct itimerval* before) {
  if (which != ITIMER_REAL) return REAL(setitimer)(which, set, before);
  struct timespec const first = real_span((struct timespec){set->it_value.tv_sec, set->it_value.tv_usec * 1000});
  struct itimerval const real = {set->it_interval, {first.tv_sec, (first.tv_nsec + 999) / 1000}};
  return REAL(setitimer)(which, &real, before);
}

// The standard library of C++ waits for a future by the system call itself, until a moment.
long syscall(long number, ...) {
  long with[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; ++i) with[i] = va_arg(arguments, long);
  va_end(arguments);
  struct timespec end;
  if (number == SYS_futex && (with[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET && with[3]) {
    end = real_moment(*(struct timespec const*)with[3]);
    with[3] = (long)&end;
  }
  return REAL(syscall)(number, with[0], with[1], with[2], with[3], with[4], with[5]);
}

static int is_own_program(char const* path) {
  char own[PATH_MAX];
  ssize_t const size = readlink("/proc/self/exe", own, sizeof own - 1);
  if (size <= 0) return 0;
  own[size] = 0;
  return strcmp(path, own) == 0;
}

static int is_about_time(char const* variable) {
  return strncmp(variable, "LD_PRELOAD=", 11) == 0 || strncmp(variable, "ANDON_TIME_", 11) == 0;
}

enum { kMostVariables = 250 };

int posix_spawn(pid_t* pid, char const* path, posix_spawn_file_actions_t const* actions,
                posix_spawnattr_t const* attributes, char* const arguments[], char* const environment[]) {
  char* with[kMostVariables + 1];
  int count = 0;
  if (is_own_program(path)) {
    for (char** each = environ; *each && count < kMostVariables; ++each)
      if (is_about_time(*each)) with[count++] = *each;
    for (char* const* each = environment; *each && count < kMostVariables; ++each)
      if (!is_about_time(*each)) with[count++] = *each;
    with[count] = NULL;
    environment = with;
  }
  return REAL(posix_spawn)(pid, path, actions, attributes, arguments, environment);
}
