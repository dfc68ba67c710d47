#include "os/processes/log.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text/visible_text.hpp"
#include "os/processes/clock.hpp"

namespace andon::os {
namespace {

std::atomic<Level> lowest_level{Level::info};

constexpr std::array<std::string_view, 4> kNames{"debug", "info", "warning", "error"};
constexpr std::array<std::string_view, 4> kPriorities{"<7>", "<6>", "<4>",
                                                      "<3>"};  ///< priorities of syslog(3)

bool stderr_is_journal() {
  auto const* stream = std::getenv("JOURNAL_STREAM");
  return stream && is_journal(STDERR_FILENO, stream);
}

}  // namespace

std::string journal_line(Level level, std::string_view message) {
  std::string line{kPriorities[static_cast<std::size_t>(level)]};
  line += core::visible_line(message);
  return line;
}

bool is_journal(int file, std::string_view journal_stream) {
  struct stat facts{};
  if (::fstat(file, &facts) != 0) return false;
  return journal_stream == std::to_string(facts.st_dev) + ":" + std::to_string(facts.st_ino);
}

std::string log_line(std::string_view time, Level level, std::string_view message) {
  std::string line{time};
  line.append(" ").append(kNames[static_cast<std::size_t>(level)]).append(" ");
  line += core::visible_line(message);
  return line;
}

void set_log_level(Level lowest) { lowest_level = lowest; }

bool is_logged(Level level) { return level >= lowest_level; }

std::optional<Level> level_named(std::string_view name) {
  auto const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Level>(found - kNames.begin());
}

void log(Level level, std::string_view message) {
  if (!is_logged(level)) return;
  static bool const to_journal = stderr_is_journal();
  auto const line = (to_journal ? journal_line(level, message)
                                : log_line(core::to_text(SystemClock{}.now()), level, message)) +
                    "\n";
  [[maybe_unused]] auto const written =
      ::write(STDERR_FILENO, line.data(), line.size());  // one call, so that lines do not mix
}

}  // namespace andon::os
