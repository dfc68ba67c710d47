#pragma once

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/time/time.hpp"

namespace andon::bridge::telegram {

/// A loop of the bridge.
enum class Loop { receiving, sending, news };
inline constexpr std::size_t kLoops = 3;

/// The state of the connection, shared by the loops. Thread-safe.
class Contact {
 public:
  struct Now {
    std::optional<core::Instant> last;  ///< when the Bot API last answered
    std::string bot;                    ///< its user name
    std::vector<std::string> wrong;     ///< sentences for people; empty when all is well
  };

  /// The Bot API answered, whatever the loop waits for.
  void answered(core::Instant now) {
    std::scoped_lock const lock{mutex_};
    now_.last = now;
  }
  void reached(Loop loop, core::Instant now) {
    std::scoped_lock const lock{mutex_};
    now_.last = now;
    wrong_[index(loop)].clear();
  }
  void failed(Loop loop, std::string why) {
    std::scoped_lock const lock{mutex_};
    wrong_[index(loop)] = std::move(why);
  }
  void works(Loop loop) { failed(loop, {}); }
  void set_bot(std::string name) {
    std::scoped_lock const lock{mutex_};
    now_.bot = std::move(name);
  }
  /// No call may leave before that uptime.
  void pause_until(core::Duration uptime) {
    std::scoped_lock const lock{mutex_};
    paused_until_ = std::max(paused_until_, uptime);
  }
  core::Duration pause_left(core::Duration uptime) const {
    std::scoped_lock const lock{mutex_};
    return std::max(core::Duration{}, paused_until_ - uptime);
  }
  Now now() const {
    std::scoped_lock const lock{mutex_};
    auto out = now_;
    for (auto const& why : wrong_)
      if (!why.empty() && std::ranges::find(out.wrong, why) == out.wrong.end()) out.wrong.push_back(why);
    return out;
  }

 private:
  static std::size_t index(Loop loop) { return static_cast<std::size_t>(loop); }

  mutable std::mutex mutex_;
  Now now_;                                ///< guarded by mutex_
  std::array<std::string, kLoops> wrong_;  ///< guarded by mutex_
  core::Duration paused_until_{};          ///< guarded by mutex_
};

}  // namespace andon::bridge::telegram
