#include <cstdio>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.hpp"
#include "scenes.hpp"

namespace bench {
namespace {

double cpu_of(rusage const& used) {
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/// Runs the command to its end with its output thrown away; returns the CPU it used, in microseconds.
double run(std::vector<char*> const& argv) {
  posix_spawn_file_actions_t quiet;
  ::posix_spawn_file_actions_init(&quiet);
  ::posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int const error = ::posix_spawnp(&child, argv[0], &quiet, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&quiet);
  if (error != 0) throw std::runtime_error("cannot run " + std::string{argv[0]});
  int status = 0;
  rusage used{};
  if (::wait4(child, &status, 0, &used) < 0 || status != 0)
    throw std::runtime_error(std::string{argv[0]} + " failed");
  return cpu_of(used);
}

}  // namespace

void processes(int rounds, std::vector<std::string> const& command) {
  auto words = command;
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Latencies times;
  double cpu = 0;
  for (int i = 0; i < rounds; ++i) {
    auto const start = Clock::now();
    cpu += run(argv);
    times.add(start);
  }
  std::printf("process p50_us=%.0f p99_us=%.0f n=%d cpu_us=%.0f load=%s\n", times.at(.5), times.at(.99),
              rounds, cpu / rounds, load_average().c_str());
}

}  // namespace bench
