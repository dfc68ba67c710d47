#include <algorithm>

#include "store/sqlite/rows/shared_queries.hpp"
#include "store/sqlite/transaction/pick_merge.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kDueNow{"pick_due_now"};
Query const kPromote{"pick_promote"};
Query const kNextTime{"pick_next_time"};
Query const kApproved{"pick_approved"};
Query const kWaiting{"pick_waiting"};
Query const kNextQueue{"pick_next_queue"};
Query const kAside{"pick_aside"};
Query const kFilesFree{"pick_files_free"};
Query const kBefore{"pick_before"};
Query const kBeforeTag{"pick_before_tag"};

/// The most held tasks that one unit is offered.
constexpr int kMostHeld = 1'000;

bool contains(std::vector<std::string> const& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

core::PickKey key_due(Statement const& row) {
  return {static_cast<int>(row.integer(4)), static_cast<int>(row.integer(5)),
          static_cast<int>(row.integer(6)), row.text(7), core::TaskId{row.integer(0)}};
}

/// Tasks of the scope whose time has come but which are not marked pickable.
std::vector<core::PickKey> due_in(Connection& db, PickScope const& scope, core::Instant now) {
  std::vector<core::PickKey> out;
  for (auto row = db.query(kDueNow, now); row.step();) {
    if (row.integer(1) != scope.board || !contains(scope.columns, row.view(2)) ||
        !contains(scope.queue_keys, row.view(3)))
      continue;
    out.push_back(key_due(row));
  }
  return out;
}

bool has_any(core::Task const& task, std::vector<std::string> const& tags) {
  return tags.empty() || std::ranges::any_of(tags, [&](auto const& tag) { return contains(task.tags, tag); });
}

/// The reason why a task cannot be picked; empty when it is finished or its time has come.
std::string_view reason(Statement const& row, core::Instant now) {
  if (core::is_terminal(core::parse_stage(row.view(6)).value_or(core::Stage::ready))) return {};
  if (row.integer(1) != 0) return "blocked";
  if (row.integer(2) > 0) return "dependency";
  if (!row.view(3).empty() && (row.is_null(4) || row.instant(4) > now)) return "claimed";
  if (!row.is_null(5) && row.instant(5) > now) return "not_before";
  return {};
}

}  // namespace

/// Marks tasks as pickable whose time has come. It changes no task, so it may stay when the unit is undone.
void Transaction::promote(core::Instant now) {
  struct Due {
    core::TaskId id;
    BoardId board;
    std::string status;
    std::string queue_key;
    core::PickKey key;
  };
  std::vector<Due> due;
  for (auto row = db_.query(kDueNow, now); row.step();)
    due.push_back(
        {core::TaskId{row.integer(0)}, BoardId{row.integer(1)}, row.text(2), row.text(3), key_due(row)});
  for (auto& task : due) {
    held_.enter(task.board, task.status, task.queue_key, task.key);
    db_.run(kPromote, task.id);
    db_.run(kTagsEnqueue, task.id);
    written_ = true;
    promoted_.offer(task.id, task.board, std::move(task.status), std::move(task.queue_key));
  }
  if (!due.empty()) changes_.add(Changes{promoted_});
}

std::optional<core::Duration> Transaction::until_next_time(core::Instant now) {
  auto row = db_.query(kNextTime, now);
  if (!row.step()) return std::nullopt;
  auto const pickable = row.maybe_instant(0), claim_end = row.maybe_instant(1);
  if (!pickable && !claim_end) return std::nullopt;
  return std::min(pickable.value_or(core::Instant::max()), claim_end.value_or(core::Instant::max())) - now;
}

/// Leaves out columns without tasks, so that they cost no probe. Only the writer has the counts for that.
PickScope Transaction::without_empty_columns(PickScope const& scope) {
  auto out = scope;
  if (rights_ != Rights::write) return out;
  auto const& load = loads_.of(db_, scope.board);
  std::erase_if(out.columns, [&](std::string const& column) { return !load.columns.contains(column); });
  return out;
}

bool Transaction::offer(PickScope const& scope, core::Instant now,
                        std::function<PickAnswer(core::Task const&)> const& judge) {
  refresh();
  interest_.scopes.push_back(scope);
  interest_.looked_at = now;
  bool const may_promote = may_write_ && !unit_wrote_;
  if (may_promote) promote(now);
  auto const due = may_promote ? std::vector<core::PickKey>{} : due_in(db_, scope, now);

  bool taken = false;
  auto const note_answer = [&](core::Task const& task) {
    auto const answer = judge(task);
    taken = answer == PickAnswer::take;
    return answer;
  };
  auto const searched = without_empty_columns(scope);
  auto const look = [&](Part part, int class_rank) {
    return walk(scope, {db_, searched, due, part, class_rank, held_, now}, now, note_answer);
  };
  auto const* board = board_cache_.board(scope.board);
  auto const first =
      board && !scope.class_first.empty() ? core::class_index(*board, scope.class_first) : std::nullopt;
  if (!first) return look(Part::all, 0);
  auto const class_rank = static_cast<int>(*first);
  bool const is_whole = look(Part::first_class, class_rank);
  return !is_whole || taken ? is_whole : look(Part::other_classes, class_rank);
}

/// False when the walk ended early because the unit was offered too many held tasks.
bool Transaction::walk(PickScope const& scope, PickMerge order, core::Instant now,
                       std::function<PickAnswer(core::Task const&)> const& judge) {
  // The unit's own changes may be undone, so held tasks are not remembered after a write.
  bool const may_remember = rights_ == Rights::write && !unit_wrote_;
  std::optional<core::Instant> until;
  core::Task task;
  while (auto const id = order.next()) {
    auto row = db_.query(kTaskById, *id);
    if (!row.step() || pickable_at(row) > now) continue;  // marked by a unit with a later clock
    auto const& board = board_of(board_in_row(row));
    read_task(row, board, task);
    if (board.settling && !contains(scope.queue_keys, core::queue_key(board, task))) continue;
    auto const answer = has_any(task, scope.tags) ? judge(task) : PickAnswer::pass;
    if (answer == PickAnswer::take) {
      slot() = std::move(task);
      return true;
    }
    if (answer == PickAnswer::pass) continue;
    if (may_remember) {
      if (!until) until = files_free_at(scope.board, now);
      order.hold_last(*until);
    }
    if (!may_write_ || is_shared() || ++held_offered_ < kMostHeld) continue;
    interest_.is_unfinished = may_remember;
    return false;
  }
  return true;
}

core::Instant Transaction::files_free_at(BoardId board, core::Instant now) {
  auto row = db_.query(kFilesFree, board, now);
  return row.step() && !row.is_null(0) ? row.instant(0) : core::Instant::max();
}

/// The number of tasks in the parts of queues that are known to be held.
std::int64_t Transaction::held_before(PickScope const& scope, core::Instant now, std::int64_t most) {
  std::int64_t sum = 0;
  auto const count = [&](Query const& query, Queue const& queue) {
    auto const from = held_.from(queue, now);
    auto row = db_.query(query, queue.board, queue.column, queue.queue_key, from.class_rank, from.due,
                         from.priority_rank, from.rank, from.id, most - sum, queue.tag);
    if (row.step()) sum += row.integer(0);
  };
  for (auto const& column : scope.columns)
    for (auto const& queue_key : scope.queue_keys) {
      if (scope.tags.empty()) count(kBefore, {scope.board, column, queue_key});
      for (auto const& tag : scope.tags) count(kBeforeTag, {scope.board, column, queue_key, tag});
    }
  return sum;
}

void Transaction::waiting_for_room(BoardId board, std::function<bool(core::Task const&)> const& take) {
  refresh();
  for (auto row = db_.query(kApproved, board); row.step();)
    if (take(read(row))) return;
}

std::int64_t Transaction::waiting(std::string_view queue_key, std::int64_t most) {
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
std::int64_t Transaction::pickable_in(BoardId board, std::string_view column, std::string_view queue_key,
                                      std::int64_t most) {
  auto row = db_.query(kWaiting, board, column, queue_key, most);
  return row.step() ? row.integer(0) : 0;
}

/// Counts, by reason, tasks of the asked queues that their own fields hold back. Looks at `most` tasks.
void Transaction::count_aside(PickScope const& scope, core::Instant now, std::int64_t most,
                              HeldBack& counts) {
  for (auto const& column : scope.columns)
    for (auto row = db_.query(kAside, scope.board, column, most); most > 0 && row.step(); --most)
      if (auto const why = reason(row, now); !why.empty() && contains(scope.queue_keys, row.view(0)))
        ++counts[why];
}

/// Counts the pickable tasks of the queues that the picker does not search. Looks into `most` queues.
void Transaction::count_other_queues(PickScope const& scope, std::int64_t most, HeldBack& counts) {
  auto unread_queues = scope.queue_keys;
  for (auto& queue_key : unread_queues) queue_key = core::unread(queue_key);
  auto const count = [&](std::string const& column, std::string_view queue_key) {
    if (contains(scope.queue_keys, queue_key)) return;
    auto& n = counts[contains(unread_queues, queue_key) ? "approval" : "role"];
    n += pickable_in(scope.board, column, queue_key, most - n);
  };
  std::int64_t queues = most;
  for (auto const& column : scope.columns) {
    std::string queue_key;
    for (bool is_there = true; is_there && queues > 0; --queues) {
      count(column, queue_key);
      auto row = db_.query(kNextQueue, scope.board, column, queue_key);
      is_there = row.step() && !row.is_null(0);
      if (is_there) queue_key = row.text(0);
    }
  }
}

/// The number of pickable tasks in the searched queues that have none of the asked tags.
std::int64_t Transaction::without_tags(PickScope const& scope, core::Instant now, std::int64_t most) {
  if (scope.tags.empty()) return 0;
  std::int64_t sum = 0;
  for (auto const& column : scope.columns)
    for (auto const& queue_key : scope.queue_keys)
      sum += pickable_in(scope.board, column, queue_key, most - sum);
  HeldQueues none;
  PickMerge tagged{db_, scope, {}, Part::all, 0, none, now};
  while (sum > 0 && tagged.next()) --sum;
  return sum;
}

std::vector<std::pair<std::string, std::int64_t>> Transaction::held_back(PickScope const& scope,
                                                                         core::Instant now,
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

}  // namespace andon::store::sqlite
