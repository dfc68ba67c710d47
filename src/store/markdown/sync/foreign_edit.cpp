#include "store/markdown/sync/foreign_edit.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace andon::store::markdown {
namespace {

namespace json = boost::json;
using core::Event;
using core::EventKind;
using core::Task;

Event event_of(EventKind kind, std::string const& board, core::Instant now, json::object facts) {
  Event event;
  event.ts = now;
  event.kind = kind;
  event.board = board;
  facts["source"] = to_text(core::Source::file);
  event.data = json::serialize(facts);
  return event;
}

Event event_of(EventKind kind, Task const& task, core::Instant now, json::object facts = {}) {
  facts["title"] = task.title;
  auto event = event_of(kind, task.board, now, std::move(facts));
  event.task = task.id;
  return event;
}

std::string_view without_line_end(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<Event> foreign_edit(std::optional<Task> const& before, Task const& after, core::Instant now) {
  std::vector<Event> out;
  if (!before) {
    out.push_back(event_of(EventKind::task_created, after, now));
    out.back().to = after.status;
    return out;
  }
  if (before->claimed_by != after.claimed_by && !before->claimed_by.empty())
    out.push_back(event_of(EventKind::task_released, after, now, {{"by", before->claimed_by}}));
  if (before->claimed_by != after.claimed_by && !after.claimed_by.empty())
    out.push_back(event_of(EventKind::task_claimed, after, now, {{"by", after.claimed_by}}));
  if (before->status != after.status) {
    out.push_back(event_of(EventKind::task_moved, after, now));
    out.back().from = before->status;
    out.back().to = after.status;
  }
  if (out.empty() && before->rev != after.rev) out.push_back(event_of(EventKind::task_edited, after, now));
  return out;
}

Event foreign_removal(Task const& before, core::Instant now) {
  auto event = event_of(EventKind::task_deleted, before, now);
  event.from = before.status;
  return event;
}

Event foreign_board_edit(core::Board const& board, std::string_view what, core::Instant now) {
  return event_of(EventKind::board_changed, board.name, now, {{"what", what}});
}

bool is_still_approved(core::Board const& board, Task const& known, std::string_view known_body,
                       Task const& now) {
  if (core::trusts_files(board)) return now.approved;
  return known.approved && known.title == now.title && known.role == now.role &&
         known.assignee == now.assignee && known.touches == now.touches &&
         known.next_tasks == now.next_tasks && known.checks == now.checks && known.review == now.review &&
         known.attachments == now.attachments && without_line_end(known_body) == without_line_end(now.body);
}

}  // namespace andon::store::markdown
