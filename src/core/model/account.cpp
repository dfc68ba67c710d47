#include "core/model/account.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace andon::core {
namespace {

constexpr Duration kFirstRest = std::chrono::seconds{30};
constexpr Duration kLongestRest = std::chrono::hours{4};
constexpr Duration kLongestPause = std::chrono::minutes{5};  ///< while a service is overloaded
constexpr Duration kLongestKnown = std::chrono::days{32};    ///< a window of a month, and a day
constexpr int kMostDoublings = 9;
constexpr std::size_t kMostWindows = 8;
constexpr double kNearlyUsedUp = 0.8;

UsageWindow* window_named(std::vector<UsageWindow>& windows, std::string_view name) {
  auto const found = std::ranges::find(windows, name, &UsageWindow::name);
  return found == windows.end() ? nullptr : &*found;
}

void rest(Account& account, Instant now, Duration longest, int running) {
  if (is_limited(account, now)) return;  // they ran side by side and met the same limit
  auto const doubled = kFirstRest * (1 << std::min(account.strikes, kMostDoublings));
  account.limited_until = now + std::min<Duration>(doubled, longest);
  ++account.strikes;
  account.regain = std::max(account.regain, running);
  account.slots = std::max(1, running / 2);
}

}  // namespace

bool is_limited(Account const& account, Instant now) {
  return account.limited_until && *account.limited_until > now;
}

bool may_start(Account const& account, Instant now, int running) {
  return !account.paused && !is_limited(account, now) && (account.slots == 0 || running < account.slots);
}

void reach_limit(Account& account, Instant now, std::optional<Instant> resets_at, int running) {
  // The rest of an overload is none of the limit.
  if (std::exchange(account.overloaded, false)) account.limited_until.reset();
  if (!resets_at || *resets_at <= now) return rest(account, now, kLongestRest, running);
  auto const until = std::min(*resets_at, now + kLongestKnown);
  bool const has_known_end = is_limited(account, now) && account.strikes == 0;
  account.limited_until = has_known_end ? std::max(*account.limited_until, until) : until;
  account.strikes = 0;
}

void meet_overload(Account& account, Instant now, int running) {
  if (is_limited(account, now)) return;
  rest(account, now, kLongestPause, running);
  account.overloaded = true;
}

void learn_windows(Account& account, std::span<UsageWindow const> reported, Instant now) {
  auto& windows = account.windows;
  for (auto const& window : reported) {
    auto* known = window_named(windows, window.name);
    if (!known && windows.size() < kMostWindows) known = &windows.emplace_back(UsageWindow{window.name});
    if (!known) continue;
    if (window.ends) known->ends = window.ends;
    if (window.used) known->used = window.used;
    if (window.reached) known->used = 1;
  }
  std::erase_if(windows, [&](UsageWindow const& window) { return !window.ends || *window.ends <= now; });
}

std::optional<Instant> known_end(Account const& account, std::span<UsageWindow const> reported) {
  auto const is_reached = [&](UsageWindow const& window) {
    return std::ranges::any_of(reported,
                               [&](UsageWindow const& r) { return r.reached && r.name == window.name; });
  };
  bool const names_one =
      std::ranges::any_of(reported, [](UsageWindow const& r) { return r.reached && !r.name.empty(); });
  std::optional<Instant> end;
  double fullest = kNearlyUsedUp;
  for (auto const& window : account.windows) {
    if (names_one && is_reached(window)) end = std::max(end, window.ends);
    if (names_one || window.used.value_or(0) < fullest) continue;
    bool const is_fuller = *window.used > fullest || !end;
    end = is_fuller ? window.ends : std::min(end, window.ends);
    fullest = *window.used;
  }
  return end;
}

std::optional<Instant> end_of_limit(Account const& account, std::optional<Instant> resets_at,
                                    std::span<UsageWindow const> reported, Instant now) {
  std::optional<Instant> end;
  if (resets_at && *resets_at > now) end = resets_at;
  bool names_one = false;
  for (auto const& window : reported) {
    if (!window.reached) continue;
    names_one = names_one || !window.name.empty();
    if (window.ends && *window.ends > now) end = std::max(end, window.ends);
  }
  return end && !names_one ? end : std::max(end, known_end(account, reported));
}

void work_went_well(Account& account) {
  account.strikes = 0;
  if (account.slots == 0) return;
  ++account.slots;
  if (account.slots < account.regain) return;
  account.slots = 0;
  account.regain = 0;
  account.overloaded = false;
}

}  // namespace andon::core
