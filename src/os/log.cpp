#include "os/log.hpp"

#include <array>
#include <atomic>
#include <unistd.h>

#include "os/clock.hpp"

namespace andon::os {
namespace {

std::atomic<Level> lowest_level{Level::info};

constexpr std::array<std::string_view, 4> kNames{"debug", "info", "warning", "error"};

void append_escaped(std::string_view text, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (char const c : text) {
    auto const u = static_cast<unsigned char>(c);
    if (u >= 0x20 && u != 0x7F) {
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += "\\x";
      out += kHex[u >> 4U];
      out += kHex[u & 15U];
    }
  }
}

}  // namespace

std::string log_line(std::string_view time, Level level, std::string_view message) {
  std::string line{time};
  line.append(" ").append(kNames[static_cast<std::size_t>(level)]).append(" ");
  append_escaped(message, line);
  return line;
}

void set_log_level(Level lowest) { lowest_level = lowest; }

void log(Level level, std::string_view message) {
  if (level < lowest_level) return;
  auto const line = log_line(core::to_text(SystemClock{}.now()), level, message) + "\n";
  [[maybe_unused]] auto const written =
      ::write(STDERR_FILENO, line.data(), line.size());  // one call, one whole line
}

}  // namespace andon::os
