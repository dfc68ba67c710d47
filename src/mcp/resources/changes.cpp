#include "mcp/resources/changes.hpp"

#include "service/history/history.hpp"

namespace andon::mcp {
namespace {

/// Looked at one by one; where more happened, everything counts as changed.
constexpr int kMostEvents = 200;

void add_event(json::object const& event, Changes& to) {
  auto const add = [&](std::string_view kind, std::string_view member) {
    if (auto const* value = event.if_contains(member)) to.resources.insert(address_of(kind, *value));
  };
  add("tasks", "task");
  add("runs", "run");
  add("boards", "board");
  to.lists.resources = to.lists.resources || text_in(event, "kind") == "board.changed";
  if (auto const* seq = event.if_contains("seq")) to.place = json::serialize(*seq);
}

void read_events(StartCall const& start, service::Caller caller, service::EventsRequest request,
                 std::move_only_function<void(Outcome<json::object>)> take) {
  caller.source = "mcp";
  start(api::call_of<&service::list_events>(std::move(request), std::move(caller)),
        [take = std::move(take)](api::Answer answer) mutable {
          if (!answer) return take(std::unexpected(protocol_error(answer.error())));
          auto page = read_own(*answer);
          if (!page) return take(std::unexpected(page.error()));
          take(page->is_object() ? std::move(page->get_object()) : json::object{});
        });
}

/// Tells the place of the last event.
void find_end(StartCall const& start, service::Caller const& caller, bool is_all, TellChanges tell) {
  service::EventsRequest last;
  last.newest = true;
  last.limit = 1;
  read_events(start, caller, std::move(last),
              [is_all, tell = std::move(tell)](Outcome<json::object> page) mutable {
                if (!page) return tell(std::unexpected(page.error()));
                Changes out;
                out.place = "0";
                for (auto const& event : page->at("items").as_array()) add_event(event.as_object(), out);
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
              [start, caller, place, tell = std::move(tell)](Outcome<json::object> events) mutable {
                if (!events) return tell(std::unexpected(events.error()));
                bool const is_whole = text_in(*events, "next").empty() && text_in(*events, "reset").empty();
                if (!is_whole) return find_end(start, caller, true, std::move(tell));
                Changes out;
                out.place = place;
                for (auto const& event : events->at("items").as_array()) add_event(event.as_object(), out);
                tell(std::move(out));
              });
}

}  // namespace andon::mcp
