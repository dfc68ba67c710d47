#include "main/loops/machine_look.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kReadEvery = std::chrono::milliseconds{250};  ///< while agents may take memory
constexpr core::Duration kReadIdleEvery = std::chrono::seconds{1};

}  // namespace

void MachineLook::step(std::size_t live_runs, core::Duration uptime) {
  if (read_at_ && uptime - *read_at_ < (live_runs > 0 ? kReadEvery : kReadIdleEvery)) return;
  read_at_ = uptime;
  auto const reading = os::read_machine(directory_);
  runner::MemoryFigures figures{reading.memory, reading.memory_available, {}, {}};
  bool const matters = runner::is_short(figures) || !keeper_.frozen_for_memory().empty();
  if (live_runs > 0 && matters) figures.runs = keeper_.memory_of_runs();
  keeper_.act(watch_.decide(figures, uptime));
  if (auto const report = watch_.take(reading, {live_runs, keeper_.frozen_for_memory()}, uptime))
    static_cast<void>(client_.call<&service::report_machine>(*report));
}

}  // namespace andon::main
