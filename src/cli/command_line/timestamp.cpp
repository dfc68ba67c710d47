#include "cli/command_line/timestamp.hpp"

#include <array>
#include <ctime>

namespace andon::cli {

std::string stamped(std::string const& text, core::Instant now) {
  auto const seconds = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(now));
  std::tm local{};
  ::localtime_r(&seconds, &local);
  std::array<char, 64> line{};
  auto const n = std::strftime(line.data(), line.size(), "[[%Y-%m-%d]] %a %H:%M", &local);
  return std::string{line.data(), n} + "\n" + text;
}

}  // namespace andon::cli
