#include "os/files/directory_watch.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <utility>

#include "os/system_error.hpp"

namespace andon::os {
namespace {

constexpr std::uint32_t kAsked = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE |
                                 IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                                 IN_DONT_FOLLOW;
constexpr std::uint32_t kIsAnother = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;
/// Whether the last inotify call failed at the limit `max_user_instances` or `max_user_watches`.
bool is_at_limit() { return errno == EMFILE || errno == ENOSPC || errno == ENOMEM; }

constexpr std::size_t kRoom = 64 * (sizeof(inotify_event) + NAME_MAX + 1);

}  // namespace

DirectoryWatch::DirectoryWatch() : wake_up_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!wake_up_) fail("watch", "directories");
}

/// Resolves the directory outside the lock, because its mount may not answer.
bool DirectoryWatch::add(Key key, std::filesystem::path const& directory) {
  auto const events = [this] {
    std::scoped_lock const lock{mutex_};
    if (!events_) {
      events_ = Descriptor{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
      if (events_) wake();  // a waiting thread polls without the new descriptor
    }
    return events_ ? events_.get() : -1;
  }();
  auto const watch = events >= 0 ? ::inotify_add_watch(events, directory.c_str(), kAsked) : -1;
  if (watch < 0 && !is_at_limit()) fail("watch", directory.native());
  std::scoped_lock const lock{mutex_};
  if (watch >= 0) watches_[watch] = key;
  return watch >= 0;
}

void DirectoryWatch::remove(Key key) {
  std::scoped_lock const lock{mutex_};
  for (auto watch = watches_.begin(); watch != watches_.end();) {
    if (watch->second != key) {
      ++watch;
      continue;
    }
    ::inotify_rm_watch(events_.get(), watch->first);
    watch = watches_.erase(watch);
  }
  touched_.erase(key);
}

std::map<DirectoryWatch::Key, DirectoryWatch::Touched> DirectoryWatch::take() {
  std::scoped_lock const lock{mutex_};
  collect();
  return std::exchange(touched_, {});
}

bool DirectoryWatch::wait(int milliseconds) {
  auto const events = [this] {
    std::scoped_lock const lock{mutex_};
    return events_ ? events_.get() : -1;  // poll(2) ignores -1
  }();
  std::array<pollfd, 2> waiting{pollfd{events, POLLIN, 0}, pollfd{wake_up_.get(), POLLIN, 0}};
  ::poll(waiting.data(), waiting.size(), milliseconds);
  if ((waiting[1].revents & POLLIN) != 0) {
    std::uint64_t rung = 0;
    if (::read(wake_up_.get(), &rung, sizeof rung) < 0 && errno != EAGAIN) fail("read", "a bell");
  }
  std::scoped_lock const lock{mutex_};
  collect();
  return !touched_.empty();
}

void DirectoryWatch::wake() {
  std::uint64_t const one = 1;
  if (::write(wake_up_.get(), &one, sizeof one) < 0 && errno != EAGAIN) fail("ring", "a bell");
}

void DirectoryWatch::collect() {
  if (!events_) return;
  alignas(inotify_event) std::array<char, kRoom> buffer;
  for (;;) {
    auto const n = ::read(events_.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    for (std::ptrdiff_t at = 0; at < n;) {
      auto const* event = reinterpret_cast<inotify_event const*>(buffer.data() + at);
      note(event->wd, event->mask, event->len > 0 ? &event->name[0] : "");
      at += static_cast<std::ptrdiff_t>(sizeof(inotify_event)) + event->len;
    }
  }
}

void DirectoryWatch::note(int watch, std::uint32_t what, char const* name) {
  if ((what & IN_Q_OVERFLOW) != 0) {
    for (auto const& [id, key] : watches_) touched_[key].everything = true;
    return;
  }
  auto const found = watches_.find(watch);
  if (found == watches_.end()) return;
  auto const key = found->second;
  if ((what & kIsAnother) != 0) touched_[key].everything = true;
  if (*name != '\0') touched_[key].names.insert(name);
  if ((what & IN_IGNORED) != 0) watches_.erase(found);
}

}  // namespace andon::os
