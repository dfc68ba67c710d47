#include "cli/views/landing_views.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "cli/command_line/safe_text.hpp"
#include "core/runs/landing_gate.hpp"

namespace andon::cli {
namespace {

constexpr std::size_t kMostLines = 8;

/// The limits of what is in the history of the work, which one commit does not have.
constexpr std::array<std::string_view, 2> kOfHistory{"secret_commits", "known_secrets"};

std::string words_of(core::LandFinding finding) {
  finding.files.clear();
  return core::in_words({std::move(finding)});
}

}  // namespace

std::string finding_rows(std::vector<core::LandFinding> const& findings) {
  std::string out;
  for (auto const& finding : findings) {
    auto const& lines = finding.lines;
    if (lines.empty()) continue;
    out += one_line("  " + words_of(finding) + ":") + "\n";
    auto const shown = std::span{lines}.first(std::min(lines.size(), kMostLines));
    for (auto const& line : shown) out += "    " + one_line(line) + "\n";
    if (lines.size() > shown.size())
      out += "    and " + std::to_string(lines.size() - shown.size()) + " more\n";
  }
  return out;
}

std::string answers_to(std::vector<core::LandFinding> const& findings, core::TaskId task) {
  auto const number = std::to_string(task);
  bool const is_in_history = std::ranges::any_of(findings, [](core::LandFinding const& finding) {
    return std::ranges::find(kOfHistory, finding.limit) != kOfHistory.end();
  });
  return "  answer: andon work land " + number +
         (is_in_history ? ", without its history: andon work land " + number + " --squash" : "") +
         ", or: andon work reject " + number + " --reason TEXT\n";
}

}  // namespace andon::cli
