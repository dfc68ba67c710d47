#include "service/history/history.hpp"

#include <charconv>

#include "reflect/json.hpp"
#include "service/history/retention.hpp"
#include "service/operation_context.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr int kMostEventsOfPage = 500;

Result<store::EventFilter> filter_of(OperationContext& ctx, EventsRequest const& r) {
  store::EventFilter filter;
  if (!r.since.empty()) {
    auto const seq = parse_cursor(r.since);
    if (!seq) return core::refuse(Code::kMalformed, "\"since\" is not a cursor", "since");
    filter.after = *seq;
  }
  auto names = r.boards;
  if (!r.board.empty()) names.push_back(r.board);
  if (names.empty() && is_run(ctx)) names.push_back(ctx.caller.run->board);
  for (auto const& name : names) {
    ANDON_TRY(auto const* board, find_board(ctx, name));
    filter.boards.push_back(board->name);
  }
  if (r.task) {
    ANDON_TRY(auto const task, find_task(ctx, *r.task, "task"));
    filter.task = task.id;
  }
  filter.kind = r.kind;
  filter.since = r.after;
  filter.newest = r.newest;
  auto const limit = r.limit.value_or(kMostEventsOfPage);
  if (limit < 1 || limit > kMostEventsOfPage)
    return core::refuse(Code::kInvalidInput, "\"limit\" must be from 1 to 500", "limit");
  filter.limit = static_cast<std::size_t>(limit);
  return filter;
}

/// The gap before `since`, whose number is `seq`, in the history that is kept.
std::optional<EventGap> gap_in_history(OperationContext& ctx, std::string_view since, core::EventSeq seq) {
  auto const dot = since.find('.');
  auto const incarnation =
      dot == std::string_view::npos || !ctx.origin ? std::string_view{} : since.substr(0, dot);
  auto const own = ctx.origin ? std::string_view{ctx.origin->incarnation} : std::string_view{};
  return gap_before(incarnation, seq, {own, trimmed_to(ctx), ctx.tx.last_seq()});
}

}  // namespace

std::optional<EventGap> gap_before(std::string_view incarnation, core::EventSeq seq, FeedRange const& feed) {
  if (!incarnation.empty() && incarnation != feed.incarnation) return EventGap::epoch;
  if (seq > feed.last) return EventGap::future;
  return seq < feed.first ? std::optional{EventGap::trimmed} : std::nullopt;
}

WireEvent on_the_wire(core::Event const& event) {
  WireEvent out{event.seq,  event.ts,  event.actor, event.kind, event.board,
                event.task, event.run, event.from,  event.to,   nullptr};
  if (event.data.empty()) return out;
  if (auto data = reflect::parse_json(event.data)) out.data = *std::move(data);
  return out;
}

std::optional<core::EventSeq> parse_cursor(std::string_view text) {
  if (auto const dot = text.find('.'); dot != std::string_view::npos) text.remove_prefix(dot + 1);
  std::int64_t seq = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), seq);
  if (error != std::errc{} || end != text.data() + text.size() || seq < 0) return std::nullopt;
  return core::EventSeq{seq};
}

Result<Events> list_events(OperationContext& ctx, EventsRequest const& r) {
  ANDON_TRY(auto filter, filter_of(ctx, r));
  Events out;
  if (!r.since.empty() && !filter.task) out.reset = gap_in_history(ctx, r.since, filter.after);
  if (out.reset == EventGap::epoch || out.reset == EventGap::future) filter.after = 0;
  auto const events = ctx.tx.events(filter);
  for (auto const& event : events) out.items.push_back(on_the_wire(event));
  if (!filter.newest && events.size() == filter.limit) out.next = std::to_string(events.back().seq);
  return out;
}

}  // namespace andon::service
