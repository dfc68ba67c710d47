#include "main/loops/upkeep_loop.hpp"

#include <algorithm>

#include "os/memory.hpp"
#include "os/processes/log.hpp"
#include "store/contract/examination.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kBetweenSlices = std::chrono::milliseconds{100};
constexpr core::Duration kGivesBackEvery = std::chrono::seconds{15};
constexpr core::Duration kClearsEvery = std::chrono::hours{1};
/// A younger content may belong to a request that is under way.
constexpr core::Duration kClearsAfter = std::chrono::hours{1};
constexpr std::size_t kTasksAtOnce = 50;
/// The first examination waits, because a server has other work just after its start.
constexpr core::Duration kFirstLook = std::chrono::minutes{10};

/// Stores the result of an examination, for `doctor`.
void keep(api::LocalExecutor& executor, store::Soundness const& found) {
  executor.write([&](service::OperationContext& u) {
    store::keep_soundness(u.tx, found);
    return true;
  });
}

}  // namespace

UpkeepLoop::UpkeepLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data)
    : executor_(executor),
      data_(data),
      client_(executor, "upkeep"),
      upkeep_(client_, data.runs()),
      next_look_(clock.now() + kFirstLook),
      loop_(executor, clock, "upkeep", kBetweenSlices, [this](core::Instant now) { return step(now); }) {}

UpkeepLoop::~UpkeepLoop() { stopping_.request_stop(); }

core::Instant UpkeepLoop::step(core::Instant now) {
  auto next = give_back_memory(now);
  if (!executor_.leads()) return next;
  next = std::min(next, clear_attachments(now));
  if (executor_.servers()) return std::min(next, upkeep_.step(now));
  return std::min({next, upkeep_.step(now), examine(now)});
}

/// Without this, the process would keep the memory of a burst of requests until the next burst.
core::Instant UpkeepLoop::give_back_memory(core::Instant now) {
  if (now < next_giving_ && next_giving_ - now <= kGivesBackEvery) return next_giving_;
  os::give_back_memory();
  return next_giving_ = now + kGivesBackEvery;
}

core::Instant UpkeepLoop::clear_attachments(core::Instant now) {
  if (now < next_clearing_ && next_clearing_ - now <= kClearsEvery) return next_clearing_;
  next_clearing_ = now + kClearsEvery;  // also when the clearing fails
  clear_from_ = executor_.clear_attachments(clear_from_, now - kClearsAfter, kTasksAtOnce);
  if (clear_from_ != 0) next_clearing_ = now + kBetweenSlices;
  return next_clearing_;
}

core::Instant UpkeepLoop::examine(core::Instant now) {
  if (now < next_look_ && next_look_ - now <= store::kExaminedEvery) return next_look_;
  std::optional<store::Soundness> last;
  executor_.read([&](service::OperationContext& u) { last = store::kept_soundness(u.tx); });
  bool const was_lately = last && last->at <= now && now < last->at + store::kExaminedEvery;
  if (was_lately) return next_look_ = last->at + store::kExaminedEvery;
  next_look_ = now + store::kExaminedEvery;
  auto const verdict = store::examine_soundness(data_.db, stopping_.get_token());
  if (!verdict) return next_look_;
  if (*verdict != "ok")
    os::log(os::Level::error,
            "the database is damaged (" + *verdict + "); restore a backup; `andon doctor` tells more");
  keep(executor_, {now, *verdict});
  return next_look_;
}

}  // namespace andon::main
