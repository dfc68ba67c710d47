#include "tui/program/board_follower.hpp"

#include <fstream>
#include <future>
#include <mutex>

#include <doctest/doctest.h>

#include "support/scratch.hpp"

using namespace andon;
using namespace andon::tui;

TEST_CASE("BoardFollower.MissesNoChangeThatComesAfterItWasMade") {
  test::Scratch const scratch;
  BoardAccess access;
  access.files = scratch.path();
  for (int i = 0; i < 20; ++i) {
    Mailbox mailbox;
    std::ofstream config{scratch / "config.yml"};
    std::promise<void> noticed;
    std::once_flag first;
    BoardFollower const follower{access, mailbox,
                                 [&] { std::call_once(first, [&] { noticed.set_value(); }); }};
    config << i << std::flush;
    REQUIRE(noticed.get_future().wait_for(std::chrono::seconds{60}) == std::future_status::ready);
  }
}
