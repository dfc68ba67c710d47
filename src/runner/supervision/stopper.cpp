#include "runner/supervision/stopper.hpp"

#include <csignal>

namespace andon::runner {

Stopper::Stopper(std::vector<StopStep> polite, core::Duration kill_grace)
    : polite_(std::move(polite)), kill_{{SIGTERM, kill_grace}, {SIGKILL, {}}} {
  if (polite_.empty() || polite_.back().signal != SIGKILL) polite_.push_back({SIGKILL, {}});
}

void Stopper::begin(std::vector<StopStep> const& steps, core::Duration now) {
  if (steps_ == &steps || is_killing()) return;
  steps_ = &steps;
  index_ = 0;
  due_ = now;
}

std::optional<int> Stopper::step(core::Duration now) {
  if (!steps_ || index_ == steps_->size() || now < due_) return std::nullopt;
  auto const& step = (*steps_)[index_++];
  due_ = now + step.wait;
  return step.signal;
}

std::optional<core::Duration> Stopper::next() const {
  if (!steps_ || index_ == steps_->size()) return std::nullopt;
  return due_;
}

}  // namespace andon::runner
