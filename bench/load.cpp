#include <atomic>
#include <cstdio>
#include <exception>
#include <thread>

#include "measure.hpp"
#include "scenes.hpp"

namespace bench {
namespace {

struct Tally {
  Latencies picks;
  Latencies completions;
  Latencies enqueues;
  long cycles = 0;
  std::exception_ptr failed;
};

/// The task that was picked with the end of another one; empty when there was none.
std::string picked_in(std::string const& answer) {
  auto const at = answer.find("\"picked\":");
  return at == std::string::npos ? std::string{} : answer.substr(at);
}

/// One worker: pick, complete, and perhaps enqueue another, which keeps the backlog level. Where the end of a
/// task picks the next one, only the first pick is a request of its own.
void work(Stage const& stage, int number, Requests requests, std::atomic<bool> const& stop,
          Tally& tally) try {
  Connection server(stage.target);
  auto const pick = R"({"by":"w)" + std::to_string(number) + "\"}";
  auto const fresh =
      R"({"board":")" + stage.board +
      R"(","status":"todo","review":"none","title":"task title of usual length","body":"refill"})";
  auto const picks_too = requests.finish_picks ? ",\"pick\":" + pick : std::string{};
  std::string task;
  while (!stop) {
    auto start = Clock::now();
    if (task.empty()) {
      task = server.post("/api/v1/pick", pick);
      tally.picks.add(start);
    }
    start = Clock::now();
    auto const finished =
        server.post("/api/v1/tasks/" + std::to_string(number_in(task, "id")) + "/complete",
                    R"({"epoch":)" + std::to_string(number_in(task, "epoch")) + picks_too + "}");
    tally.completions.add(start);
    task = picked_in(finished);
    ++tally.cycles;
    if (!requests.refills) continue;
    start = Clock::now();
    server.post("/api/v1/tasks", fresh);
    tally.enqueues.add(start);
  }
} catch (...) {
  tally.failed = std::current_exception();
}

Tally sum(std::vector<Tally> const& tallies) {
  Tally all;
  for (auto const& one : tallies) {
    if (one.failed) std::rethrow_exception(one.failed);
    all.picks.add(one.picks);
    all.completions.add(one.completions);
    all.enqueues.add(one.enqueues);
    all.cycles += one.cycles;
  }
  return all;
}

}  // namespace

void load(Stage const& stage, Requests requests, int workers, double seconds) {
  std::vector<Tally> tallies(static_cast<std::size_t>(workers));
  std::atomic<bool> stop = false;
  auto const cpu = cpu_of(stage.server);
  auto const own = own_cpu();
  auto const start = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < workers; ++i)
      threads.emplace_back(
          [&, i] { work(stage, i + 1, requests, stop, tallies[static_cast<std::size_t>(i)]); });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    stop = true;
  }
  auto const took = seconds_since(start);
  auto all = sum(tallies);
  auto const cycles = static_cast<double>(all.cycles);
  std::printf(
      "load workers=%d per_s=%.0f pick_p50_us=%.0f pick_p99_us=%.0f complete_p50_us=%.0f enqueue_p50_us=%.0f "
      "n=%ld "
      "srv_cpu_us=%.1f cli_cpu_us=%.1f load=%s\n",
      workers, cycles / took, all.picks.at(.5), all.picks.at(.99), all.completions.at(.5),
      all.enqueues.at(.5), all.cycles, (cpu_of(stage.server) - cpu) / cycles, (own_cpu() - own) / cycles,
      load_average().c_str());
}

}  // namespace bench
