#include "runner/supervision/resource_watch.hpp"

#include <algorithm>
#include <condition_variable>

#include "os/processes/resource_use.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kShortest{20};
constexpr core::Duration kLongest{1'000};
constexpr core::Duration kLongestWithoutLimit{2'000};
/// The growth of memory that samples keep up with, in bytes for each millisecond: 4 GiB for each second.
constexpr std::int64_t kFastestGrowth = (4LL << 30U) / 1'000;
constexpr std::size_t kEntriesOfStep = 2'000;

std::string size(std::int64_t bytes) { return core::rounded({bytes}); }

std::int64_t bytes_of(std::optional<core::ByteSize> const& limit) {
  return limit.value_or(core::ByteSize{}).bytes;
}

bool is_over(std::int64_t value, std::int64_t limit) { return limit > 0 && value > limit; }

}  // namespace

void hold_back(pid_t process, core::ResourceLimits const& limits) {
  os::set_cpu_weight(process, core::cpu_weight_of(limits));
  if (limits.disk) os::limit_file_size(process, limits.disk->bytes);
}

std::vector<std::filesystem::path> disk_of(RunFiles const& files, RunSpec const& spec) {
  std::vector<std::filesystem::path> out{files.dir};
  if (spec.workspace) out.emplace_back(spec.workspace->directory);
  return out;
}

void ResourceJudge::take(ResourceSample const& sample) {
  last_ = sample;
  peak_ = {std::max(peak_.memory, sample.memory), std::max(peak_.processes, sample.processes),
           std::max(peak_.disk, sample.disk)};
  if (exceeded_ != Kind::none) return;
  if (is_over(sample.memory, bytes_of(limits_.memory)))
    exceeded_ = Kind::memory;
  else if (is_over(sample.processes, limits_.processes))
    exceeded_ = Kind::processes;
  else if (is_over(sample.disk, bytes_of(limits_.disk)))
    exceeded_ = Kind::disk;
}

std::string ResourceJudge::excess() const {
  auto const says = [](std::string const& peak, std::string const& of, std::string const& limit) {
    return "used " + peak + of + ", more than the " + limit + " that it may; give it more, or smaller work";
  };
  switch (exceeded_) {
    case Kind::none: break;
    case Kind::memory: return says(size(peak_.memory), " of memory", size(bytes_of(limits_.memory)));
    case Kind::processes:
      return says(std::to_string(peak_.processes), " processes at once", std::to_string(limits_.processes));
    case Kind::disk: return says(size(peak_.disk), " of disk", size(bytes_of(limits_.disk)));
  }
  return {};
}

core::Duration ResourceJudge::interval() const {
  auto const limit = bytes_of(limits_.memory);
  if (limit == 0) return limits_ == core::ResourceLimits{} ? kLongestWithoutLimit : kLongest;
  auto const room = std::max<std::int64_t>(limit - last_.memory, 0);
  return std::clamp(core::Duration{room / kFastestGrowth}, kShortest, kLongest);
}

ResourceWatch::ResourceWatch(core::ResourceLimits const& limits,
                             std::function<std::vector<pid_t>()> processes,
                             std::vector<std::filesystem::path> directories)
    : limits_(limits),
      ended_before_(os::processes_ended_without_memory()),
      processes_(std::move(processes)),
      disk_(std::move(directories)),
      judge_(limits),
      thread_([this](std::stop_token const& stop) { run(stop); }) {}

RunUse ResourceWatch::use() const {
  RunUse out{os::use_of_ended_children(), {}, false, os::processes_ended_without_memory() > ended_before_};
  std::scoped_lock const lock{mutex_};
  out.used.peak_memory = std::max(out.used.peak_memory, judge_.peak_memory());
  auto judge = judge_;
  if (judge.is_exceeded()) judge.take({.memory = out.used.peak_memory});
  out.excess = judge.excess();
  return out;
}

ResourceSample ResourceWatch::sample() {
  auto processes = processes_();
  std::ranges::sort(processes);
  for (auto const process : processes)
    if (!std::ranges::binary_search(held_, process)) hold_back(process, limits_);
  ResourceSample out{os::resident_memory(processes), std::ssize(processes), 0};
  if (limits_.disk) out.disk = disk_.step(kEntriesOfStep);
  held_ = std::move(processes);
  return out;
}

void ResourceWatch::run(std::stop_token const& stop) {
  std::condition_variable_any ended;
  std::unique_lock lock{mutex_};
  while (!stop.stop_requested()) {
    lock.unlock();
    auto const taken = sample();
    lock.lock();
    judge_.take(taken);
    if (judge_.is_exceeded() && !exceeded_.is_set()) exceeded_.set();
    ended.wait_for(lock, stop, judge_.interval(), [] { return false; });
  }
}

}  // namespace andon::runner
