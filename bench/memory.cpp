#include <cstdio>

#include "measure.hpp"
#include "scenes.hpp"

namespace bench {

void memory(Stage const& stage, int streams) {
  auto const alone = resident_kib(stage.server);
  std::vector<Connection> open;
  for (int i = 0; i < streams; ++i) {
    open.emplace_back(stage.target);
    open.back().open_stream("/api/v1/events?boards=" + stage.board);
  }
  auto const watched = resident_kib(stage.server);
  std::printf("memory rss_kib=%ld streams=%d with_streams_kib=%ld kib_per_stream=%.1f load=%s\n", alone,
              streams, watched, streams ? static_cast<double>(watched - alone) / streams : 0.0,
              load_average().c_str());
}

}  // namespace bench
