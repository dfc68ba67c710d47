#include "store/markdown/files/stable_read.hpp"

#include <thread>

#include "store/contract/store_error.hpp"

namespace andon::store::markdown {
namespace {

using namespace std::chrono_literals;

/// The longest wait. A lock of git that is older was left behind.
constexpr auto kLongestWait = 10s;
constexpr auto kMoment = 5ms;
/// In nanoseconds. A program that replaces a file takes less time to put the new one in place.
constexpr std::int64_t kReplacing = 100'000'000;

}  // namespace

StableRead::StableRead(BoardFolder const& folder, os::Clock const& clock)
    : folder_(folder), clock_(clock), until_(Steady::now() + kLongestWait) {}

void StableRead::begin() { before_ = before_ ? before_->again() : GitState::of(folder_.root().path()); }

bool StableRead::is_git_working() const {
  auto const git = before_->again();
  return git != *before_ || git.is_working(clock_.now());
}

bool StableRead::is_reached(std::optional<std::int64_t> missed) const {
  if (is_git_working()) return false;
  auto const since = in_nanoseconds(clock_.now()) - missed.value_or(0);
  return !missed || since < 0 || since >= kReplacing + tick_of(*missed);
}

bool StableRead::wait() const {
  if (Steady::now() < until_) {
    std::this_thread::sleep_for(kMoment);
    return true;
  }
  if (before_ && is_git_working())
    throw StoreError{StoreError::Kind::unreachable,
                     "git has been changing the files of this board for ten seconds; try again"};
  return false;
}

void wait_for_directory(BoardFolder const& folder, os::Clock const& clock,
                        std::filesystem::path const& name) {
  if (folder.root().look(name.native())) return;
  StableRead stable_read(folder, clock);
  do {
    stable_read.begin();
  } while (!folder.root().look(name.native()) && !stable_read.is_reached(std::nullopt) && stable_read.wait());
}

}  // namespace andon::store::markdown
