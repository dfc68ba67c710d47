#pragma once

#include <sstream>

#include "cli/command_line/screen.hpp"
#include "support/fake_clock.hpp"

namespace andon::test {

/// A screen for tables, without a terminal.
struct Paper {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  FakeClock clock;
  cli::Environment env{in, out, err, clock};
  cli::Screen screen{env, cli::Format::table, false, false};
};

}  // namespace andon::test
