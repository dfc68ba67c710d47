#include <array>
#include <cstdlib>
#include <future>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "core/text/percent.hpp"
#include "store/contract/servers.hpp"
#include "store/contract/stores.hpp"
#include "store/contract/unknown_result.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/postgres/open_postgres.hpp"
#include "store/postgres/opened.hpp"
#include "support/cutting_proxy.hpp"

using namespace andon;
using namespace andon::test;
using store::postgres::without_server;

namespace {

/// `ANDON_CUTS` asks for more than the usual dose.
int dose(int usual) {
  auto const* const wished = std::getenv("ANDON_CUTS");
  return wished ? std::atoi(wished) : usual;
}

std::unique_ptr<store::Store> opened(std::string const& url) {
  return store::postgres::open_postgres(url, store::exit_on_fatal, at_minute(0));
}

enum class Fate { kept, not_kept, unknown };

/// Adds a task and returns what the store told of it.
std::future<Fate> add_titled(store::Store& store, std::string title) {
  auto promise = std::make_shared<std::promise<Fate>>();
  auto out = promise->get_future();
  store.submit(
      [title = std::move(title)](store::Tx& tx) {
        tx.add(a_task(title));
        return store::Outcome::commit;
      },
      [promise](std::exception_ptr const& trouble) {
        if (!trouble) return promise->set_value(Fate::kept);
        try {
          std::rethrow_exception(trouble);
        } catch (store::UnknownResult const&) {
          promise->set_value(Fate::unknown);
        } catch (...) {
          promise->set_value(Fate::not_kept);
        }
      });
  return out;
}

/// How often each title is in the store.
std::map<std::string, std::int64_t> titles_in(std::string const& schema) {
  auto db = store::postgres::open();
  auto const rows = db.query(
      store::postgres::a_statement("SELECT title, count(*) FROM " + schema + ".task GROUP BY title"));
  std::map<std::string, std::int64_t> out;
  for (int i = 0; i < rows.size(); ++i) out[std::string{rows[i].view(0)}] = rows[i].integer(1);
  return out;
}

void end_other_connections() {
  auto db = store::postgres::open();
  db.query(
      store::postgres::a_statement("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                                   "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"));
}

/// Every task that the store told of is there once, or not at all, as it was told.
void check(std::map<std::string, Fate> const& told, std::string const& schema) {
  auto const found = titles_in(schema);
  for (auto const& [title, answer] : told) {
    CAPTURE(title);
    auto const there = found.find(title);
    std::int64_t const times = there == found.end() ? 0 : there->second;
    if (answer == Fate::kept) CHECK(times == 1);
    if (answer == Fate::not_kept) CHECK(times == 0);
    if (answer == Fate::unknown) CHECK(times <= 1);
  }
}

}  // namespace

TEST_CASE("PostgresStore.KnowsWhatBecameOfACommitWhoseConnectionWasCut" * without_server()) {
  using Cut = CuttingProxy::Cut;
  CuttingProxy proxy{PrivatePostgres::instance().directory()};
  auto const store =
      opened("postgres://owner@/postgres?host=" + core::percent_encoded(proxy.directory()) + "&schema=cuts");
  add_board(*store);
  std::map<std::string, Fate> told;
  int const rounds = dose(60);
  for (int round = 0; round < rounds; ++round) {
    proxy.cut_next(std::array{Cut::before, Cut::during, Cut::after}.at(static_cast<std::size_t>(round % 3)));
    std::map<std::string, std::future<Fate>> waiting;
    for (int n = 0; n < 4; ++n) {
      auto title = std::to_string(round) + "." + std::to_string(n);
      waiting[title] = add_titled(*store, title);
    }
    for (auto& [title, answer] : waiting) told[title] = answer.get();
  }
  CHECK(proxy.cuts() >= rounds);
  for (auto const& [title, answer] : told) CHECK(answer != Fate::unknown);
  check(told, "cuts");
  CHECK(add_titled(*store, "last").get() == Fate::kept);
}

TEST_CASE("PostgresStore.GoesOnWhenItsConnectionsAreEnded" * without_server()) {
  auto const store = opened(PrivatePostgres::instance().url() + "&schema=killed");
  add_board(*store);
  std::map<std::string, Fate> told;
  for (int round = 0; round < dose(20); ++round) {
    std::map<std::string, std::future<Fate>> waiting;
    for (int n = 0; n < 8; ++n) {
      auto title = std::to_string(round) + "." + std::to_string(n);
      waiting[title] = add_titled(*store, title);
      if (n == 4) end_other_connections();
    }
    for (auto& [title, answer] : waiting) told[title] = answer.get();
    CHECK(seen(*store, [](auto& tx) { return tx.boards().size(); }) == 1);
  }
  check(told, "killed");
  CHECK(add_titled(*store, "last").get() == Fate::kept);
}

TEST_CASE("PostgresStore.ReadsWaitForAConnectionWhenTheServerHasNoMore" * without_server()) {
  auto const owner = opened(PrivatePostgres::instance().url() + "&schema=few");
  add_board(*owner);
  {
    auto db = store::postgres::open();
    db.run_script("make a role",
                  "CREATE ROLE few LOGIN CONNECTION LIMIT 4; GRANT USAGE ON SCHEMA few TO few;"
                  "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA few TO few;"
                  "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA few TO few");
  }
  auto const store = opened(PrivatePostgres::instance().url("few") + "&schema=few");
  CHECK(add_titled(*store, "first").get() == Fate::kept);
  std::vector<std::thread> readers;
  std::atomic<int> done = 0;
  for (int n = 0; n < 8; ++n)
    readers.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        if (seen(*store, [](auto& tx) { return tx.boards().size(); }) == 1) ++done;
    });
  for (auto& reader : readers) reader.join();
  CHECK(done == 160);
}

TEST_CASE("PostgresStore.OneOfManyServersWinsEachClaim" * without_server()) {
  std::vector<std::unique_ptr<store::Store>> servers;
  for (int n = 0; n < 4; ++n) servers.push_back(opened(PrivatePostgres::instance().url() + "&schema=races"));
  auto const board = add_board(*servers[0]);
  constexpr int kTasks = 200;
  keep(*servers[0], [&](store::Tx& tx) {
    for (int n = 0; n < kTasks; ++n) tx.add(a_task().ready());
  });
  std::atomic<int> won = 0;
  std::vector<std::thread> clients;
  for (int n = 0; n < 16; ++n)
    clients.emplace_back([&, n] {
      auto& store = *servers[static_cast<std::size_t>(n) % servers.size()];
      for (bool more = true; more;) {
        more = false;
        keep(store, [&](store::Tx& tx) {
          more = false;
          tx.candidates({board, {"todo"}, {""}, ""}, at_minute(1), [&](core::Task const& offered) {
            auto task = *tx.task(offered.id);
            task.status = "in-progress";
            task.claimed_by = "client " + std::to_string(n);
            task.rev = core::next(task.rev);
            tx.put(task, false);
            tx.append(an_event(core::EventKind::task_claimed, task.id));
            return more = true;
          });
        });
        if (more) ++won;
      }
    });
  for (auto& client : clients) client.join();
  CHECK(won == kTasks);
  auto const events = seen(*servers[3], [](auto& tx) { return tx.events({.limit = 1000}); });
  CHECK(events.size() == kTasks);
  std::set<std::int64_t> tasks;
  for (std::size_t i = 0; i < events.size(); ++i) {
    CHECK(events[i].seq == static_cast<std::int64_t>(i) + 1);
    tasks.insert(*events[i].task);
  }
  CHECK(tasks.size() == kTasks);
}

TEST_CASE("PostgresStore.RefusesOnlyTheUnitThatBreaksARuleOfTheDatabase" * without_server()) {
  auto const store = opened(PrivatePostgres::instance().url() + "&schema=rules");
  add_board(*store);
  std::vector<core::TaskId> ids;
  for (int n = 0; n < 5; ++n) ids.push_back(add_task(*store, a_task().ready()).id);
  std::vector<std::future<bool>> answers;
  for (int n = 0; n < 5; ++n) {
    auto promise = std::make_shared<std::promise<bool>>();
    answers.push_back(promise->get_future());
    store->submit(
        [id = ids[static_cast<std::size_t>(n)], is_wrong = n == 2](store::Tx& tx) {
          auto task = *tx.task(id);
          task.status = "in-progress";
          task.rev = core::next(task.rev);
          if (is_wrong) task.attempt = -1;  // a check of the table refuses it
          tx.put(task, false);
          return store::Outcome::commit;
        },
        [promise](std::exception_ptr const& trouble) { promise->set_value(trouble == nullptr); });
  }
  for (int n = 0; n < 5; ++n) {
    CAPTURE(n);
    CHECK(answers[static_cast<std::size_t>(n)].get() == (n != 2));
    auto const status =
        seen(*store, [&](auto& tx) { return tx.task(ids[static_cast<std::size_t>(n)])->status; });
    CHECK((status == "in-progress") == (n != 2));
  }
}

TEST_CASE("PostgresServers.OneLeadsAndAnotherFollowsWhenItLeaves" * without_server()) {
  auto const one = opened(PrivatePostgres::instance().url() + "&schema=leaders");
  auto const two = opened(PrivatePostgres::instance().url() + "&schema=leaders");
  one->servers()->join({"one", "http://one", "1"});
  two->servers()->join({"two", "http://two", "1"});
  CHECK(one->servers()->leads());
  CHECK_FALSE(two->servers()->leads());
  auto const all = two->servers()->all();
  REQUIRE(all.size() == 2);
  CHECK((all[0].leads && all[0].is_alive && !all[0].is_own && all[1].is_own && !all[1].leads));
  auto const taken = store::postgres::caught([&] {
    auto const three = opened(PrivatePostgres::instance().url() + "&schema=leaders");
    three->servers()->join({"two", "", ""});
  });
  CHECK(taken.text.contains("another server of this store is called \"two\""));
  one->servers()->leave();
  CHECK_FALSE(one->servers()->leads());
  auto const end = os::SteadyClock::now() + std::chrono::seconds{5};
  while (!two->servers()->leads() && os::SteadyClock::now() < end) std::this_thread::yield();
  CHECK(two->servers()->leads());
}
