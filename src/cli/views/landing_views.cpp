#include "cli/views/landing_views.hpp"

#include <algorithm>
#include <span>

#include "cli/command_line/safe_text.hpp"
#include "core/runs/landing_gate.hpp"

namespace andon::cli {
namespace {

constexpr std::size_t kMostLines = 8;

}  // namespace

std::string finding_rows(std::vector<core::LandFinding> const& findings) {
  std::string out;
  for (auto const& finding : findings) {
    auto const& lines = finding.lines;
    out += one_line("  " + core::in_words({finding})) + "\n";
    auto const shown = std::span{lines}.first(std::min(lines.size(), kMostLines));
    for (auto const& line : shown) out += "    " + one_line(line) + "\n";
    if (lines.size() > shown.size())
      out += "    and " + std::to_string(lines.size() - shown.size()) + " more\n";
  }
  return out;
}

std::string answers_to(std::vector<core::LandFinding> const& findings, core::TaskId task) {
  auto const number = std::to_string(task);
  bool const is_in_history = std::ranges::any_of(findings, &core::is_about_history);
  return "  answer: andon work land " + number +
         (is_in_history ? ", without its history: andon work land " + number + " --squash" : "") +
         ", or: andon work reject " + number + " --reason TEXT\n";
}

}  // namespace andon::cli
