#include "bridge/telegram/pace.hpp"

#include <algorithm>
#include <cmath>

namespace andon::bridge::telegram {
namespace {

/// A full bucket and how many tokens come back in a millisecond.
struct Rate {
  double most;
  double each;
};

constexpr Rate kChat{3, 1.0 / 1000};
constexpr Rate kGroup{20, 20.0 / 60'000};
constexpr Rate kAll{30, 30.0 / 1000};

double tokens_at(Bucket const& bucket, Rate rate, core::Duration now) {
  auto const passed = static_cast<double>(std::max(core::Duration{}, now - bucket.at).count());
  return std::min(rate.most, bucket.tokens + passed * rate.each);
}

core::Duration wait_of(Bucket const& bucket, Rate rate, core::Duration now) {
  // A token that is short by a rounding error counts.
  auto const missing = 1 - 1e-6 - tokens_at(bucket, rate, now);
  return missing <= 0 ? core::Duration{} : core::Duration{std::lround(std::ceil(missing / rate.each))};
}

Bucket bucket_of(std::map<std::int64_t, Bucket> const& buckets, std::int64_t chat, Rate rate) {
  auto const found = buckets.find(chat);
  return found == buckets.end() ? Bucket{.tokens = rate.most} : found->second;
}

Bucket spent(Bucket const& bucket, Rate rate, core::Duration now) {
  return {std::max(0.0, tokens_at(bucket, rate, now) - 1), now};
}

}  // namespace

core::Duration Pace::wait(std::int64_t chat, core::Duration now) const {
  auto wait = std::max(wait_of(all_, kAll, now), wait_of(bucket_of(chats_, chat, kChat), kChat, now));
  if (chat < 0) wait = std::max(wait, wait_of(bucket_of(groups_, chat, kGroup), kGroup, now));
  return wait;
}

void Pace::spend(std::int64_t chat, core::Duration now) {
  all_ = spent(all_, kAll, now);
  chats_[chat] = spent(bucket_of(chats_, chat, kChat), kChat, now);
  if (chat < 0) groups_[chat] = spent(bucket_of(groups_, chat, kGroup), kGroup, now);
}

core::Duration Backoff::next() {
  constexpr core::Duration kFirst = std::chrono::seconds{1};
  constexpr core::Duration kLongest = std::chrono::seconds{60};
  wait_ = wait_ == core::Duration{} ? kFirst : std::min(wait_ * 2, kLongest);
  return wait_;
}

}  // namespace andon::bridge::telegram
