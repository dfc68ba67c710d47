#include "core/runs/conversation.hpp"

#include <algorithm>

#include "core/model/usage_sum.hpp"
#include "core/runs/retry.hpp"

namespace andon::core {
namespace {

bool is_part(Run const& run, SessionKey const& talk) {
  bool const same_task = talk.wish == Conversation::worker || run.task == talk.task;
  return same_task && run.worker == talk.worker && run.board == talk.board;
}

bool has_begun(Run const& run) { return run.exit && (run.exit->code || run.exit->signal); }

bool went_wrong(Run const& run) {
  bool const has_failed = run.outcome == Outcome::failed && !goes_on(run);
  return has_failed || run.outcome == Outcome::timed_out || run.outcome == Outcome::incomplete;
}

}  // namespace

Run const* to_continue(std::span<Run const> runs, SessionKey const& talk) {
  if (talk.wish == Conversation::fresh) return nullptr;
  Run const* last = nullptr;
  bool continued = false;
  for (auto const& run : runs) {
    if (!is_part(run, talk)) continue;
    if (run.state != RunState::ended && run.pid) return nullptr;
    if (!has_begun(run)) continue;
    continued = last && last->session == run.session;
    last = &run;
  }
  bool const is_over = !last || last->session.empty() || (continued && went_wrong(*last));
  return is_over ? nullptr : last;
}

Usage used_in(std::span<Run const> runs, SessionKey const& talk, std::string_view session) {
  Usage sum;
  for (auto const& run : runs)
    if (is_part(run, talk) && run.session == session && run.usage) sum += *run.usage;
  return sum;
}

}  // namespace andon::core
