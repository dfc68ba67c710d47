#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration d);
double seconds_since(Clock::time_point start);

/// How long single calls took, in microseconds.
class Latencies {
 public:
  void add(Clock::duration took) { all_.push_back(microseconds(took)); }
  void add(Clock::time_point start) { add(Clock::now() - start); }
  void add(Latencies const& other) { all_.insert(all_.end(), other.all_.begin(), other.all_.end()); }
  std::size_t count() const { return all_.size(); }
  /// The value that `share` (0 to 1) of the calls stayed under.
  double at(double share);

 private:
  std::vector<double> all_;
};

/// CPU time a process has used so far, user and system, in microseconds. The kernel counts it in ticks of 10
/// ms.
double cpu_of(int pid);
/// Resident memory of a process in KiB.
long resident_kib(int pid);
/// CPU time of this process, in microseconds.
double own_cpu();
/// The first load average of the machine.
std::string load_average();

}  // namespace bench
