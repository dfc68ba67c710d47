#include "service/limits/storage_meter.hpp"

#include <algorithm>
#include <array>

#include "core/actor.hpp"

namespace andon::service {
namespace {

using core::Code;

constexpr std::int64_t kMiB = 1LL << 20U;
constexpr core::Duration kMinute = std::chrono::minutes{1};
/// Every counter is empty after this time.
constexpr core::Duration kLongestDrain = std::chrono::hours{1};

constexpr std::array kBounds{
    // clang-format off
    StorageBound{.stored = Stored::text, .name = "texts",
                 .at_once = 8 * kMiB, .per_minute = 2 * kMiB, .of_run = 64 * kMiB, .of_board_day = 1024 * kMiB},
    StorageBound{.stored = Stored::report, .name = "reports",
                 .at_once = 4 * kMiB, .per_minute = 1 * kMiB},
    StorageBound{.stored = Stored::attachment, .name = "files",
                 .at_once = 200 * kMiB, .per_minute = 50 * kMiB, .of_run = 500 * kMiB, .of_board_day = 5120 * kMiB},
    StorageBound{.stored = Stored::output, .name = "lines of output",
                 .at_once = 16 * kMiB, .per_minute = 60 * kMiB},
    // clang-format on
};

consteval bool in_order() {
  for (std::size_t i = 0; i < kBounds.size(); ++i)
    if (kBounds[i].stored != static_cast<Stored>(i) || kBounds[i].at_once <= 0 ||
        kBounds[i].at_once > 60 * kBounds[i].per_minute)
      return false;
  return true;
}
static_assert(in_order() && kBounds.size() == static_cast<std::size_t>(Stored::output) + 1,
              "every kind has its row with a rate, in the order of the enum");

/// The credential's own name among the metered ones. Output is counted for each run, because its runner sends
/// that of all.
std::string name_of(Caller const& caller, StorageMeter::Write const& write) {
  if (caller.run) return "run " + std::to_string(std::int64_t{caller.run->run});
  auto const actor = core::to_text(caller.actor);
  if (write.stored != Stored::output) return actor;
  return actor + " run " + std::to_string(std::int64_t{write.run});
}

std::int64_t runs_of(Caller const& caller, Stored stored) {
  return caller.role == Role::runner && stored != Stored::output ? kRunsOfRunner : 1;
}

}  // namespace

StorageBound const& bound_of(Stored stored) { return kBounds[static_cast<std::size_t>(stored)]; }

bool StorageMeter::is_metered(Caller const& caller) {
  return caller.role == Role::run || caller.role == Role::runner || caller.run ||
         caller.actor.kind == core::ActorKind::telegram;
}

core::Result<void> StorageMeter::take(Caller const& caller, Write const& write, core::Duration now) {
  if (!is_metered(caller)) return {};
  auto const& bound = bound_of(write.stored);
  auto const bytes = std::max(write.bytes, kLeastStored);
  auto const runs = runs_of(caller, write.stored);
  std::scoped_lock const lock{mutex_};
  forget(now);
  auto& own = counter({write.stored, name_of(caller, write)}, now);
  auto const per_minute = bound.per_minute * runs;
  auto const passed = std::min(now - own.drained, kLongestDrain);
  auto const allowed = passed.count() * per_minute / kMinute.count();
  own.level = std::max<std::int64_t>(0, own.level - allowed);
  own.drained = now;
  if (own.level + bytes > bound.at_once * runs) {
    auto const wait = (own.level + bytes - bound.at_once * runs) * 60 / per_minute + 1;
    return core::refuse(core::Error{
        Code::kRateLimited,
        "this credential stores " + std::string{bound.name} + " faster than it may; try again later",
        {},
        {},
        {}}.with("retry_after", std::min<std::int64_t>(wait, 60)));
  }
  own.level += bytes;
  return {};
}

std::size_t StorageMeter::counters() const {
  std::scoped_lock const lock{mutex_};
  return counters_.size();
}

StorageMeter::Counter& StorageMeter::counter(Key const& key, core::Duration now) {
  return counters_.try_emplace(key, Counter{.drained = now}).first->second;
}

/// Visits all counters, and therefore once an hour.
void StorageMeter::forget(core::Duration now) {
  if (now < next_look_) return;
  next_look_ = now + std::chrono::hours{1};
  std::erase_if(counters_, [&](auto const& entry) { return now - entry.second.drained >= kLongestDrain; });
}

}  // namespace andon::service
