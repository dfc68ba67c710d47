#include "core/model/account.hpp"

#include <algorithm>

namespace andon::core {
namespace {

constexpr Duration kFirstRest = std::chrono::seconds{30};
constexpr Duration kLongestRest = std::chrono::minutes{30};
constexpr Duration kLongestKnown = std::chrono::days{7};
constexpr int kMostDoublings = 6;

}  // namespace

bool is_limited(Account const& account, Instant now) {
  return account.limited_until && *account.limited_until > now;
}

bool may_start(Account const& account, Instant now, int running) {
  return !account.paused && !is_limited(account, now) && (account.slots == 0 || running < account.slots);
}

void reach_limit(Account& account, Instant now, std::optional<Instant> resets_at, int running) {
  if (resets_at && *resets_at > now) {
    account.limited_until = std::min(*resets_at, now + kLongestKnown);
    account.strikes = 0;
    return;
  }
  if (is_limited(account, now)) return;  // they ran side by side and met the same limit
  auto const doubled = kFirstRest * (1 << std::min(account.strikes, kMostDoublings));
  account.limited_until = now + std::min<Duration>(doubled, kLongestRest);
  ++account.strikes;
  account.regain = std::max(account.regain, running);
  account.slots = std::max(1, running / 2);
}

void work_went_well(Account& account) {
  account.strikes = 0;
  if (account.slots == 0) return;
  ++account.slots;
  if (account.slots < account.regain) return;
  account.slots = 0;
  account.regain = 0;
}

}  // namespace andon::core
