#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <boost/describe.hpp>

#include "core/field.hpp"
#include "core/model/task.hpp"
#include "core/time/time.hpp"

namespace andon::core {

using AutomationId = std::int64_t;

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
  std::int64_t rev = 1;
  bool operator==(Automation const&) const = default;
};
BOOST_DESCRIBE_STRUCT(Automation, (),
                      (id, name, board, kind, cron, tz, after, template_, enabled, fired, last_fired,
                       last_skipped, last_task, next_due, task, created, created_by, rev))
inline constexpr std::array kAutomationFields{
    Field{"id", "Number of the automation", always},
    Field{"name", "Its name, of which there is one in the store", always},
    Field{"board", "Board it makes tasks on", always},
    Field{"kind", "What makes it fire: cron or queue_dry", always},
    Field{"cron", "Schedule of five fields, or @daily and the like"},
    Field{"tz", "Time zone of the schedule, such as Europe/Berlin", always},
    Field{"after", "How long nothing was ready or in work before it fires"},
    Field{"template", "The task it makes", always},
    Field{"enabled", "Whether it fires by itself", always},
    Field{"fired", "How many tasks it has made", always},
    Field{"last_fired", "When it last made a task"},
    Field{"last_skipped", "When it last was due while its task was still open"},
    Field{"last_task", "The last task it made"},
    Field{"next_due", "When it fires next if nothing changes"},
    Field{"task", "Its task that is still open; it makes no other until that is finished"},
    Field{"created", "When it was added", always},
    Field{"created_by", "Who added it"},
    Field{"rev", "Rises with every change", always}};
constexpr auto const& fields(Automation const*) { return kAutomationFields; }

}  // namespace andon::core
