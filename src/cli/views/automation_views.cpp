#include "cli/views/automation_views.hpp"

#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/views/task_views.hpp"

namespace andon::cli {
namespace {

using core::Automation;

std::string when_of(Automation const& automation) {
  if (automation.kind == core::AutomationKind::queue_dry)
    return "queue dry for " + core::to_text(automation.after);
  return automation.cron + (automation.tz == "UTC" ? "" : " " + automation.tz);
}

std::string minute_or_nothing(std::optional<core::Instant> const& at) {
  return at ? minute_of(*at) : std::string{};
}

std::string number_of(std::optional<core::TaskId> const& task) {
  return task ? "#" + std::to_string(*task) : std::string{};
}

std::string next_of(Automation const& automation) {
  if (!automation.enabled) return "off";
  if (automation.task && automation.kind == core::AutomationKind::queue_dry)
    return "after " + number_of(automation.task);
  return minute_or_nothing(automation.next_due);
}

std::string compact_line(Automation const& automation) {
  auto const next = next_of(automation);
  return "#" + std::to_string(automation.id) + " " + automation.name + " [" + automation.board + "] " +
         when_of(automation) + (next.empty() ? "" : " next:" + next) +
         (automation.task ? " open:" + number_of(automation.task) : "") + " " + automation.template_.title;
}

}  // namespace

std::string automation_list(service::Automations const& automations, Screen const& screen) {
  Table table({{"NAME", 0, 0},
               {"BOARD", 0, 0},
               {"WHEN", 0, 0},
               {"NEXT", 0, 0},
               {"LAST", 0, 0},
               {"OPEN", 0, 0},
               {"TITLE", 0, 40}});
  std::string lines;
  for (auto const& a : automations.items) {
    table.add({a.name, a.board, when_of(a), next_of(a), minute_or_nothing(a.last_fired), number_of(a.task),
               a.template_.title});
    lines += one_line(compact_line(a)) + "\n";
  }
  if (screen.is_compact()) return lines;
  return screen.drawn(table);
}

std::string automation_page(Automation const& automation, Screen const& screen) {
  auto const& task = automation.template_;
  std::string out =
      screen.painted(one_line(automation.name), "1") + " (" + one_line(automation.board) + ")\n";
  for (auto const& [label, value] :
       {std::pair{"Fires", when_of(automation)},
        {"Next", next_of(automation)},
        {"Last", minute_or_nothing(automation.last_fired)},
        {"Skipped", minute_or_nothing(automation.last_skipped)},
        {"Made", std::to_string(automation.fired) + (automation.fired == 1 ? " task" : " tasks")},
        {"Open task", number_of(automation.task)},
        {"Title", task.title},
        {"Role", task.role},
        {"Worker", task.assignee},
        {"Priority", task.priority}})
    if (!value.empty()) out += "  " + padded(std::string{label} + ":", 11) + one_line(value) + "\n";
  return task.body.empty() ? out : out + "\n" + many_lines(task.body) + "\n";
}

}  // namespace andon::cli
