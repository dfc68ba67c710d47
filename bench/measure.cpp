#include "measure.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

namespace bench {
namespace {

constexpr int kFieldsBeforeUserTime = 11;  // after the command's name; see proc(5), /proc/PID/stat

std::ifstream open_proc(int pid, char const* name) {
  auto const path = "/proc/" + std::to_string(pid) + "/" + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  return file;
}

}  // namespace

double microseconds(Clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); }
double seconds_since(Clock::time_point start) { return microseconds(Clock::now() - start) / 1e6; }

double Latencies::at(double share) {
  if (all_.empty()) return 0;
  std::ranges::sort(all_);
  auto const place = static_cast<std::size_t>(share * static_cast<double>(all_.size()));
  return all_[std::min(place, all_.size() - 1)];
}

double cpu_of(int pid) {
  auto file = open_proc(pid, "stat");
  file.ignore(1024, ')');
  std::string skipped;
  for (int i = 0; i < kFieldsBeforeUserTime; ++i) file >> skipped;
  double user = 0;
  double system = 0;
  file >> user >> system;
  return (user + system) * 1e6 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

long resident_kib(int pid) {
  auto file = open_proc(pid, "status");
  for (std::string word; file >> word;)
    if (word == "VmRSS:") {
      long kib = 0;
      file >> kib;
      return kib;
    }
  throw std::runtime_error("no VmRSS of process " + std::to_string(pid));
}

double own_cpu() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  auto const in_microseconds = [](timeval const& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
  };
  return in_microseconds(used.ru_utime) + in_microseconds(used.ru_stime);
}

std::string load_average() {
  std::ifstream file("/proc/loadavg");
  std::string load;
  file >> load;
  return load;
}

}  // namespace bench
