#include <algorithm>
#include <map>
#include <random>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;

namespace {

using Texts = std::vector<std::string>;
using enum store::Facet;
constexpr std::array kFacets{assignee, tag, class_, priority, status, role, parent};
Texts const kColumns{"backlog", "todo", "doing", "check", "failed", "done", "archived"};

core::Date today() { return {std::chrono::floor<std::chrono::days>(at_minute(0))}; }

std::vector<core::Task> all_tasks(store::Tx& tx) {
  store::TaskFilter everything;
  everything.archived = true;
  return tx.list(everything, {100'000, {}, store::TaskOrder::id, false})->tasks;
}

Texts values_of(core::Task const& task, store::Facet facet) {
  switch (facet) {
    case assignee: return {task.assignee};
    case tag: return task.tags.empty() ? Texts{""} : task.tags;
    case class_: return {task.class_};
    case priority: return {task.priority};
    case status: return {task.status};
    case role: return {task.role};
    case parent: return {task.parent ? std::to_string(*task.parent) : ""};
  }
  return {};
}

std::string line(store::Tally const& tally) {
  return tally.status + "/" + tally.value + " " + std::to_string(tally.count) + " " +
         std::to_string(tally.blocked) + " " + std::to_string(tally.overdue);
}

/// The tally as a walk over all tasks gives it.
Texts recounted(store::Tx& tx, store::Facet facet) {
  std::map<std::pair<std::string, std::string>, store::Tally> counts;
  for (auto const& task : all_tasks(tx))
    for (auto const& value : values_of(task, facet)) {
      auto& tally = counts[{value, task.status}];
      tally.status = task.status;
      tally.value = value;
      ++tally.count;
      if (task.blocked) ++tally.blocked;
      if (task.due && *task.due < today() && !core::is_terminal(task.stage)) ++tally.overdue;
    }
  Texts out;
  for (auto const& [key, tally] : counts) out.push_back(line(tally));
  std::ranges::sort(out);
  return out;
}

Texts counted(store::Tx& tx, store::Facet facet) {
  Texts out;
  for (auto const& tally : tx.tally(tx.board("shop")->id, kColumns, facet, today()))
    out.push_back(line(tally));
  std::ranges::sort(out);
  return out;
}

using Sums = std::map<std::string, std::tuple<std::int64_t, core::Duration, core::Duration>>;
Sums recounted_finished(store::Tx& tx) {
  Sums out;
  for (auto const& task : tx.finished(tx.board("shop")->id, {})) {
    auto& [n, lead, cycle] = out[task.class_ + "/" + task.assignee];
    ++n;
    lead += task.completed - task.created;
    if (task.started) cycle += task.completed - *task.started;
  }
  return out;
}
Sums counted_finished(store::Tx& tx) {
  Sums out;
  for (auto const& total : tx.finished_totals(tx.board("shop")->id, {})) {
    auto& [n, lead, cycle] = out[total.class_ + "/" + total.worker];
    n += total.n;
    lead += total.lead;
    cycle += total.cycle;
  }
  std::erase_if(out, [](auto const& entry) { return std::get<0>(entry.second) == 0; });
  return out;
}

using Moves = std::map<std::string, std::int64_t>;
Moves recounted_moves(store::Tx& tx) {
  Moves out;
  store::EventFilter all;
  all.limit = std::numeric_limits<std::size_t>::max() / 2;
  for (auto const& event : tx.events(all))
    if (event.task && !event.to.empty()) ++out[event.from + ">" + event.to];
  return out;
}
Moves counted_moves(store::Tx& tx) {
  Moves out;
  for (auto const& total : tx.move_totals(tx.board("shop")->id, {}))
    out[total.from + ">" + total.to] += total.n;
  return out;
}

void check_counts(store::Tx& tx) {
  for (auto const facet : kFacets) {
    CAPTURE(static_cast<int>(facet));
    CHECK(counted(tx, facet) == recounted(tx, facet));
  }
  CHECK(counted_finished(tx) == recounted_finished(tx));
  CHECK(counted_moves(tx) == recounted_moves(tx));
  auto const spreads = tx.time_spreads(tx.board("shop")->id, {});
  std::int64_t spread = 0;
  for (auto const& [time, n] : spreads.lead) spread += n;
  CHECK(spread == static_cast<std::int64_t>(tx.finished(tx.board("shop")->id, {}).size()));
}

/// Adds and changes tasks at random, as units of work do: a task, and the event that tells of it.
class Chaos {
 public:
  explicit Chaos(unsigned seed) : engine_(seed) {}

  void act(store::Tx& tx) {
    std::int64_t count = 0;
    for (auto const& [column, n] : tx.load(tx.board("shop")->id).columns) count += n;
    if (count == 0 || below(3) == 0) return add(tx);
    if (auto const task = tx.task(core::TaskId{1 + below(static_cast<int>(count))})) change(tx, *task);
  }
  int below(int end) { return std::uniform_int_distribution<>{0, end - 1}(engine_); }

 private:
  core::Instant later() { return at_minute(minute_ += below(40)); }

  void set_facets(core::Task& task) {
    static Texts const names{"", "ann", "bob"};
    auto const name = [&] { return names[static_cast<std::size_t>(below(3))]; };
    task.assignee = name();
    task.role = name();
    task.class_ = below(4) == 0 ? "expedite" : "";
    task.priority = below(2) == 0 ? "low" : "high";
    task.blocked = below(5) == 0;
    task.tags.clear();
    for (auto const* tag : {"api", "web", "ops"})
      if (below(3) == 0) task.tags.emplace_back(tag);
    task.due.reset();
    if (below(2) == 0) task.due = core::Date{today().day + std::chrono::days{below(9) - 4}};
  }

  void place(core::Task& task, core::Instant now) {
    task.status = kColumns[static_cast<std::size_t>(below(static_cast<int>(kColumns.size())))];
    task.updated = now;
    if (task.status == "doing" && !task.started) task.started = now;
    if (task.status == "done") task.completed = now;
    if (task.status == "archived" && below(2) == 0 && !task.completed) task.completed = now;
    if (task.status != "done" && task.status != "archived") task.completed.reset();
  }

  void tell(store::Tx& tx, core::Task const& task, std::string const& from, core::Instant now) {
    auto event = an_event(core::EventKind::task_moved, task.id);
    event.from = from;
    event.to = task.status;
    event.ts = now;
    if (from != task.status) tx.append(event);
  }

  void add(store::Tx& tx) {
    core::Task task = a_task();
    set_facets(task);
    auto const now = later();
    task.created = now;
    place(task, now);
    tell(tx, tx.add(task), "", now);
  }

  void change(store::Tx& tx, core::Task task) {
    auto const from = task.status;
    auto const now = later();
    if (below(2) == 0) set_facets(task);
    if (below(3) != 0) place(task, now);
    task.rev = core::next(task.rev);
    tx.put(task);
    tell(tx, task, from, now);
  }

  std::mt19937 engine_;
  int minute_ = 0;
};

}  // namespace

TEST_CASE("Counts.AreThoseOfTheTasksWhateverHappened") {
  for (unsigned seed = 1; seed <= 2; ++seed)
    for (auto const kind : {KindOfStore::sqlite, KindOfStore::memory}) {
      CAPTURE(seed);
      StoreUnderTest store{kind};
      add_board(*store);
      Chaos chaos{seed};
      for (int round = 0; round < 24; ++round) {
        bool const keeps = chaos.below(4) != 0;
        store::write(*store, [&](store::Tx& tx) {
          for (int acts = 1 + chaos.below(40); acts > 0; --acts) chaos.act(tx);
          if (round % 4 == 0) check_counts(tx);  // of the unit's own changes
          return keeps ? store::Outcome::commit : store::Outcome::rollback;
        });
        if (round % 7 == 6 && store.lasts()) store.reopen();
        if (round % 3 == 0) store->read([&](store::Tx& tx) { check_counts(tx); });
      }
      store->read([&](store::Tx& tx) { check_counts(tx); });
    }
}

TEST_CASE("Counts.OfFilesAreThoseOfTheTasks") {
  StoreUnderTest store{KindOfStore::markdown};
  add_board(*store);
  Chaos chaos{4};
  for (int round = 0; round < 4; ++round)
    keep(*store, [&](store::Tx& tx) {
      for (int acts = 0; acts < 20; ++acts) chaos.act(tx);
    });
  store->read([&](store::Tx& tx) {
    for (auto const facet : kFacets) CHECK(counted(tx, facet) == recounted(tx, facet));
  });
}

TEST_CASE("Counts.FollowAColumnThatBecomesAnEnd") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const shop = add_board(*store);
    for (int n = 0; n < 3; ++n)
      add_task(*store,
               a_task().in("check").due(static_cast<int>(today().day.time_since_epoch().count()) - 2));
    keep(*store, [&](store::Tx& tx) {
      auto board = *tx.board(shop);
      for (auto& column : board.columns)
        if (column.name == "check") column.stage = core::Stage::done;
      tx.put(board);
    });
    auto const lines = seen(*store, [](auto& tx) { return counted(tx, status); });
    CHECK((lines == Texts{"check/check 3 0 0"} || lines == Texts{"check/check 3 0 3"}));
    CHECK(lines == seen(*store, [](auto& tx) { return recounted(tx, status); }));
  });
}

TEST_CASE("Counts.OfABoardGoWithIt") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    add_board(*store);
    auto const other = add_board(*store, a_board("other"));
    keep(*store, [&](store::Tx& tx) { tx.remove_board(other); });
    auto const again = add_board(*store, a_board("again"));
    CHECK(seen(*store, [&](auto& tx) { return tx.tally(again, kColumns, status, today()); }).empty());
    CHECK(seen(*store, [&](auto& tx) { return tx.move_totals(again, {}); }).empty());
  });
}

TEST_CASE("Counts.ShowAtMostSoManyValues") {
  for_each_store([](StoreUnderTest& store) {
    auto const shop = add_board(*store);
    keep(*store, [](store::Tx& tx) {
      for (int n = 0; n < 300; ++n) tx.add(a_task().tagged("t" + std::to_string(100 + n)));
      tx.add(a_task().tagged("t101"));
    });
    auto const tallies = seen(*store, [&](auto& tx) { return tx.tally(shop, kColumns, tag, today(), 2); });
    CHECK(tallies.size() >= 2);
    CHECK(tallies[0].value == "t100");
    CHECK(line(tallies[1]) == "backlog/t101 2 0 0");
  });
}

TEST_CASE("Counts.OfRunsAreAddedUpByWorker") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const task = add_task(*store).id;
    keep(*store, [&](store::Tx& tx) {
      core::Run run;
      run.task = task;
      run.board = "shop";
      run.worker = "ann";
      run.started = at_minute(0);
      run.id = tx.add(run);
      run.state = core::RunState::ended;
      run.ended = at_minute(30);
      run.outcome = core::Outcome::failed;
      tx.put(run);
      run.usage = core::Usage{100, 20, 0, 0, 0, 0.5};
      tx.put(run);
    });
    auto const totals = seen(*store, [](auto& tx) { return tx.run_totals("shop", at_minute(0)); });
    REQUIRE(totals.size() == 1);
    CHECK(totals[0].worker == "ann");
    CHECK(totals[0].runs == 1);
    CHECK(totals[0].failed == 1);
    CHECK(totals[0].busy == std::chrono::minutes{30});
    CHECK(totals[0].usage.input == 100);
    CHECK(totals[0].usage.cost_usd == doctest::Approx(0.5));
    CHECK(totals[0].unpriced == 0);
    CHECK(seen(*store, [](auto& tx) { return tx.run_totals("shop", at_minute(60)); }).empty());
  });
}

TEST_CASE("Counts.OfRunsTellHowManyChecksWereFlaky") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const task = add_task(*store).id;
    auto const flaky_ones = [&] {
      auto const totals = seen(*store, [](auto& tx) { return tx.run_totals("shop", at_minute(0)); });
      REQUIRE(totals.size() == 1);
      CHECK(totals[0].runs == 1);
      return totals[0].flaky;
    };
    core::Run run;
    run.task = task;
    run.board = "shop";
    run.worker = "ann";
    run.started = at_minute(0);
    keep(*store, [&](store::Tx& tx) {
      run.id = tx.add(run);
      run.state = core::RunState::ended;
      run.ended = at_minute(30);
      run.checks = {{.name = "unit", .passed = true, .flaky = true},
                    {.name = "lint", .passed = true},
                    {.name = "page", .passed = true, .flaky = true}};
      tx.put(run);
    });
    CHECK(flaky_ones() == 2);
    keep(*store, [&](store::Tx& tx) {
      run.checks.pop_back();
      tx.put(run);
    });
    CHECK(flaky_ones() == 1);
  });
}

TEST_CASE("Counts.OfRunsTellHowManyHaveNoPrice") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const task = add_task(*store).id;
    keep(*store, [&](store::Tx& tx) {
      for (std::optional<double> const price : {std::optional{0.5}, std::optional<double>{}}) {
        core::Run run;
        run.task = task;
        run.board = "shop";
        run.worker = "ann";
        run.started = at_minute(0);
        run.id = tx.add(run);
        run.state = core::RunState::ended;
        run.ended = at_minute(30);
        run.usage = core::Usage{.input = 100, .cost_usd = price};
        tx.put(run);
      }
    });
    auto const totals = seen(*store, [](auto& tx) { return tx.run_totals("shop", at_minute(0)); });
    REQUIRE(totals.size() == 1);
    CHECK(totals[0].runs == 2);
    CHECK(totals[0].unpriced == 1);
    CHECK(totals[0].usage.cost_usd == doctest::Approx(0.5));
  });
}

namespace {

core::Event a_renaming(std::string from, core::Instant at) {
  auto event = an_event(core::EventKind::board_changed, 0);
  event.task.reset();
  event.ts = at;
  event.from = std::move(from);
  event.to = "done";
  event.data = R"({"stage":"active"})";
  return event;
}

void end_run_of(store::Tx& tx, core::TaskId task, int minute) {
  core::Run run;
  run.task = task;
  run.board = "shop";
  run.worker = "ann";
  run.started = at_minute(minute);
  run.id = tx.add(run);
  run.state = core::RunState::ended;
  run.ended = at_minute(minute + 30);
  tx.put(run);
}

/// Everything that metrics read of the past, a line each.
Texts past_of(store::Tx& tx) {
  Texts out;
  auto const shop = tx.board("shop")->id;
  auto const line = [&](auto const&... parts) {
    std::ostringstream text;
    ((text << parts << ' '), ...);
    out.push_back(text.str());
  };
  auto const ms = [](core::Instant at) { return at.time_since_epoch().count(); };
  std::map<std::string, std::int64_t> moves, finished;
  for (auto const& m : tx.move_totals(shop, {}))
    moves[std::to_string(ms(m.at)) + m.from + ">" + m.to + m.worker] += m.n;
  for (auto const& f : tx.finished_totals(shop, {}))
    finished[std::to_string(ms(f.at)) + f.class_ + "/" + f.worker] += f.n;
  for (auto const& [key, n] : moves) line("moves", key, n);
  for (auto const& [key, n] : finished)
    if (n != 0) line("finished", key, n);
  auto const spreads = tx.time_spreads(shop, {});
  for (auto const& [time, n] : spreads.lead) line("lead", time.count(), n);
  for (auto const& [time, n] : spreads.cycle) line("cycle", time.count(), n);
  for (auto const& r : tx.run_totals("shop", {})) line("runs", r.worker, r.runs, r.busy.count());
  for (auto const& f : tx.former_columns("shop", {})) line("former", f.name, ms(f.until));
  std::vector<core::TaskId> traced;
  for (auto const& task : tx.finished_last(shop, {}, store::Tx::kMostTraced)) traced.push_back(task.id);
  for (auto const& task : tx.longest_started(shop, 1'000)) traced.push_back(task.id);
  for (auto const& m : tx.moves_of(traced)) line("move", m.task, ms(m.at), m.from, m.to);
  return out;
}

}  // namespace

TEST_CASE("Counts.OfThePastRemainWhenTheHistoryIsTrimmed") {
  for (unsigned seed = 1; seed <= 3; ++seed)
    for_each_store([&](StoreUnderTest& store) {
      CAPTURE(seed);
      add_board(*store);
      Chaos chaos{seed};
      for (int round = 0; round < 8; ++round)
        keep(*store, [&](store::Tx& tx) {
          for (int acts = 0; acts < 30; ++acts) chaos.act(tx);
          if (round == 3) tx.append(a_renaming("working", at_minute(100)));
          end_run_of(tx, 1, round);
        });
      auto const before = seen(*store, past_of);
      auto const end = at_minute(1'000'000);
      auto const removed =
          keep(*store, [&](store::Tx& tx) { return tx.remove_events(0, tx.last_seq(), end); });
      CHECK(removed.size() > 10);
      keep(*store, [&](store::Tx& tx) { return tx.remove_runs_ended_before(end, 100); });
      CHECK(seen(*store, past_of) == before);
    });
}
