#include <cstdio>

#include "measure.hpp"
#include "scenes.hpp"

namespace bench {

void pick(Stage const& stage, int rounds) {
  Connection server(stage.target);
  Latencies picks;
  auto const cpu = cpu_of(stage.server);
  for (int i = 0; i < rounds; ++i) {
    auto const wish = R"({"by":"picker","boards":[")" + stage.board + R"("],"move":"in-progress","role":")" +
                      kRoles[static_cast<std::size_t>(i) % kRoles.size()] + "\"}";
    auto const start = Clock::now();
    auto const task = server.post("/api/v1/pick", wish);
    picks.add(start);
    server.post("/api/v1/tasks/" + std::to_string(number_in(task, "id")) + "/complete",
                R"({"epoch":)" + std::to_string(number_in(task, "epoch")) + "}");
  }
  std::printf("pick p50_us=%.0f p99_us=%.0f n=%zu srv_cpu_us=%.1f load=%s\n", picks.at(.5), picks.at(.99),
              picks.count(), (cpu_of(stage.server) - cpu) / rounds, load_average().c_str());
}

}  // namespace bench
