#include "store/markdown/boards_watch.hpp"

#include <cerrno>
#include <chrono>
#include <utility>

#include "os/system_error.hpp"

namespace andon::store::markdown {
namespace {

/// What inotify answers at the limits `max_user_instances` and `max_user_watches`.
bool is_at_limit(os::SystemError const& error) {
  return error.number() == EMFILE || error.number() == ENOSPC || error.number() == ENOMEM;
}

}  // namespace

BoardsWatch::BoardsWatch() {
  try {
    watch_.emplace();
  } catch (os::SystemError const& error) {
    if (!is_at_limit(error)) throw;
  }
}

bool BoardsWatch::add(Key key, std::filesystem::path const& directory) try {
  if (watch_) watch_->add(key, directory);
  return watch_.has_value();
} catch (os::SystemError const& error) {
  if (!is_at_limit(error)) throw;
  return false;
}

void BoardsWatch::remove(Key key) {
  if (watch_) watch_->remove(key);
}

std::map<BoardsWatch::Key, BoardsWatch::Touched> BoardsWatch::take() {
  if (watch_) return watch_->take();
  return {};
}

bool BoardsWatch::wait(int milliseconds) {
  return watch_ ? watch_->wait(milliseconds) : wait_for_bell(milliseconds);
}

bool BoardsWatch::wait_for_bell(int milliseconds) {
  std::unique_lock lock{mutex_};
  auto const is_rung = [this] { return std::exchange(is_rung_, false); };
  if (milliseconds < 0)
    rung_.wait(lock, is_rung);
  else
    rung_.wait_for(lock, std::chrono::milliseconds{milliseconds}, is_rung);
  return false;
}

void BoardsWatch::wake() {
  if (watch_) return watch_->wake();
  std::scoped_lock const lock{mutex_};
  is_rung_ = true;
  rung_.notify_all();
}

}  // namespace andon::store::markdown
