#include "reflect/json.hpp"
#include "reflect/text.hpp"
#include "store/memory_driver/memory_driver.hpp"

namespace andon::test {

using namespace store::engine;

bool is_move(core::Event const& event) { return event.task && !event.to.empty(); }
bool changes_column(core::Event const& event) { return !event.task && !event.to.empty(); }

namespace {

using KindForm = reflect::TextForm<core::EventKind>;

StoredRow find(Tables const& tables, core::TaskId id) {
  auto const found = tables.tasks.find(id);
  return found == tables.tasks.end() ? nullptr : found->second;
}

bool is_finished(Tables const& tables, core::Task const& task) {
  return task.completed && !tables.abandoned.contains({task.id, *task.completed});
}

std::string stage_in(std::string const& data) {
  auto const value = reflect::parse_json(data);
  auto const* text = value && value->is_object() ? value->get_object().if_contains("stage") : nullptr;
  return text && text->is_string() ? std::string{text->get_string()} : std::string{};
}

/// Answers questions of statistics.
struct StatisticsAnswer {
  Tables const& tables;
  Statistics out{};

  void operator()(AskFinished const& ask) {
    for (auto const& [id, row] : tables.tasks) {
      auto const& task = row->task;
      if (row->board == ask.board && is_finished(tables, task) && *task.completed >= ask.since)
        out.finished.push_back(
            {id, task.created, task.started, *task.completed, task.class_, task.assignee, task.run});
    }
    std::ranges::sort(out.finished, {}, [](auto const& task) { return std::pair{task.completed, task.id}; });
    if (ask.newest_first) std::ranges::reverse(out.finished);
    if (out.finished.size() > ask.most) out.finished.resize(ask.most);
  }
  void operator()(AskMovesOf const& ask) {
    for (auto const task : ask.tasks)
      for (auto const& entry : tables.events)
        if (auto const& event = entry->event; is_move(event) && *event.task == task)
          out.moves.push_back({event.ts, event.kind, task, event.from, event.to});
  }
  void operator()(AskFormerColumns const& ask) {
    for (auto const& entry : tables.events) {
      auto const& event = entry->event;
      if (!changes_column(event) || event.board != ask.board || event.ts < ask.since) continue;
      auto const place = std::ranges::upper_bound(out.columns, event.ts, {}, &store::FormerColumn::until);
      if (auto const stage = core::parse_stage(stage_in(event.data)))
        out.columns.insert(place, {event.ts, event.from, *stage});
    }
  }
  void operator()(AskLastMove const& ask) {
    for (auto const& entry : tables.events) {
      auto const& event = entry->event;
      if (is_move(event) && event.board == ask.board &&
          (contains(ask.columns, event.from) || contains(ask.columns, event.to)))
        out.last_move = std::max(out.last_move.value_or(event.ts), event.ts);
    }
  }
  void operator()(AskDependencies const& ask) {
    for (auto const& [id, row] : tables.tasks) {
      if (row->board != ask.board || !contains(ask.columns, row->task.status)) continue;
      for (auto const other : row->task.depends_on)
        if (out.dependencies.size() < ask.limit) out.dependencies.emplace_back(id, other);
    }
  }
  void operator()(AskAssignees const&) {
    std::set<std::string> names;
    for (auto const& [id, row] : tables.tasks) names.insert(row->task.assignee);
    names.erase("");
    out.assignees.assign(names.begin(), names.end());
  }
  void operator()(AskTraced const& ask) {
    for (auto const& entry : tables.events) {
      auto const& event = entry->event;
      if (event.seq <= ask.after || event.seq > ask.until || !is_move(event)) continue;
      auto const row = find(tables, *event.task);
      if (row && (row->task.started || row->task.completed))
        out.traced.push_back({event.seq, row->board, row->task.completed});
    }
  }
  void operator()(AskCount const& ask) { out.count = count_of(tables, ask.filter); }
  void operator()(AskMoveTotals const& ask) {
    for (auto const& [key, n] : tables.counts.flow.moves) {
      if (key.board != ask.board || key.at < ask.from) continue;
      auto& total =
          out.move_totals.emplace_back(store::MoveTotal{key.at, {}, key.from, key.to, key.worker, n});
      KindForm::read(key.kind, total.kind);
    }
  }
  void operator()(AskFinishedTotals const& ask) {
    using core::Duration;
    for (auto const& [key, sum] : tables.counts.flow.finished)
      if (key.board == ask.board && key.at >= ask.from)
        out.finished_totals.push_back({key.at, key.class_, key.worker, sum.n, Duration{sum.lead}, sum.cycles,
                                       Duration{sum.cycle}, Duration{sum.lead_of_cycles}});
  }
  void operator()(AskSpreads const& ask) {
    for (auto const& [key, n] : tables.counts.flow.spreads)
      if (key.board == ask.board && key.day >= ask.first_day)
        out.spreads.push_back({key.is_cycle, key.bucket, n});
  }
  void operator()(AskRunTotals const& ask) {
    for (auto const& [key, total] : tables.counts.flow.runs)
      if (key.board == ask.board && key.at >= ask.from) out.run_totals.push_back(total);
  }
  void operator()(AskTallies const& ask) {
    std::set<TallyValue> values;
    for (auto const& [key, counts] : tables.counts.tallies) {
      if (key.board != ask.board || key.facet != ask.facet) continue;
      if (values.insert(key.value).second && values.size() > ask.most) {
        out.tallies_end = key.value;
        return;
      }
      auto& tally = out.tallies[{key.value, key.status}];
      tally = {key.status, text_of(key.value), counts.n, counts.blocked, 0};
      for (auto const& [day, n] : counts.due) tally.overdue += day < ask.today ? n : 0;
    }
  }
  void operator()(AskLoad const& ask) {
    if (auto const found = tables.loads.find(ask.board); found != tables.loads.end())
      out.load = found->second;
  }
  void operator()(AskLastNumbers const&) { out.numbers = tables.last; }
  void operator()(AskLastEvent const&) { out.numbers.seq = tables.last.seq; }
};

/// The worker of a run; where there is none, the assignee of the task.
std::string worker_of(Tables const& tables, std::optional<core::RunId> id, std::string const& assignee) {
  auto const run = std::ranges::find(tables.runs, id, &core::Run::id);
  return run == tables.runs.end() ? assignee : run->worker;
}

std::optional<FinishedTask> finished_in(Tables const& tables, StoredRow const& row) {
  if (!row || !is_finished(tables, row->task)) return std::nullopt;
  auto const& task = row->task;
  auto const worker = worker_of(tables, task.run, task.assignee);
  return FinishedTask{row->board, task.created, task.started, *task.completed, task.class_, worker};
}

std::optional<TalliedTask> tallied_in(StoredRow const& row) {
  if (!row) return std::nullopt;
  auto const& task = row->task;
  return TalliedTask{row->board,    task.status, task.stage,    task.blocked, due_day(task),
                     task.priority, task.class_, task.assignee, task.role,    task.parent.value_or(0),
                     task.tags};
}

std::vector<core::Instant> column_changes(Tables const& tables, std::string const& board,
                                          core::Instant from) {
  std::vector<core::Instant> out;
  for (auto const& entry : tables.events)
    if (auto const& event = entry->event; changes_column(event) && event.board == board && event.ts >= from)
      out.push_back(event.ts);
  std::ranges::sort(out);
  return out;
}

UncountedMoves moves_after(Tables const& tables, core::EventSeq after, core::EventSeq until) {
  UncountedMoves out;
  for (auto const& entry : tables.events) {
    auto const& event = entry->event;
    if (event.seq <= after || event.seq > until || !is_move(event)) continue;
    auto const row = find(tables, *event.task);
    out.moves.push_back({event.ts, std::string{KindForm::write(event.kind)}, event.board, event.from,
                         event.to, worker_of(tables, event.run, row ? row->task.assignee : ""), event.data});
    if (!out.column_changes.contains(event.board))
      out.column_changes[event.board] = column_changes(tables, event.board, quarter_of(event.ts));
  }
  return out;
}

bool is_asked(store::EventFilter const& filter, core::Event const& event) {
  bool const is_on_board =
      filter.boards.empty() || event.board.empty() || contains(filter.boards, event.board);
  return event.seq > filter.after && is_on_board && (!filter.task || event.task == filter.task) &&
         (!filter.kind || event.kind == *filter.kind) && (!filter.since || event.ts >= *filter.since);
}

}  // namespace

Statistics MemorySession::statistics(StatisticsQuestion const& question) {
  StatisticsAnswer answer{look()};
  std::visit(answer, question);
  return std::move(answer.out);
}

Uncounted MemorySession::uncounted(UncountedRequest const& request) {
  auto const& tables = look();
  auto const counted = tables.counts.counted_until.value_or(0);
  Uncounted out;
  out.is_enough = std::ssize(tables.changed) >= request.least || request.until - counted >= request.least;
  if (!out.is_enough) return out;
  if (request.parts != Counting::tallies) out.moves = moves_after(tables, counted, request.until);
  for (auto const& [id, before] : tables.changed) {
    auto const now = find(tables, id);
    if (request.parts != Counting::tallies)
      out.finished.push_back({finished_in(tables, before), finished_in(tables, now)});
    if (request.parts != Counting::flow) out.tallied.push_back({tallied_in(before), tallied_in(now)});
  }
  return out;
}

std::vector<core::Event> MemorySession::events(store::EventFilter const& filter) {
  std::vector<core::Event> out;
  for (auto const& entry : look().events)
    if (is_asked(filter, entry->event)) out.push_back(entry->event);
  auto const left_out =
      std::ssize(out) - std::min(std::ssize(out), static_cast<std::ptrdiff_t>(filter.limit));
  auto const first = filter.newest ? out.begin() : out.end() - left_out;
  out.erase(first, first + left_out);
  return out;
}

}  // namespace andon::test
