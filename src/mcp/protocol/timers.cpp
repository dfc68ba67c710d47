#include "mcp/protocol/timers.hpp"

#include <vector>

namespace andon::mcp {

void Timers::add(core::Duration at, std::move_only_function<void()> act) {
  std::scoped_lock const lock{mutex_};
  waiting_.emplace(at, std::move(act));
}

void Timers::step(core::Duration now) {
  std::vector<std::move_only_function<void()>> due;
  {
    std::scoped_lock const lock{mutex_};
    auto const end = waiting_.upper_bound(now);
    for (auto one = waiting_.begin(); one != end; ++one) due.push_back(std::move(one->second));
    waiting_.erase(waiting_.begin(), end);
  }
  for (auto& act : due) act();
}

bool Timers::empty() const {
  std::scoped_lock const lock{mutex_};
  return waiting_.empty();
}

}  // namespace andon::mcp
