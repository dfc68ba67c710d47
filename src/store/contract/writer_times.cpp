#include "store/contract/writer_times.hpp"

#include <algorithm>

namespace andon::store {

void WriterTimes::note(WriterAct act, std::string_view name, ActCost const& cost,
                       std::chrono::milliseconds bound) {
  std::vector<std::function<void(LongAct const&)>> listeners;
  {
    os::MutexLock const lock{mutex_};
    auto& times = totals_.acts[static_cast<std::size_t>(act)];
    ++times.count;
    if (cost.time > times.most.time) times.longest = name;
    times.most.time = std::max(times.most.time, cost.time);
    times.most.rows = std::max(times.most.rows, cost.rows);
    times.most.steps = std::max(times.most.steps, cost.steps);
    if (cost.time <= bound) return;
    ++times.beyond_bound;
    listeners = listeners_;
  }
  for (auto const& listener : listeners) listener({act, std::string{name}, cost});
}

void WriterTimes::note_urgent(std::chrono::microseconds until_answered) {
  os::MutexLock const lock{mutex_};
  totals_.slowest_urgent = std::max(totals_.slowest_urgent, until_answered);
}

WriterTimes::Totals WriterTimes::totals() const {
  os::MutexLock const lock{mutex_};
  return totals_;
}

void WriterTimes::on_long_act(std::function<void(LongAct const&)> listener) {
  os::MutexLock const lock{mutex_};
  listeners_.push_back(std::move(listener));
}

}  // namespace andon::store
