#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <boost/json/value.hpp>

#include "core/model/event.hpp"
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
void describe(auto& field, EventsRequest const*) {
  field(&EventsRequest::since, "since", "Events after this number or cursor");
  field(&EventsRequest::boards, "boards", "Only these boards");
  field(&EventsRequest::board, "board", "Only this board");
  field(&EventsRequest::task, "task", "Only this task");
  field(&EventsRequest::kind, "kind", "Only this kind, such as task.moved");
  field(&EventsRequest::after, "after", "Only events after this time");
  field(&EventsRequest::limit, "limit", "Most events in the answer, up to 500");
  field(&EventsRequest::newest, "newest", "The last events instead of the first", core::set_only);
}

/// An event on the wire: its data is JSON, not text.
struct WireEvent {
  core::EventSeq seq = 0;
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
void describe(auto& field, WireEvent const*) {
  field(&WireEvent::seq, "seq", "Place in the history, without gaps", core::always);
  field(&WireEvent::ts, "ts", "When", core::always);
  field(&WireEvent::actor, "actor", "Who", core::always);
  field(&WireEvent::kind, "kind", "What", core::always);
  field(&WireEvent::board, "board", "Board");
  field(&WireEvent::task, "task", "Task");
  field(&WireEvent::run, "run", "Run");
  field(&WireEvent::from, "from", "Status before");
  field(&WireEvent::to, "to", "Status after");
  field(&WireEvent::data, "data", "More, depending on the kind");
}

/// The reason why a page of events does not follow on the cursor that was given.
enum class EventGap {
  trimmed,  ///< events in between are no longer kept
  epoch,    ///< the cursor is of other data
  future,   ///< the cursor is beyond the last event
};
inline constexpr std::array<std::string_view, 3> kEventGapNames{"trimmed", "epoch", "future"};
constexpr auto const& wire_names(EventGap) { return kEventGapNames; }

/// The events that a feed can still give: those after `first`, up to `last`.
struct FeedRange {
  std::string_view incarnation;  ///< of the data
  core::EventSeq first = 0;
  core::EventSeq last = 0;
};
/// The gap between a cursor and a feed; nothing when the feed goes on there. A cursor without an incarnation
/// is taken for one of this data.
std::optional<EventGap> gap_before(std::string_view incarnation, core::EventSeq seq, FeedRange const& feed);

struct Events {
  std::vector<WireEvent> items;
  std::string next;
  std::optional<EventGap> reset;
};
void describe(auto& field, Events const*) {
  field(&Events::items, "items", "The events in order", core::always);
  field(&Events::next, "next", "Where the next page begins");
  field(&Events::reset, "reset",
        "Why the page does not follow on what came before: "
        "trimmed, epoch or future");
}

WireEvent on_the_wire(core::Event const& event);

/// A page of history. Where events after `since` were removed, or `since` is no place of this data, the
/// answer says so and begins with what there is.
core::Result<Events> list_events(OperationContext& ctx, EventsRequest const& request);

/// The number in `18233` or `k3f9.18233`; nothing when it is neither.
std::optional<core::EventSeq> parse_cursor(std::string_view text);

}  // namespace andon::service
