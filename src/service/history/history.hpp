#pragma once

#include <boost/json/value.hpp>

#include "service/requests.hpp"

namespace andon::service {

struct EventsRequest {
  std::string since;
  std::vector<std::string> boards;
  std::string board;
  std::optional<TaskRef> task;
  std::optional<core::EventKind> kind;
  std::optional<core::Instant> after;
  std::optional<int> limit;
  bool newest = false;
};
BOOST_DESCRIBE_STRUCT(EventsRequest, (), (since, boards, board, task, kind, after, limit, newest))
inline constexpr std::array kEventsFields{
    core::Field{"since", "Events after this number or cursor"},
    core::Field{"boards", "Only these boards"},
    core::Field{"board", "Only this board"},
    core::Field{"task", "Only this task"},
    core::Field{"kind", "Only this kind, such as task.moved"},
    core::Field{"after", "Only events after this time"},
    core::Field{"limit", "Most events in the answer, up to 500"},
    core::Field{"newest", "The last events instead of the first", core::set_only}};
constexpr auto const& fields(EventsRequest const*) { return kEventsFields; }

/// An event on the wire: its data is JSON, not text.
struct WireEvent {
  std::int64_t seq = 0;
  core::Instant ts{};
  core::Actor actor;
  core::EventKind kind{};
  std::string board;
  std::optional<core::TaskId> task;
  std::optional<core::RunId> run;
  std::string from;
  std::string to;
  boost::json::value data;
};
BOOST_DESCRIBE_STRUCT(WireEvent, (), (seq, ts, actor, kind, board, task, run, from, to, data))
inline constexpr std::array kWireEventFields{
    core::Field{"seq", "Place in the history, without gaps", core::always},
    core::Field{"ts", "When", core::always},
    core::Field{"actor", "Who", core::always},
    core::Field{"kind", "What", core::always},
    core::Field{"board", "Board"},
    core::Field{"task", "Task"},
    core::Field{"run", "Run"},
    core::Field{"from", "Status before"},
    core::Field{"to", "Status after"},
    core::Field{"data", "More, depending on the kind"}};
constexpr auto const& fields(WireEvent const*) { return kWireEventFields; }

struct Events {
  std::vector<WireEvent> items;
  std::string next;
  std::string reset;
};
BOOST_DESCRIBE_STRUCT(Events, (), (items, next, reset))
inline constexpr std::array kEventsAnswerFields{
    core::Field{"items", "The events in order", core::always},
    core::Field{"next", "Where the next page begins"},
    core::Field{"reset",
                "Why the page does not follow on what came before: "
                "trimmed, epoch or future"}};
constexpr auto const& fields(Events const*) { return kEventsAnswerFields; }

WireEvent on_the_wire(core::Event const& event);

/// A page of history. Where events after `since` were removed, or `since` is no place of this data, the
/// answer says so and begins with what there is.
core::Result<Events> list_events(OperationContext& ctx, EventsRequest const& request);

/// The number in `18233` or `k3f9.18233`; nothing when it is neither.
std::optional<std::int64_t> parse_cursor(std::string_view text);

}  // namespace andon::service
