#include <algorithm>

#include "store/engine/driver.hpp"
#include "store/engine/unit/pick_merge.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

/// The most held tasks that one unit is offered.
constexpr int kMostHeld = 1'000;

bool contains(std::vector<std::string> const& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

bool has_any(core::Task const& task, std::vector<std::string> const& tags) {
  return tags.empty() || std::ranges::any_of(tags, [&](auto const& tag) { return contains(task.tags, tag); });
}

/// The reason why a task cannot be picked; empty when it is finished or its time has come.
std::string_view reason(core::Task const& task, core::Instant now) {
  if (core::is_terminal(task.stage)) return {};
  if (task.blocked) return "blocked";
  if (task.state.open_deps > 0) return "dependency";
  if (!task.claimed_by.empty() && (!task.claim_expires || *task.claim_expires > now)) return "claimed";
  if (task.not_before && *task.not_before > now) return "not_before";
  return {};
}

/// The ranks of the classes that the scope is limited to, in the order in which they are picked.
std::vector<int> ranks_in_order(core::Board const& board, PickScope const& scope) {
  std::vector<int> out;
  for (auto const& name : *scope.classes)
    if (auto const rank = core::class_index(board, name)) out.push_back(static_cast<int>(*rank));
  std::ranges::sort(out);
  auto const first = core::class_index(board, scope.class_first);
  if (first && std::erase(out, static_cast<int>(*first)) > 0)
    out.insert(out.begin(), static_cast<int>(*first));
  return out;
}

}  // namespace

/// Marks tasks as pickable whose time has come. It changes no task, so it may stay when the unit is undone.
void Unit::promote(core::Instant now) {
  auto due = session_.candidates({.due = now});
  if (due.empty()) return;
  std::vector<core::TaskId> ids;
  for (auto& [key, row] : due) {
    held_.enter(row.board, row.task.status, row.queue_key, key);
    ids.push_back(key.id);
    signals_.promoted.offer(key.id, row.board, std::move(row.task.status), std::move(row.queue_key));
  }
  session_.write({.promoted = std::move(ids)});
  batch_.has_written = true;
  signals_.changes.add(Changes{signals_.promoted});
}

/// Tasks of the scope whose time has come but which are not marked pickable.
std::vector<Candidate> Unit::due_in(PickScope const& scope, core::Instant now) {
  auto out = session_.candidates({.due = now});
  std::erase_if(out, [&](Candidate const& one) {
    return one.row.board != scope.board || !contains(scope.columns, one.row.task.status) ||
           !contains(scope.queue_keys, one.row.queue_key);
  });
  return out;
}

std::optional<core::Duration> Unit::until_next_time(core::Instant now) {
  auto const next = session_.queues(AskNextTime{now}).next_time;
  return next ? std::optional{*next - now} : std::nullopt;
}

/// Leaves out columns without tasks, so that they cost no probe. Only the writer has the counts for that.
PickScope Unit::without_empty_columns(PickScope const& scope) {
  auto out = scope;
  if (rights_ != Rights::write) return out;
  auto const& load = loads_.of(session_, scope.board);
  std::erase_if(out.columns, [&](std::string const& column) { return !load.columns.contains(column); });
  return out;
}

bool Unit::offer(PickScope const& scope, core::Instant now,
                 std::function<PickAnswer(core::Task const&)> const& judge) {
  refresh();
  signals_.interest.scopes.push_back(scope);
  signals_.interest.looked_at = now;
  bool const may_promote = turn_.may_write && !turn_.wrote;
  if (may_promote) promote(now);
  auto const due = may_promote ? std::vector<Candidate>{} : due_in(scope, now);

  bool taken = false;
  auto const note_answer = [&](core::Task const& task) {
    auto const answer = judge(task);
    taken = answer == PickAnswer::take;
    return answer;
  };
  auto const searched = without_empty_columns(scope);
  auto const look = [&](Part part, int class_rank) {
    return walk(scope, {session_, searched, due, part, class_rank, held_, now}, now, note_answer);
  };
  auto const* board = board_cache_.board(scope.board);
  if (board && scope.classes) {
    for (auto const class_rank : ranks_in_order(*board, scope))
      if (bool const is_whole = look(Part::first_class, class_rank); !is_whole || taken) return is_whole;
    return true;
  }
  auto const first =
      board && !scope.class_first.empty() ? core::class_index(*board, scope.class_first) : std::nullopt;
  if (!first) return look(Part::all, 0);
  auto const class_rank = static_cast<int>(*first);
  bool const is_whole = look(Part::first_class, class_rank);
  return !is_whole || taken ? is_whole : look(Part::other_classes, class_rank);
}

/// False when the walk ended early because the unit was offered too many held tasks.
bool Unit::walk(PickScope const& scope, PickMerge order, core::Instant now,
                std::function<PickAnswer(core::Task const&)> const& judge) {
  // The unit's own changes may be undone, so held tasks are not remembered after a write.
  bool const may_remember = rights_ == Rights::write && !turn_.wrote;
  std::optional<core::Instant> until;
  while (auto row = order.next()) {
    if (row->pickable_at && *row->pickable_at > now) continue;  // marked by a unit with a later clock
    auto const& board = board_of(row->board);
    auto task = named(*std::move(row));
    if (board.settling && !contains(scope.queue_keys, core::queue_key(board, task))) continue;
    auto const answer = has_any(task, scope.tags) ? judge(task) : PickAnswer::pass;
    if (answer == PickAnswer::take) {
      tasks_.keep(std::move(task));
      return true;
    }
    if (answer == PickAnswer::pass) continue;
    if (may_remember) {
      if (!until) until = files_free_at(scope.board, now);
      order.hold_last(*until);
    }
    if (!turn_.may_write || is_shared() || ++turn_.held_offered < kMostHeld) continue;
    signals_.interest.is_unfinished = may_remember;
    return false;
  }
  return true;
}

core::Instant Unit::files_free_at(BoardId board, core::Instant now) {
  auto out = core::Instant::max();
  for (auto const& row : session_.tasks_in({.kind = TaskSet::Kind::touching, .board = board})) {
    auto const& end = row.task.claim_expires;
    if (end && *end > now && !core::is_in_work(row.task.stage)) out = std::min(out, *end);
  }
  return out;
}

/// The number of tasks in the parts of queues that are known to be held.
std::int64_t Unit::held_before(PickScope const& scope, core::Instant now, std::int64_t most) {
  std::int64_t sum = 0;
  auto const count = [&](Queue const& queue) {
    sum += session_.queues(AskQueueCount{queue, held_.from(queue, now), most - sum}).count;
  };
  for (auto const& column : scope.columns)
    for (auto const& queue_key : scope.queue_keys) {
      if (scope.tags.empty()) count({scope.board, column, queue_key});
      for (auto const& tag : scope.tags) count({scope.board, column, queue_key, tag});
    }
  return sum;
}

void Unit::waiting_for_room(BoardId board, std::function<bool(core::Task const&)> const& take) {
  refresh();
  constexpr std::size_t kCandidatePage = 16;
  for (auto from = first_key();;) {
    auto page = session_.candidates({.waiting_on = board, .from = from, .most = kCandidatePage});
    if (page.size() == kCandidatePage) from = next_key(page.back().key);
    bool const is_last = page.size() < kCandidatePage;
    for (auto& one : page)
      if (take(named(std::move(one.row)))) return;
    if (is_last) return;
  }
}

std::int64_t Unit::waiting(std::string_view queue_key, std::int64_t most) {
  refresh();
  std::int64_t sum = 0;
  for (auto const& [id, board] : board_cache_.boards()) {
    if (board->archived) continue;
    for (auto const& column : board->columns) {
      if (column.stage != core::Stage::ready) continue;
      sum += pickable_in(id, column.name, queue_key, most - sum);
      if (sum >= most) return most;
    }
  }
  return sum;
}

/// The number of pickable tasks in a queue of a column; counts at most `most`.
std::int64_t Unit::pickable_in(BoardId board, std::string_view column, std::string_view queue_key,
                               std::int64_t most) {
  Queue queue{board, std::string{column}, std::string{queue_key}};
  return session_.queues(AskQueueCount{std::move(queue), std::nullopt, most}).count;
}

/// Counts, by reason, tasks of the asked queues that their own fields hold back. Looks at `most` tasks.
void Unit::count_aside(PickScope const& scope, core::Instant now, std::int64_t most, HeldBack& counts) {
  for (auto const& column : scope.columns) {
    auto const rows = session_.tasks_in({.kind = TaskSet::Kind::aside,
                                         .board = scope.board,
                                         .name = column,
                                         .most = static_cast<std::size_t>(most)});
    most -= static_cast<std::int64_t>(rows.size());
    for (auto const& row : rows)
      if (auto const why = reason(row.task, now); !why.empty() && contains(scope.queue_keys, row.queue_key))
        ++counts[why];
  }
}

/// Counts the pickable tasks of the queues that the picker does not search. Looks into `most` queues.
void Unit::count_other_queues(PickScope const& scope, std::int64_t most, HeldBack& counts) {
  auto unread_queues = scope.queue_keys;
  for (auto& queue_key : unread_queues) queue_key = core::unread(queue_key);
  auto const count = [&](std::string const& column, std::string_view queue_key) {
    if (contains(scope.queue_keys, queue_key)) return;
    auto& n = counts[contains(unread_queues, queue_key) ? "approval" : "role"];
    n += pickable_in(scope.board, column, queue_key, most - n);
  };
  std::int64_t queues = most;
  for (auto const& column : scope.columns) {
    if (queues <= 0) return;
    count(column, {});
    auto const keys = session_.queues(AskQueueKeys{scope.board, column, --queues}).keys;
    for (auto const& queue_key : keys) count(column, queue_key);
    queues -= static_cast<std::int64_t>(keys.size());
  }
}

/// The number of pickable tasks in the searched queues that have none of the asked tags.
std::int64_t Unit::without_tags(PickScope const& scope, core::Instant now, std::int64_t most) {
  if (scope.tags.empty()) return 0;
  std::int64_t sum = 0;
  for (auto const& column : scope.columns)
    for (auto const& queue_key : scope.queue_keys)
      sum += pickable_in(scope.board, column, queue_key, most - sum);
  HeldQueues none;
  PickMerge tagged{session_, scope, {}, Part::all, 0, none, now};
  while (sum > 0 && tagged.next()) --sum;
  return sum;
}

std::vector<std::pair<std::string, std::int64_t>> Unit::held_back(PickScope const& scope, core::Instant now,
                                                                  std::int64_t most) {
  refresh();
  HeldBack counts;
  count_aside(scope, now, most, counts);
  count_other_queues(scope, most, counts);
  counts["tag"] = without_tags(scope, now, most);
  counts["touches"] = held_before(scope, now, most);
  std::vector<std::pair<std::string, std::int64_t>> out;
  for (auto const& [why, n] : counts)
    if (n > 0) out.emplace_back(why, n);
  return out;
}

}  // namespace andon::store::engine
