// Works on a store in a process of its own, so that tests can kill it or take its disk away.
//   store_child write FILE   adds tasks for ever and writes the number of each that was acknowledged, -1 when
//                            no sync can have brought it to the disk before
//   store_child fail FILE    the same, and after a hundred every sync fails
//   store_child watch FILE   the same for a thousand, while a reader looks; then writes 0, how often it
//                            looked and how often it saw what was not on the disk
//   store_child fill FILE    adds until the file may not grow, then writes: how many were acknowledged, how
//                            many are there, the kind of the refusal, and how many once it may grow again
//   store_child sync FILE    adds ten one after the other, writes 0, then every sync fails and it adds one
//   more store_child pieces FILE  adds a hundred tasks at once, then writes by how many calls they came to
//   the files store_child spill FILE   adds more at once than is kept in memory, and changes it; writes how
//   many it then
//                            reads, and again when all is durable, and is killed
//   store_child burst FILE   adds more at once than the disk has room for, changing and reading it; then
//   writes as fill store_child die:N FILE   opens the store, and is killed at the Nth write or sync of a file
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <semaphore>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"
#include "support/builders.hpp"

using namespace andon;
using store::Outcome;

namespace {

std::atomic<bool> disk_fails = false;
std::atomic<long> syncs_begun = 0, last_good_sync = 0, writes = 0;
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
  auto const number = ++syncs_begun;
  if (!disk_fails) {
    auto const result = real<int(int)>("fdatasync")(file);
    for (auto last = last_good_sync.load(); result == 0 && last < number;)
      if (last_good_sync.compare_exchange_weak(last, number)) break;
    return result;
  }
  errno = EIO;
  return -1;
}
extern "C" ssize_t pwrite64(int file, void const* bytes, size_t size, off64_t at) {
  count_down();
  ++writes;
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
    return Outcome::commit;
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

/// What was begun last when a task was added: only a later sync can have brought it to the disk. Those of the
/// last tasks; eight are on their way at once.
std::array<std::atomic<long>, 4096> syncs_before;

std::atomic<long>& begun_before(core::TaskId id) {
  return syncs_before[static_cast<std::size_t>(id) % syncs_before.size()];
}

bool is_on_disk(core::TaskId id) { return last_good_sync > begun_before(id); }

void write_on(store::Store& store, core::TaskId last, core::TaskId last_before_disk_fails) {
  std::counting_semaphore<8> room{8};
  std::atomic<std::int64_t> added = 0;
  while (added < last) {
    room.acquire();
    auto const id = std::make_shared<core::TaskId>();
    store.submit(
        [id, &added](store::Tx& tx) {
          added = *id = add_task(tx);
          begun_before(*id) = syncs_begun.load();
          return Outcome::commit;
        },
        [id, &room, last_before_disk_fails](std::exception_ptr trouble) {
          if (!trouble) say(is_on_disk(*id) ? std::int64_t{*id} : -1);
          if (*id >= last_before_disk_fails) disk_fails = true;
          room.release();
        });
  }
  for (int n = 0; n < 8; ++n) room.acquire();
}

constexpr core::TaskId kNever = 1'000'000;

void write_watched(store::Store& store) {
  std::int64_t looks = 0, too_early = 0;
  std::atomic<bool> ends = false;
  std::thread reader{[&] {
    for (; !ends; ++looks) {
      std::int64_t seen = 0;
      store.read([&](store::Tx& tx) { seen = tx.last_seq(); });
      if (seen > 0 && !is_on_disk(core::TaskId{seen})) ++too_early;
    }
  }};
  write_on(store, 1'000, kNever);
  ends = true;
  reader.join();
  say(0);
  say(looks);
  say(too_early);
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
  auto const add_one = [](store::Tx& tx) { return add_task(tx), Outcome::commit; };
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
    store::write(store, [&](store::Tx& tx) { return id = add_task(tx), Outcome::commit; });
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

void count_pieces(store::Store& store) {
  long before = 0;
  store::write(store, [&](store::Tx& tx) {
    for (int n = 0; n < 100; ++n) add_task(tx);
    before = writes;
    return Outcome::commit;
  });
  say(writes - before);
}

void burst(store::Store& store, std::string const& path) {
  struct stat wal{};
  stat((path + "-wal").c_str(), &wal);
  auto kind = store::StoreError::Kind::other;
  for (rlim_t room = 100'000; room < 12'000'000; room += 700'000) {
    limit_files(static_cast<rlim_t>(wal.st_size) + room);
    try {
      store::write(store, [](store::Tx& tx) {
        for (int n = 0; n < 1'500; ++n) {
          core::Task task = test::a_task("large").on("crash").ready();
          task.body = std::string(10'000, 'a');
          auto const id = tx.add(task).id;
          if (n % 7 == 0) static_cast<void>(tx.body(core::TaskId{id - n}));
        }
        return Outcome::commit;
      });
    } catch (store::StoreError const& error) {
      kind = error.kind();
    }
  }
  say(0);
  say(count(store));
  say(static_cast<std::int64_t>(kind));
  limit_files(0);
  store::write(store, [](store::Tx& tx) { return add_task(tx), Outcome::commit; });
  say(count(store));
}

void spill(store::Store& store) {
  constexpr int kTasks = 2'000, kLength = 10'000;
  std::int64_t read = 0;
  auto const text = [](core::TaskId id, char last) {
    return std::to_string(id) + std::string(kLength, last);
  };
  store::write(store, [&](store::Tx& tx) {
    std::vector<core::Task> tasks;
    for (int n = 0; n < kTasks; ++n) {
      core::Task task = test::a_task("large").on("crash").ready();
      task.body = text(core::TaskId{n}, 'a');
      tasks.push_back(tx.add(task));
    }
    for (auto& task : tasks) {
      task.body = text(task.id, 'b');
      tx.put(task, true);
    }
    for (auto const& task : tasks) read += tx.body(task.id) == task.body ? 1 : 0;
    return Outcome::commit;
  });
  say(read);
  say(count(store));
  std::raise(SIGKILL);
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
  if (mode == "write") write_on(*store, kNever, kNever);
  if (mode == "fail") write_on(*store, kNever, 100);
  if (mode == "watch") write_watched(*store);
  if (mode == "fill") fill(*store, path);
  if (mode == "sync") lose_sync(*store);
  if (mode == "burst") burst(*store, path);
  if (mode == "pieces") count_pieces(*store);
  if (mode == "spill") spill(*store);
}
