#include "mcp/protocol/timers.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace andon;
using std::chrono::seconds;

TEST_CASE("Timers.CallWhatIsDueInItsOrderAndOnce") {
  mcp::Timers timers;
  std::string called;
  timers.add(seconds{2}, [&] { called += "b"; });
  timers.add(seconds{1}, [&] {
    called += "a";
    timers.add(seconds{1}, [&] { called += "c"; });
  });
  timers.step(seconds{0});
  CHECK(called.empty());
  timers.step(seconds{2});
  CHECK(called == "ab");
  CHECK_FALSE(timers.empty());
  timers.step(seconds{2});
  CHECK(called == "abc");
  CHECK(timers.empty());
}
