#include "core/time/cron.hpp"

#include <cstdlib>

/// A schedule that is understood comes, again and again, and only at minutes it names.
extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  using namespace andon::core;
  using namespace std::chrono;
  auto const cron = parse_cron({reinterpret_cast<char const*>(data), size});
  if (!cron) return 0;
  WallTime from = local_days{2026y / 1 / 1};
  for (int i = 0; i < 3; ++i) {
    auto const at = first_match(*cron, from, from + days{41 * 366});
    if (!at || *at < from) std::abort();
    auto const minute = duration_cast<minutes>(*at - floor<days>(*at)).count();
    bool const named = (cron->hours >> (minute / 60) & 1U) != 0 && (cron->minutes >> (minute % 60) & 1U) != 0;
    if (!named) std::abort();
    from = *at + minutes{1};
  }
  return 0;
}
