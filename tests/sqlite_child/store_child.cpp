// Works on a store in a process of its own, so that tests can kill it or take its disk away.
//   store_child write FILE   adds tasks for ever and writes the number of each that was acknowledged
//   store_child fill FILE    adds until the file may not grow, then writes: how many were acknowledged, how
//   many are
//                            there, the kind of the refusal, and how many are there once it may grow again
//   store_child sync FILE    adds ten tasks like `write`, writes 0, then the disk fails every sync and it
//   adds one
//                            more
//   store_child die:N FILE   opens the store, and is killed at the Nth write or sync of a file
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <semaphore>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/open.hpp"
#include "support/builders.hpp"

using namespace andon;
using store::Verdict;

namespace {

std::atomic<bool> disk_fails = false;
std::atomic<long> calls_left = -1;  ///< to the disk before the process is killed; for ever when negative

void count_down() {
  if (calls_left >= 0 && calls_left-- == 0) std::raise(SIGKILL);
}

template <class Function>
Function* real(char const* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// What SQLite calls instead of the functions of the C library.
extern "C" int fdatasync(int file) {
  count_down();
  if (!disk_fails) return real<int(int)>("fdatasync")(file);
  errno = EIO;
  return -1;
}
extern "C" ssize_t pwrite64(int file, void const* bytes, size_t size, off64_t at) {
  count_down();
  return real<ssize_t(int, void const*, size_t, off64_t)>("pwrite64")(file, bytes, size, at);
}

namespace {

void say(std::int64_t number) {
  auto const line = std::to_string(number) + "\n";
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(1);
}

void make_board(store::Store& store) {
  store::write(store, [](store::Tx& tx) {
    if (!tx.board("crash")) {
      core::Board const board = test::a_board("crash");
      tx.add(board);
    }
    return Verdict::keep;
  });
}

core::TaskId add_task(store::Tx& tx) {
  core::Task const task = test::a_task("survives").on("crash").ready();
  auto const id = tx.add(task).id;
  core::Event event;
  event.kind = core::EventKind::task_created;
  event.board = "crash";
  event.task = id;
  tx.append(event);
  return id;
}

void write_for_ever(store::Store& store) {
  std::counting_semaphore<8> room{8};
  for (;;) {
    room.acquire();
    auto const id = std::make_shared<core::TaskId>();
    store.submit(
        [id](store::Tx& tx) {
          *id = add_task(tx);
          return Verdict::keep;
        },
        [id, &room](std::exception_ptr trouble) {
          if (!trouble) say(*id);
          room.release();
        });
  }
}

/// Lets files grow by so much from now on, or freely.
void limit_files(rlim_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

std::int64_t count(store::Store& store) {
  std::int64_t n = 0;
  store.read([&](store::Tx& tx) { n = tx.count({}); });
  return n;
}

void fill(store::Store& store, std::string const& path) {
  struct stat wal{};
  stat((path + "-wal").c_str(), &wal);
  limit_files(static_cast<rlim_t>(wal.st_size) + 300'000);
  std::int64_t written = 0;
  auto kind = store::StoreError::Kind::other;
  auto const add_one = [](store::Tx& tx) { return add_task(tx), Verdict::keep; };
  try {
    for (;; ++written) store::write(store, add_one);
  } catch (store::StoreError const& error) {
    kind = error.kind();
  }
  say(written);
  say(count(store));
  say(static_cast<std::int64_t>(kind));
  limit_files(0);
  store::write(store, add_one);
  say(count(store));
}

void lose_sync(store::Store& store) {
  auto const add_one = [&] {
    core::TaskId id = 0;
    store::write(store, [&](store::Tx& tx) { return id = add_task(tx), Verdict::keep; });
    say(id);
  };
  for (int n = 0; n < 10; ++n) add_one();
  say(0);
  disk_fails = true;
  try {
    add_one();
  } catch (store::StoreError const&) {
    for (;;) pause();  // the store ends the process
  }
}

void be_killed_after(std::string_view calls) {
  long count = 0;
  std::from_chars(calls.data(), calls.data() + calls.size(), count);
  calls_left = count;
}

}  // namespace

int main(int, char** arguments) {
  std::signal(SIGXFSZ, SIG_IGN);
  std::string const mode = arguments[1], path = arguments[2];
  if (mode.starts_with("die:")) be_killed_after(mode.substr(4));
  auto const store = store::open_store("sqlite:" + path);
  make_board(*store);
  if (mode == "write") write_for_ever(*store);
  if (mode == "fill") fill(*store, path);
  if (mode == "sync") lose_sync(*store);
}
