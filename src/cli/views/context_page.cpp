#include "cli/views/context_page.hpp"

#include <algorithm>
#include <array>

#include "cli/command_line/safe_text.hpp"

namespace andon::cli {
namespace {

// kanban-md's marks: a block it wrote is replaced, not doubled.
constexpr std::string_view kBegin = "<!-- BEGIN kanban-md context -->";
constexpr std::string_view kEnd = "<!-- END kanban-md context -->";

struct Title {
  std::string_view name;
  std::string_view title;
};
constexpr std::array kTitles{Title{"in-progress", "In Progress"}, Title{"blocked", "Blocked"},
                             Title{"overdue", "Overdue"}, Title{"recently-completed", "Recently Completed"}};

std::string title_of(std::string const& section) {
  auto const found = std::ranges::find(kTitles, section, &Title::name);
  return found == kTitles.end() ? section : std::string{found->title};
}

/// A text from a task, which can neither end the block nor begin another line.
std::string inert(std::string const& text) {
  auto out = one_line(text);
  for (auto at = out.find("<!--"); at != std::string::npos; at = out.find("<!--", at))
    out.replace(at, 1, "&lt;");
  return out;
}

std::string line_of(service::ContextItem const& item) {
  auto out = "- **#" + std::to_string(item.id) + "** " + inert(item.title) + " (" + inert(item.priority);
  if (!item.assignee.empty()) out += ", @" + inert(item.assignee);
  out += ")";
  if (!item.note.empty()) out += " — " + inert(item.note);
  return out + "\n";
}

}  // namespace

std::string context_page(service::BoardContext const& context) {
  auto const& sum = context.summary;
  std::string out{kBegin};
  out += "\n## Board: " + inert(context.board_name) + "\n\n**" + std::to_string(sum.total_tasks) +
         " tasks** | " + std::to_string(sum.active) + " active | " + std::to_string(sum.blocked) +
         " blocked | " + std::to_string(sum.overdue) + " overdue\n";
  if (!sum.wip_warning.empty()) out += "\n> " + inert(sum.wip_warning) + "\n";
  if (context.sections)
    for (auto const& section : *context.sections) {
      out += "\n### " + title_of(section.name) + "\n\n";
      for (auto const& item : section.items) out += line_of(item);
    }
  return out.append(kEnd).append("\n");
}

/// A mark without its other half stays where it is, with the text behind it.
std::string with_block(std::string_view text, std::string_view page) {
  auto const first = text.find(kBegin);
  auto const end = first == std::string_view::npos ? first : text.find(kEnd, first);
  std::string out;
  if (end != std::string_view::npos) {
    auto const rest = text.substr(end + kEnd.size());
    auto const line_end = rest.starts_with("\r\n") ? 2U : rest.starts_with('\n') ? 1U : 0U;
    return out.append(text.substr(0, text.rfind(kBegin, end))).append(page).append(rest.substr(line_end));
  }
  out = text;
  if (!out.empty()) out += out.ends_with('\n') ? "\n" : "\n\n";
  return out.append(page);
}

}  // namespace andon::cli
