#include "store/memory_driver/memory_driver.hpp"

namespace andon::test {

using namespace store::engine;

TaskRow shown(StoredTask const& row) {
  TaskRow out{row.task, row.board, row.derived.available_at, row.derived.queue_key};
  out.task.body.clear();
  return out;
}

core::PickKey pick_key(StoredTask const& row) {
  auto const& derived = row.derived;
  return {derived.class_rank, derived.pick_due, derived.priority_rank, row.task.rank, row.task.id};
}

core::PickKey time_key(core::Instant at, core::TaskId id) {
  auto const day = std::chrono::floor<std::chrono::days>(at);
  return {static_cast<int>(day.time_since_epoch().count()), static_cast<int>((at - day).count()), 0, {}, id};
}

namespace {

bool is_in(TaskSet const& set, StoredTask const& row) {
  auto const& task = row.task;
  auto const& end = task.claim_expires;
  bool const is_here = row.board == set.board;
  switch (set.kind) {
    case TaskSet::Kind::of_board: return is_here && task.id > set.after.second;
    case TaskSet::Kind::touching: return is_here && row.derived.holds_files;
    case TaskSet::Kind::aside: return is_here && task.status == set.name && row.derived.available != 1;
    case TaskSet::Kind::longest_started: return is_here && task.started && !task.completed;
    case TaskSet::Kind::claimed_by:
      return task.claimed_by == set.name && core::uses_capacity(task.stage) && is_claimed_at(task, set.at);
    case TaskSet::Kind::expired:
      return end && row.is_unsettled && *end <= set.at && std::pair{*end, task.id} > set.after;
    case TaskSet::Kind::claims_after: return end && row.is_unsettled && *end > set.at;
    case TaskSet::Kind::retries_after:
      return task.not_before && task.attempt > 0 && *task.not_before > set.at;
    case TaskSet::Kind::alike:
      return is_here && std::ranges::find_first_of(row.sketch, set.keys) != row.sketch.end();
  }
  return false;
}

core::PickKey place_in(TaskSet const& set, StoredTask const& row) {
  auto const& task = row.task;
  switch (set.kind) {
    case TaskSet::Kind::longest_started: return time_key(*task.started, task.id);
    case TaskSet::Kind::expired:
    case TaskSet::Kind::claims_after: return time_key(*task.claim_expires, task.id);
    case TaskSet::Kind::retries_after: return time_key(*task.not_before, task.id);
    case TaskSet::Kind::alike: return {0, 0, 0, {}, core::TaskId{-task.id}};
    default: return {0, 0, 0, {}, task.id};
  }
}

bool waits_on(core::BoardId board, StoredTask const& row) {
  auto const& task = row.task;
  return row.board == board && task.approved && core::is_backlog(task.stage) && row.derived.available != 0;
}

int levels_below(Tables const& tables, core::TaskId task, int most) {
  int out = 0;
  for (auto const& [id, row] : tables.tasks)
    if (most > 0 && row->task.parent == task) out = std::max(out, 1 + levels_below(tables, id, most - 1));
  return out;
}

bool is_in(Queue const& queue, StoredTask const& row) {
  bool const is_of_class = row.derived.class_rank == queue.class_rank;
  return row.derived.available == 1 && row.board == queue.board && row.task.status == queue.column &&
         row.derived.queue_key == queue.queue_key &&
         (queue.tag.empty() || contains(row.task.tags, queue.tag)) &&
         (queue.part == Part::all || is_of_class == (queue.part == Part::first_class));
}

/// Answers questions about queues.
struct QueueAnswer {
  Tables const& tables;
  QueueFacts out{};

  void operator()(AskQueueCount const& ask) {
    for (auto const& [id, row] : tables.tasks)
      if (is_in(ask.queue, *row) && (!ask.before || pick_key(*row) < *ask.before)) ++out.count;
    out.count = std::min(out.count, ask.most);
  }
  void operator()(AskQueueKeys const& ask) {
    std::set<std::string> keys;
    for (auto const& [id, row] : tables.tasks)
      if (row->derived.available == 1 && row->board == ask.board && row->task.status == ask.column)
        keys.insert(row->derived.queue_key);
    keys.erase("");
    for (auto const& key : keys)
      if (std::ssize(out.keys) < ask.most) out.keys.push_back(key);
  }
  void operator()(AskNextTime const& ask) {
    auto const add = [&](core::Instant at) { out.next_time = std::min(at, out.next_time.value_or(at)); };
    for (auto const& [id, row] : tables.tasks) {
      if (row->derived.available == 2) add(*row->derived.available_at);
      auto const& end = row->task.claim_expires;
      if (end && *end > ask.now && row->is_unsettled) add(*end);
    }
  }
  void operator()(AskRankBeside const& ask) {
    for (auto const& [id, row] : tables.tasks) {
      auto const& rank = row->task.rank;
      auto const alike = core::PickKey{ask.key.class_rank, ask.key.due, ask.key.priority_rank, rank, id};
      bool const is_after = rank > ask.key.rank, is_nearer = is_after == (rank < out.rank);
      if (row->board == ask.board && row->task.status == ask.column && id != ask.but &&
          rank != ask.key.rank && pick_key(*row) == alike && is_after == (ask.side == store::Side::after) &&
          (out.rank.empty() || is_nearer))
        out.rank = rank;
    }
  }
};

Links links_of(Tables const& tables, core::TaskId asked, LinksQuery const& query) {
  Links out;
  core::Progress progress;
  for (auto const& [id, row] : tables.tasks) {
    auto const& task = row->task;
    if (query.dependents && out.dependents.size() < query.most && contains(task.depends_on, asked))
      out.dependents.push_back(id);
    if (query.open_review && task.state.reviews == asked && !core::is_finished(task.stage))
      out.open_review = id;
    if (task.parent != asked) continue;
    if (query.children && out.children.size() < query.most) out.children.push_back(id);
    ++progress.total;
    progress.done += core::is_terminal(task.stage) ? 1 : 0;
  }
  if (query.progress && progress.total > 0) out.progress = progress;
  out.levels = levels_below(tables, asked, query.levels);
  return out;
}

}  // namespace

std::vector<TaskRow> MemorySession::tasks(TasksQuery const& query) {
  auto const& tasks = look().tasks;
  std::vector<TaskRow> out;
  for (auto const id : query.ids) {
    auto const found = tasks.find(id);
    if (found == tasks.end() || found->second->task.body.size() > query.longest_body) continue;
    out.push_back(shown(*found->second));
    if (query.with_bodies) out.back().task.body = found->second->task.body;
  }
  return out;
}

std::vector<TaskRow> MemorySession::tasks_in(TaskSet const& set) {
  auto const rows = rows_where(
      look(), [&](auto const& row) { return is_in(set, row); },
      [&](auto const& row) { return place_in(set, row); });
  std::vector<TaskRow> out;
  for (auto const& row : rows)
    if (out.size() < set.most) out.push_back(shown(*row));
  return out;
}

std::vector<Links> MemorySession::links(LinksQuery const& query) {
  auto const& tables = look();
  std::vector<Links> out;
  for (auto const task : query.tasks) out.push_back(links_of(tables, task, query));
  return out;
}

std::vector<Candidate> MemorySession::candidates(CandidatesQuery const& query) {
  auto const holds = [&](StoredTask const& row) {
    if (query.queue || query.waiting_on)
      return pick_key(row) >= query.from &&
             (query.queue ? is_in(*query.queue, row) : waits_on(*query.waiting_on, row));
    return row.derived.available == 2 && *row.derived.available_at <= query.due;
  };
  auto const place = [&](StoredTask const& row) {
    return query.queue || query.waiting_on ? pick_key(row) : time_key(*row.derived.available_at, row.task.id);
  };
  std::vector<Candidate> out;
  for (auto const& row : rows_where(look(), holds, place))
    if (out.size() < query.most) out.push_back({pick_key(*row), shown(*row)});
  return out;
}

QueueFacts MemorySession::queues(QueueQuestion const& question) {
  QueueAnswer answer{look()};
  std::visit(answer, question);
  return std::move(answer.out);
}

}  // namespace andon::test
