#include "store/markdown/writer_alarm.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace andon::store::markdown {

void WriterAlarm::begin(std::function<void()> wake) {
  wake_ = std::move(wake);
  watcher_ = std::jthread{[this](std::stop_token const& stop) { watch(stop); }};
}

void WriterAlarm::end() noexcept {
  if (!watcher_.joinable()) return;
  watcher_.request_stop();
  watch_->wake();
  watcher_.join();
}

void WriterAlarm::watch(std::stop_token const& stop) {
  while (!stop.stop_requested()) {
    auto const due = due_.load();
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(due - Steady::now()).count();
    bool const is_asleep = due == Time::max() || is_woken_;
    bool const touched =
        watch_->wait(is_asleep ? -1 : static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
    if (stop.stop_requested()) return;
    if ((touched || due_.load() <= Steady::now()) && !is_woken_.exchange(true)) wake_();
  }
}

void WriterAlarm::leave(Time due) noexcept {
  bool const is_earlier = due_.exchange(due) > due;
  if (is_earlier || std::exchange(was_woken_, false)) watch_->wake();
}

}  // namespace andon::store::markdown
