#include "api/timeline.hpp"

#include <utility>

#include "store/contract/store.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

namespace andon::api {
namespace {

constexpr core::Duration kNotedEvery = std::chrono::seconds{15};

}  // namespace

std::optional<core::ClockReading> Timeline::kept() const {
  std::scoped_lock const lock{mutex_};
  return kept_;
}

void Timeline::settle(std::optional<core::ClockReading> kept) {
  std::scoped_lock const lock{mutex_};
  kept_ = std::move(kept);
}

core::Instant Timeline::now() const {
  auto const known = kept();
  if (!known) return clock_.now();
  auto const reading = clock_.reading();
  return reading.wall - core::step_between(*known, reading);
}

core::Instant Timeline::now_in(store::Tx& tx) {
  if (steps_ == ClockSteps::ignore) return clock_.now();
  if (!is_known_.exchange(true)) settle(service::kept_clock(tx));
  return now();
}

bool Timeline::must_follow() const {
  auto const known = kept();
  if (!known) return true;
  auto const reading = clock_.reading();
  return known->boot != reading.boot || core::step_between(*known, reading) != core::Duration::zero() ||
         core::sleep_between(*known, reading) != core::Duration::zero();
}

void Timeline::follow_in(store::Tx& tx, service::Absence absence) {
  static service::Caller const engine{{}, service::Role::admin, core::Source::automation, {}};
  auto const reading = clock_.reading();
  service::OperationContext unit{tx, reading.wall, engine};
  settle(service::follow_clock(unit, reading, absence));
  is_known_ = true;
}

void Timeline::follow(store::Store& store) {
  if (steps_ == ClockSteps::ignore || !must_follow() || is_following_.exchange(true)) return;
  store.submit(
      [self = shared_from_this()](store::Tx& tx) {
        self->follow_in(tx, service::Absence::nobody);
        return store::Outcome::commit;
      },
      [self = shared_from_this(), before = kept()](std::exception_ptr const& trouble) {
        if (trouble) self->settle(before);
        self->is_following_ = false;
      });
}

void Timeline::follow_absence(store::Store& store) {
  store::write(store, [this](store::Tx& tx) {
    follow_in(tx, service::Absence::server);
    return store::Outcome::commit;
  });
}

void Timeline::note(service::OperationContext& ctx) {
  auto const known = kept();
  if (steps_ == ClockSteps::ignore || !known || clock_.uptime() - known->uptime < kNotedEvery) return;
  settle(service::note_clock(ctx, *known, clock_.reading()));
}

}  // namespace andon::api
