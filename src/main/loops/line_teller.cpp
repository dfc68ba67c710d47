#include "main/loops/line_teller.hpp"

#include "core/text/terminal_text.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/output/run_log.hpp"
#include "service/runs/runs.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kLinesEvery = std::chrono::milliseconds{500};
constexpr std::size_t kLongestCardLine = 500;

}  // namespace

bool LineTeller::step(core::Duration uptime) {
  if (uptime - reported_at_ < kLinesEvery) return true;
  reported_at_ = uptime;
  auto const runs = client_.call<&service::list_runs>({{}, true});
  if (!runs) return true;
  std::map<core::RunId, std::string> lines;
  for (auto const& run : runs->items) {
    auto const whole = core::without_escapes(runner::last_line(launcher_.run_directory(run.id)));
    std::string line{runner::head(whole, kLongestCardLine)};
    if (!line.empty() && lines_[run.id] != line) tell_(run, line);
    lines[run.id] = std::move(line);
  }
  lines_ = std::move(lines);
  return !lines_.empty() || !runs->items.empty();
}

}  // namespace andon::main
