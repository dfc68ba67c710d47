#include "bridge/conversation/news_kinds.hpp"

#include <algorithm>
#include <array>

#include "bridge/conversation/settings.hpp"

namespace andon::bridge {
namespace {

using core::EventKind;
using core::Stage;

static_assert(static_cast<std::size_t>(NewsKind::approval) + 1 == kNewsKinds.size());

/// The engine acts for itself; a change that the end of a run makes tells its outcome.
bool is_of_landing(Happening const& h) {
  return h.event.actor.kind == core::ActorKind::system && fact_in(h.event, "outcome").empty();
}
/// True while the question of the event stands on the task.
bool is_still_asked(Happening const& h) {
  if (!h.task || !h.task->question) return false;
  auto const asked = fact_in(h.event, h.event.kind == EventKind::task_asked ? "text" : "reason");
  return h.task->question->text == asked || h.task->question->asked_at == h.event.ts;
}
/// True until somebody answers or unblocks the task.
bool is_still_blocked(Happening const& h) { return h.task && h.task->blocked && !h.task->question; }
/// True until the task has a verdict, which the board's checks may have given since the news.
bool is_still_in_review(Happening const& h) { return h.task && h.task->stage == Stage::review; }
/// A person who adds a task to the backlog needs no reminder of it.
bool waits_for_person(Happening const& h) {
  auto const kind = h.event.actor.kind;
  bool const is_of_person = kind == core::ActorKind::user || kind == core::ActorKind::telegram;
  return !is_of_person && h.task && h.task->stage == Stage::backlog && !h.task->approved;
}

// clang-format off
constexpr std::array kRows{
    NewsRow{.event = EventKind::task_completed, .news = NewsKind::done},
    NewsRow{.event = EventKind::task_accepted, .news = NewsKind::done},
    NewsRow{.event = EventKind::task_moved, .news = NewsKind::done, .stage = Stage::done},
    NewsRow{.event = EventKind::task_submitted, .news = NewsKind::review, .stage = Stage::review, .only = &is_still_in_review},
    NewsRow{.event = EventKind::task_moved, .news = NewsKind::review, .stage = Stage::review, .only = &is_still_in_review},
    NewsRow{.event = EventKind::task_failed, .news = NewsKind::conflict, .only = &is_of_landing},
    NewsRow{.event = EventKind::task_retried, .news = NewsKind::conflict, .only = &is_of_landing},
    NewsRow{.event = EventKind::task_edited, .news = NewsKind::conflict, .fact = "landing", .value = "waits"},
    NewsRow{.event = EventKind::task_edited, .news = NewsKind::conflict, .fact = "landing", .value = "asked"},
    NewsRow{.event = EventKind::task_failed, .news = NewsKind::failed},
    NewsRow{.event = EventKind::task_moved, .news = NewsKind::failed, .stage = Stage::failed},
    NewsRow{.event = EventKind::task_asked, .news = NewsKind::question, .only = &is_still_asked},
    NewsRow{.event = EventKind::task_blocked, .news = NewsKind::question, .only = &is_still_asked},
    NewsRow{.event = EventKind::task_blocked, .news = NewsKind::blocked, .only = &is_still_blocked},
    NewsRow{.event = EventKind::task_moved, .news = NewsKind::blocked, .stage = Stage::blocked, .only = &is_still_blocked},
    NewsRow{.event = EventKind::task_killed, .news = NewsKind::killed, .to_author = true},
    NewsRow{.event = EventKind::task_released, .news = NewsKind::stale, .fact = "outcome", .value = "lost"},
    NewsRow{.event = EventKind::task_released, .news = NewsKind::stale, .fact = "reason", .value = "the claim was over"},
    NewsRow{.event = EventKind::task_retried, .news = NewsKind::stale, .fact = "outcome", .value = "timed_out"},
    NewsRow{.event = EventKind::limit_reached, .news = NewsKind::limit, .fact = "account"},
    NewsRow{.event = EventKind::limit_reached, .news = NewsKind::limit, .fact = "cause"},
    NewsRow{.event = EventKind::dispatch_changed, .news = NewsKind::stopped, .fact = "frozen"},
    NewsRow{.event = EventKind::task_created, .news = NewsKind::approval, .stage = Stage::backlog, .only = &waits_for_person},
};
// clang-format on

bool fits(NewsRow const& row, Happening const& h) {
  if (row.event != h.event.kind || (row.stage && row.stage != h.stage)) return false;
  if (!row.fact.empty()) {
    auto const fact = fact_in(h.event, row.fact);
    if (row.value.empty() ? fact.empty() : fact != row.value) return false;
  }
  return !row.only || row.only(h);
}

}  // namespace

std::string fact_in(service::WireEvent const& event, std::string_view name) {
  auto const* facts = event.data.if_object();
  auto const* value = facts ? facts->if_contains(name) : nullptr;
  return value && value->is_string() ? std::string{value->get_string()} : std::string{};
}

std::span<NewsRow const> news_rows() { return kRows; }

NewsRow const* news_in(Happening const& happening) {
  auto const* const row = std::ranges::find_if(kRows, [&](NewsRow const& r) { return fits(r, happening); });
  return row == kRows.end() ? nullptr : row;
}

}  // namespace andon::bridge
