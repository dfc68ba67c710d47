#include "mcp/resources/changes.hpp"

#include "service/history/history.hpp"

namespace andon::mcp {
namespace {

/// Looked at one by one; where more happened, everything counts as changed.
constexpr int kMostEvents = 200;

void add_event(service::WireEvent const& event, Changes& to) {
  if (event.task) to.resources.insert(address_of("tasks", std::to_string(*event.task)));
  if (event.run) to.resources.insert(address_of("runs", std::to_string(*event.run)));
  if (!event.board.empty()) to.resources.insert(address_of("boards", event.board));
  to.lists.resources = to.lists.resources || event.kind == core::EventKind::board_changed;
  to.place = std::to_string(event.seq);
}

void read_events(StartCall const& start, service::Caller caller, service::EventsRequest request,
                 std::move_only_function<void(Outcome<service::Events>)> take) {
  caller.source = core::Source::mcp;
  start(api::call_of<&service::list_events>(std::move(request), std::move(caller)),
        [take = std::move(take)](core::Result<api::Answer> answer) mutable {
          if (!answer) return take(std::unexpected(protocol_error(answer.error())));
          auto page = std::move(*answer).as<service::Events>();
          if (!page) return take(std::unexpected(protocol_error(page.error())));
          take(*std::move(page));
        });
}

/// Tells the place of the last event.
void find_end(StartCall const& start, service::Caller const& caller, bool is_all, TellChanges tell) {
  service::EventsRequest last;
  last.newest = true;
  last.limit = 1;
  read_events(start, caller, std::move(last),
              [is_all, tell = std::move(tell)](Outcome<service::Events> page) mutable {
                if (!page) return tell(std::unexpected(page.error()));
                Changes out;
                out.place = "0";
                for (auto const& event : page->items) add_event(event, out);
                out.resources.clear();
                out.lists = {};
                out.is_all = is_all;
                tell(std::move(out));
              });
}

}  // namespace

void changes_since(StartCall const& start, service::Caller const& caller, std::string const& place,
                   TellChanges tell) {
  if (place.empty()) return find_end(start, caller, false, std::move(tell));
  service::EventsRequest page;
  page.since = place;
  page.limit = kMostEvents;
  read_events(start, caller, std::move(page),
              [start, caller, place, tell = std::move(tell)](Outcome<service::Events> events) mutable {
                if (!events) return tell(std::unexpected(events.error()));
                bool const is_whole = events->next.empty() && !events->reset;
                if (!is_whole) return find_end(start, caller, true, std::move(tell));
                Changes out;
                out.place = place;
                for (auto const& event : events->items) add_event(event, out);
                tell(std::move(out));
              });
}

}  // namespace andon::mcp
