#pragma once

#include <array>
#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::core {

struct Board;
struct Task;

/// The order in which tasks are picked and a column is drawn; smaller comes first.
struct PickKey {
  int class_rank = 0;  ///< place in the board's list of classes
  int due = 0;         ///< days since 1970 for fixed-date work, the largest int when it has no date, else 0
  int priority_rank = 0;  ///< 0 = highest
  std::string rank;
  TaskId id = 0;
  auto operator<=>(PickKey const&) const = default;
};
PickKey pick_key(Board const& board, Task const& task);

/// The order of a pick that prefers a class: tasks of that class come first, each part in the order of
/// `PickKey`. An empty or unknown class prefers none.
struct PreferredPickKey {
  bool is_of_other_class = false;
  PickKey key;
  auto operator<=>(PreferredPickKey const&) const = default;
};
PreferredPickKey pick_key(Board const& board, Task const& task, std::string_view class_first);

/// From when on the task may be picked, as far as it depends on the task alone: nothing while it is terminal,
/// blocked, waits for another task or is held for ever; `Instant{}` means at once.
std::optional<Instant> pickable_from(Task const& task);

/// Whether what the board's tasks say comes from files that a person has to read before an agent may.
bool needs_reader(Board const& board);
/// Whether no person of this server has read what the task says: no agent gets it.
bool is_unread(Board const& board, Task const& task);

/// The queue a task waits in: `w:NAME` for a worker or a person by name, `r:ROLE`, or empty for anybody.
/// While it is unread it waits in the `unread` one of that.
std::string queue_key(Board const& board, Task const& task);
std::string unread(std::string const& queue_key);

/// The worker that picks. A name that is not registered belongs to a person or to an agent that Andon does
/// not manage.
struct Picker {
  std::string name;
  std::string role;
  bool registered = false;
  bool takes_unassigned = true;
  bool takes_unread = false;  ///< is no agent of this server
  /// The persons whose tasks the worker takes beside its own, as kanban-md's agents do on a board of files.
  std::vector<std::string> persons{};
};
/// The queues of the board this picker draws from; one index probe each.
std::vector<std::string> queue_keys(Board const& board, Picker const& picker);
/// Whether the task is meant for the picker: its name, its role, or nobody in particular.
bool fits(Picker const& picker, Task const& task);

/// The reasons for passing over a candidate, with the names of the `Andon-Skipped` header.
enum class Skip {
  none,
  claimed,
  blocked,
  dependency,
  not_before,
  role,
  tag,
  class_,
  wip,
  class_wip,
  touches,
  approval,
  quiet,   ///< its class of service has quiet hours
  machine  ///< the machine has no room for a run of its class
};
inline constexpr std::array<std::string_view, 14> kSkipNames{
    "none",  "claimed", "blocked",   "dependency", "not_before", "role",  "tag",
    "class", "wip",     "class_wip", "touches",    "approval",   "quiet", "machine"};

/// Whether two path globs can name the same file. `*` and `?` stay within one segment, `**` spans segments,
/// braces hold alternatives, and a glob that names a folder covers everything below it. May say yes for globs
/// that cannot meet, never no for globs that can.
bool globs_overlap(std::string_view a, std::string_view b);
bool any_overlap(std::vector<std::string> const& a, std::vector<std::string> const& b);

}  // namespace andon::core
