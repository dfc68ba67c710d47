#include <cstdio>
#include <future>
#include <thread>

#include "measure.hpp"
#include "scenes.hpp"

namespace bench {
namespace {

constexpr auto kTimeToPark = std::chrono::milliseconds(3);

struct Delivery {
  Clock::time_point at;
  std::string task;
};

}  // namespace

void wake(Stage const& stage, int rounds) {
  Connection boss(stage.target);
  Connection worker(stage.target);
  auto const fresh = R"({"board":")" + stage.board + R"(","status":"todo","review":"none","title":"wake"})";
  auto const wish = R"({"by":"parked","boards":[")" + stage.board + R"("],"wait":30})";
  Latencies dispatches;
  for (int i = 0; i < rounds; ++i) {
    auto parked = std::async(std::launch::async, [&] {
      auto task = worker.post("/api/v1/pick", wish);
      return Delivery{Clock::now(), std::move(task)};
    });
    std::this_thread::sleep_for(kTimeToPark);
    auto const start = Clock::now();
    boss.post("/api/v1/tasks", fresh);
    auto const delivery = parked.get();
    dispatches.add(delivery.at - start);
    worker.post("/api/v1/tasks/" + std::to_string(number_in(delivery.task, "id")) + "/complete",
                R"({"epoch":)" + std::to_string(number_in(delivery.task, "epoch")) + "}");
  }
  std::printf("wake p50_us=%.0f p99_us=%.0f n=%zu load=%s\n", dispatches.at(.5), dispatches.at(.99),
              dispatches.count(), load_average().c_str());
}

}  // namespace bench
