#include "store/memory_driver/memory_driver.hpp"

namespace andon::test {

using namespace store::engine;

namespace {

bool concerns(ClaimsChange const& change, StoredTask const& row) {
  auto const& task = row.task;
  auto const& end = task.claim_expires;
  bool const lives = end && *end > change.at && row.is_unsettled;
  bool const ends_sooner = lives && *end < change.until;
  switch (change.kind) {
    case ClaimsChange::Kind::move:
      return lives && (task.state.supervised || !contains(change.in_files, row.board));
    case ClaimsChange::Kind::extend_runs: return ends_sooner && task.state.supervised;
    case ClaimsChange::Kind::extend_of_board:
      return ends_sooner && !task.state.supervised && row.board == change.board;
    case ClaimsChange::Kind::settle: return task.id == change.task;
    case ClaimsChange::Kind::unsettle_holder:
      return !change.name.empty() && task.claimed_by == change.name && core::is_in_work(task.stage);
    case ClaimsChange::Kind::unsettle_column: return row.board == change.board && task.status == change.name;
  }
  return false;
}

/// A task that becomes pickable when its claim ends does so when the changed claim ends.
void end_claim(StoredTask& row, core::Instant end) {
  row.task.claim_expires = end;
  auto& from = row.derived.available_at;
  if (from) from = std::max(end, row.task.not_before.value_or(core::Instant{}));
}

void add(FinishedSum& sum, FinishedSum const& more) {
  sum = {sum.n + more.n, sum.lead + more.lead, sum.cycles + more.cycles, sum.cycle + more.cycle,
         sum.lead_of_cycles + more.lead_of_cycles};
}

void add(TallyCounts& counts, TallyCounts const& more) {
  counts.n += more.n;
  counts.blocked += more.blocked;
  for (auto const& [day, n] : more.due) counts.due[day] += n;
}

template <class Number>
void raise(Number& last, Number number) {
  last = std::max(last, number);
}

/// Replaces the row with the same key or adds it.
template <class Rows, class Row, class Key>
void put(Rows& rows, Row const& row, Key key) {
  auto const found = std::ranges::find(rows, std::invoke(key, row), key);
  if (found == rows.end())
    rows.push_back(row);
  else
    *found = row;
}

/// True when two rows have the same key.
template <class Rows, class Key>
bool clash(Rows const& rows, Key key) {
  std::set<std::string> keys;
  for (auto const& row : rows) keys.insert(std::invoke(key, row));
  return keys.size() < rows.size();
}

/// Two rows have what only one may have.
bool are_doubled(Tables const& tables) {
  std::map<core::TaskId, int> live;
  for (auto const& run : tables.runs) live[run.task] += run.state == core::RunState::ended ? 0 : 1;
  auto const& records = tables.records;
  return clash(tables.registry.boards, &core::Board::name) || clash(records.tokens, &store::Token::hash) ||
         clash(records.automations, [](auto const& row) { return row.automation.name; }) ||
         std::ranges::any_of(live, [](auto const& entry) { return entry.second > 1; });
}

/// Removes at most `most` rows; returns how many.
template <class Rows, class IsDropped>
std::int64_t drop(Rows& rows, std::size_t most, IsDropped const& is_dropped) {
  auto left = most;
  std::erase_if(rows, [&](auto const& row) { return left > 0 && is_dropped(row) && left-- > 0; });
  return static_cast<std::int64_t>(most - left);
}

void remove_guards(Tables& tables) {
  std::erase_if(tables.records.guards, [&](auto const& guard) {
    return std::ranges::find(tables.runs, guard.first, &core::Run::id) == tables.runs.end();
  });
}

/// Removes what has had its time.
struct Remover {
  Tables& tables;

  Removed operator()(DropEvents const& what) {
    Removed out;
    std::erase_if(tables.events, [&](auto const& entry) {
      auto const& event = entry->event;
      bool const goes = event.seq > what.after && event.seq <= what.until && event.ts < what.before &&
                        event.seq != tables.last.seq && entry->note.empty() && !changes_column(event) &&
                        !contains(what.kept, event.seq);
      if (goes) out.events.push_back(event.seq);
      return goes;
    });
    return out;
  }
  Removed operator()(DropRuns const& what) {
    auto const n = drop(tables.runs, what.most, [&](core::Run const& run) {
      auto const task = tables.tasks.find(run.task);
      return run.ended && *run.ended < what.before && task != tables.tasks.end() &&
             task->second->task.run != run.id;
    });
    remove_guards(tables);
    return {n};
  }
  Removed operator()(DropTokens const& what) {
    return {drop(tables.records.tokens, what.most, [&](store::Token const& token) {
      return (token.revoked && *token.revoked < what.before) ||
             (token.expires && *token.expires < what.before);
    })};
  }
  Removed operator()(DropRemembered const& what) {
    return {drop(tables.records.remembered, what.most,
                 [&](auto const& row) { return row.second.at < what.before; })};
  }
  Removed operator()(DropCounts const& what) {
    auto& [flow, tallies, until] = tables.counts;
    auto const is_of_board = [&](auto const& entry) { return entry.first.board == what.board.id; };
    std::erase_if(flow.moves, is_of_board);
    std::erase_if(flow.finished, is_of_board);
    std::erase_if(flow.spreads, is_of_board);
    std::erase_if(tallies, is_of_board);
    std::erase_if(flow.runs, [&](auto const& entry) { return entry.first.board == what.board.name; });
    return {};
  }
};

/// Stores changes.
struct Store {
  Tables& tables;

  void operator()(BoardChange const& change) {
    put(tables.registry.boards, *change.board, &core::Board::id);
    if (change.former_name.empty()) return;
    for (auto& entry : tables.events) {
      if (entry->event.board != change.former_name) continue;
      auto renamed = *entry;
      renamed.event.board = change.board->name;
      entry = std::make_shared<AppendedEvent const>(std::move(renamed));
    }
  }
  void operator()(StoredTask row) {
    auto& slot = tables.tasks[row.task.id];
    tables.changed.try_emplace(row.task.id, slot);
    slot = std::make_shared<StoredTask const>(std::move(row));
  }
  void operator()(TaskChange const& change) {
    StoredTask row{*change.task, change.board, *change.derived};
    row.task.board.clear();
    row.task.file.clear();
    row.task.children.reset();
    if (!change.with_body) row.task.body = tables.tasks.at(row.task.id)->task.body;
    if (change.sketch)
      row.sketch = *change.sketch;
    else
      row.sketch = tables.tasks.at(row.task.id)->sketch;
    raise(tables.last.task, std::int64_t{row.task.id});
    (*this)(std::move(row));
  }
  void derive(TaskChange const& change) {
    auto row = *tables.tasks.at(change.task->id);
    if (row.task.stage == change.task->stage && row.derived == *change.derived) return;
    row.task.stage = change.task->stage;
    row.derived = *change.derived;
    row.is_unsettled = true;
    (*this)(std::move(row));
  }
  void promote(core::TaskId id) {
    auto row = *tables.tasks.at(id);
    row.derived.available = 1;
    (*this)(std::move(row));
  }
  void operator()(ClaimsChange const& change) {
    using Kind = ClaimsChange::Kind;
    for (auto const& [id, before] : tables.tasks) {
      if (!concerns(change, *before)) continue;
      auto row = *before;
      if (change.kind == Kind::move)
        end_claim(row, *row.task.claim_expires + change.by);
      else if (change.kind == Kind::extend_runs || change.kind == Kind::extend_of_board)
        end_claim(row, change.until);
      else
        row.is_unsettled = change.kind != Kind::settle;
      (*this)(std::move(row));
    }
  }
  void erase(core::TaskId id) {
    tables.changed.try_emplace(id, tables.tasks.at(id));
    tables.tasks.erase(id);
    std::erase_if(tables.runs, [&](core::Run const& run) { return run.task == id; });
    remove_guards(tables);
  }
  void operator()(LoadChange const& load) {
    auto& of_board = tables.loads[load.board];
    auto& tasks = load.is_class ? of_board.classes : of_board.columns;
    tasks[load.name] = load.tasks;
    if (load.tasks == 0) tasks.erase(load.name);
  }
  void operator()(AppendedEvent const& appended) {
    tables.events.push_back(std::make_shared<AppendedEvent const>(appended));
    tables.last.seq = appended.event.seq;
    if (appended.is_abandoned) tables.abandoned.emplace(*appended.event.task, appended.event.ts);
  }
  void operator()(CountChanges const& changes) {
    auto& [flow, tallies, until] = tables.counts;
    for (auto const& [key, n] : changes.flow.moves) flow.moves[key] += n;
    for (auto const& [key, sum] : changes.flow.finished) add(flow.finished[key], sum);
    for (auto const& [key, n] : changes.flow.spreads) flow.spreads[key] += n;
    for (auto const& [key, total] : changes.flow.runs) flow.runs[key] += total;
    for (auto const& [key, counts] : changes.tallies) add(tallies[key], counts);
    std::erase_if(tallies, [](auto const& entry) { return entry.second.n == 0; });
    if (!changes.counted_until) return;
    until = changes.counted_until;
    tables.changed.clear();
  }
  void operator()(Records const& records) {
    auto& [guards, automations, tokens, remembered, settings, settling] = tables.records;
    for (auto const& row : records.guards) put(guards, row, [](auto const& one) { return one.first; });
    for (auto const& row : records.automations) {
      put(automations, row, [](auto const& one) { return one.automation.id; });
      raise(tables.last.automation, std::int64_t{row.automation.id});
    }
    for (auto const& row : records.tokens) {
      put(tokens, row, &store::Token::id);
      raise(tables.last.token, std::int64_t{row.id});
    }
    for (auto const& row : records.remembered)
      put(remembered, row, [](auto const& one) { return one.first; });
    for (auto const& row : records.settings) put(settings, row, [](auto const& one) { return one.first; });
    for (auto const& row : records.settling) put(settling, row, &Settling::board);
  }
  void remove_board(core::BoardId id) {
    tables.loads.erase(id);
    std::erase_if(tables.registry.boards, [&](auto const& board) { return board.id == id; });
    std::erase_if(tables.records.settling, [&](auto const& row) { return row.board == id; });
    std::erase_if(tables.records.automations, [&](auto const& row) { return row.board == id; });
  }
};

}  // namespace

Removed MemorySession::remove(Removal const& removal) {
  look();
  return std::visit(Remover{*own_}, removal);
}

void MemorySession::write(Writes const& writes) {
  look();
  ++state_.rows;
  auto& tables = *own_;
  Store store{tables};
  for (auto const& change : writes.boards) store(change);
  for (auto const* worker : writes.workers) put(tables.registry.workers, *worker, &core::Worker::name);
  for (auto const& change : writes.tasks) store(change);
  for (auto const& change : writes.derived) store.derive(change);
  for (auto const id : writes.promoted) store.promote(id);
  for (auto const& change : writes.claims) store(change);
  for (auto const* task : writes.erased) store.erase(task->id);
  for (auto const& load : writes.loads) store(load);
  for (auto const& [run, is_new] : writes.runs) {
    put(tables.runs, *run, &core::Run::id);
    raise(tables.last.run, std::int64_t{run->id});
  }
  for (auto const& event : writes.events) store(event);
  store(writes.counts);
  store(writes.records);
  for (auto const id : writes.boards_removed) store.remove_board(id);
  for (auto const& gone : writes.workers_removed)
    std::erase_if(tables.registry.workers, [&](auto const& worker) { return worker.name == gone; });
  for (auto const gone : writes.automations_removed)
    std::erase_if(tables.records.automations, [&](auto const& row) { return row.automation.id == gone; });
  for (auto const gone : writes.settled)
    std::erase_if(tables.records.settling, [&](auto const& row) { return row.board == gone; });
  if (writes.numbers) {
    raise(tables.last.run, writes.numbers->run);
    raise(tables.last.token, writes.numbers->token);
  }
  if (writes.reshaped) ++tables.registry.number;
  if (are_doubled(tables)) fail(store::StoreError::Kind::other, "two rows have what only one may have");
}

}  // namespace andon::test
