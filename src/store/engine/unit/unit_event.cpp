#include "reflect/json.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/external_source.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

/// The text of a note, for search.
std::string note_text(std::string const& data) {
  auto const value = reflect::parse_json(data);
  if (!value || !value->is_object()) return {};
  auto const* text = value->get_object().if_contains("text");
  return text && text->is_string() ? std::string{text->get_string()} : std::string{};
}

/// True when the event archives a task that was not finished.
bool abandons(core::Board const* board, core::Event const& event) {
  return board && event.task && !event.to.empty() &&
         core::stage_of(*board, event.to) == core::Stage::archived &&
         (event.from.empty() || core::stage_of(*board, event.from) != core::Stage::done);
}

}  // namespace

core::EventSeq Unit::append(core::Event event) {
  before_write();
  event.seq = numbers_->seq = core::next(numbers_->seq);
  if (source_) source_->appending(*this, event);
  Writes writes;
  auto& appended = writes.events.emplace_back(AppendedEvent{std::move(event)});
  appended.is_abandoned = abandons(board_cache_.board(appended.event.board), appended.event);
  if (appended.event.kind == core::EventKind::task_noted) appended.note = note_text(appended.event.data);
  turn_.added_bytes += std::ssize(appended.event.data);
  session_.write(writes);
  return appended.event.seq;
}

std::vector<core::Event> Unit::events(EventFilter const& filter) { return session_.events(filter); }

}  // namespace andon::store::engine
