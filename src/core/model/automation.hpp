#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/model/next_task.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The trigger of an automation.
enum class AutomationKind {
  cron,      ///< its schedule, by the clocks of its time zone
  queue_dry  ///< nothing ready, claimed or active on its board for a while
};
inline constexpr std::array<std::string_view, 2> kAutomationKindNames{"cron", "queue_dry"};
constexpr auto const& wire_names(AutomationKind) { return kAutomationKindNames; }

/// A rule of a board that makes a task from its template, never a second one while the first is open.
struct Automation {
  AutomationId id = 0;
  std::string name;
  std::string board;
  AutomationKind kind{};
  std::string cron;  ///< of kind cron
  std::string tz = "UTC";
  Duration after{};  ///< of kind queue_dry
  NextTask template_;
  bool enabled = true;
  std::int64_t fired = 0;
  std::optional<Instant> last_fired;
  std::optional<Instant> last_skipped;
  std::optional<TaskId> last_task;
  std::optional<Instant> next_due;  ///< kept for kind cron, derived in answers for kind queue_dry
  std::optional<TaskId> task;       ///< derived, only in answers
  Instant created{};
  std::string created_by;
  Revision rev = 1;
  bool operator==(Automation const&) const = default;
};
void describe(auto& field, Automation const*) {
  field(&Automation::id, "id", "Number of the automation", always);
  field(&Automation::name, "name", "Its name, of which there is one in the store", always);
  field(&Automation::board, "board", "Board it makes tasks on", always);
  field(&Automation::kind, "kind", "What makes it fire: cron or queue_dry", always);
  field(&Automation::cron, "cron", "Schedule of five fields, or @daily and the like");
  field(&Automation::tz, "tz", "Time zone of the schedule, such as Europe/Berlin", always);
  field(&Automation::after, "after", "How long nothing was ready or in work before it fires");
  field(&Automation::template_, "template", "The task it makes", always);
  field(&Automation::enabled, "enabled", "Whether it fires by itself", always);
  field(&Automation::fired, "fired", "How many tasks it has made", always);
  field(&Automation::last_fired, "last_fired", "When it last made a task");
  field(&Automation::last_skipped, "last_skipped", "When it last was due while its task was still open");
  field(&Automation::last_task, "last_task", "The last task it made");
  field(&Automation::next_due, "next_due", "When it fires next if nothing changes");
  field(&Automation::task, "task", "Its task that is still open; it makes no other until that is finished");
  field(&Automation::created, "created", "When it was added", always);
  field(&Automation::created_by, "created_by", "Who added it");
  field(&Automation::rev, "rev", "Rises with every change", always);
}

}  // namespace andon::core
