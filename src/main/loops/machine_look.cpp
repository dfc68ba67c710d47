#include "main/loops/machine_look.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kReadEvery = std::chrono::milliseconds{250};  ///< while agents may take memory
constexpr core::Duration kMeasureEvery = std::chrono::seconds{2};      ///< while enough memory is free
constexpr core::Duration kReadIdleEvery = std::chrono::seconds{1};

}  // namespace

void MachineLook::step(std::size_t live_runs, core::Duration uptime) {
  if (read_at_ && uptime - *read_at_ < (live_runs > 0 ? kReadEvery : kReadIdleEvery)) return;
  read_at_ = uptime;
  auto const reading = os::read_machine(directory_);
  runner::MemoryFigures figures{reading.memory, reading.memory_available, {}, {}};
  bool const matters = runner::is_short(figures) || !keeper_.frozen_for_memory().empty();
  if (matters || !measured_at_ || uptime - *measured_at_ >= kMeasureEvery) measure(live_runs, uptime);
  figures.runs = runs_;
  for (auto const& fleet : neighbours_) figures.neighbours.push_back(fleet.held);
  keeper_.act(watch_.decide(figures, uptime));
  report(reading, live_runs, uptime);
}

void MachineLook::measure(std::size_t live_runs, core::Duration uptime) {
  measured_at_ = uptime;
  runs_ = live_runs > 0 ? keeper_.memory_of_runs() : std::vector<runner::MemoryOfRun>{};
  neighbours_ = neighbour_files_.read();
}

void MachineLook::report(os::MachineReading const& reading, std::size_t live_runs, core::Duration uptime) {
  service::ReservedMemory others;
  for (auto const& fleet : neighbours_) {
    others.runs += fleet.runs;
    others.memory += fleet.reserved;
  }
  if (auto const said = watch_.take(reading, {live_runs, keeper_.frozen_for_memory(), others}, uptime))
    if (auto const own = client_.call<&service::report_machine>(*said)) reserved_ = own->memory;
  runner::Fleet own{static_cast<std::int64_t>(live_runs), 0, live_runs > 0 ? reserved_ : 0};
  for (auto const& run : runs_) own.held += run.bytes;
  neighbour_files_.publish(own);
}

}  // namespace andon::main
