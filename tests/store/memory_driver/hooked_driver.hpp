#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "store/engine/driver.hpp"

namespace andon::test {

/// The calls of a session that a hook can tell apart.
enum class SessionCall { begin, commit, rollback, mark, undo, start_unit, read, candidates, write };

/// Called before each call of a driver's sessions, before each write with what it writes, and before each
/// sync. A hook that throws StoreError fails the call, which then does nothing.
struct DriverHooks {
  std::function<void(store::engine::Rights, SessionCall)> on_call{};
  std::function<void()> on_sync{};
  std::function<void(store::engine::Writes const&)> on_write{};
};

/// Any driver, with hooks.
class HookedDriver final : public store::engine::Driver {
 public:
  HookedDriver(std::shared_ptr<store::engine::Driver> inner, DriverHooks hooks)
      : inner_(std::move(inner)), hooks_(std::move(hooks)) {}
  std::unique_ptr<store::engine::Session> open(store::engine::Rights rights) override;
  void sync() override {
    if (hooks_.on_sync) hooks_.on_sync();
    inner_->sync();
  }
  store::engine::Tidied tidy(store::engine::Occasion occasion) override { return inner_->tidy(occasion); }
  store::engine::DriverState state() const override { return inner_->state(); }

 private:
  std::shared_ptr<store::engine::Driver> const inner_;
  DriverHooks const hooks_;
};

}  // namespace andon::test
