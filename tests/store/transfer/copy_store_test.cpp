#include "store/transfer/copy_store.hpp"

#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/postgres/session/sql_connection.hpp"
#include "store/sqlite/database/connection.hpp"
#include "store/transfer/databases.hpp"
#include "support/store_digest.hpp"

using namespace andon;
using namespace andon::test;

namespace {

struct Places {
  Scratch scratch;
  std::string first = "sqlite:" + (scratch / "first.db").native();
  std::string second = url_of_new_schema();
  std::string third = "sqlite:" + (scratch / "third.db").native();
};

core::Run a_run(core::TaskId task) {
  core::Run run;
  run.task = task;
  run.started = at_minute(2);
  return run;
}

store::Token a_token(std::string const& name) {
  store::Token token;
  token.hash = std::string(64, name[0]);
  token.name = name;
  token.label = "of a test";
  token.created = at_minute(0);
  return token;
}

core::AutomationId add_automation(store::Store& store) {
  core::Automation automation;
  automation.name = "nightly";
  automation.board = "shop";
  return keep(store, [&](store::Tx& tx) { return tx.add(automation); });
}

void fill(store::Store& store) {
  add_board(store);
  add_board(store, a_board("garden").prefixed("G"));
  auto const first =
      add_task(store, a_task("Fix the cart – schön").ready().tagged("qa").with_body("Grüße\n🙂")).id;
  auto const second = add_task(store, a_task("then").ready().waiting_for(first).due(20'000)).id;
  add_task(store, a_task("a part").child_of(second).assigned_to("ann").blocked());
  change_task(store, first, [](core::Task& task) {
    task.status = "done";
    task.started = at_minute(1);
    task.completed = at_minute(9);
  });
  keep(store, [&](store::Tx& tx) {
    tx.add(a_run(first));
    tx.add(a_token("ann"));
    tx.set_setting("a setting", "its value");
    tx.remember("key", {.fingerprint = "f", .answer = "a", .at = at_minute(1)});
    auto note = an_event(core::EventKind::task_noted, first);
    note.data = R"({"text":"keep me"})";
    tx.append(note);
    for (int i = 0; i < 20; ++i) tx.append(an_event(core::EventKind::task_edited, first));
  });
  add_automation(store);
}

void execute(std::string const& url, std::string const& sql) {
  store::sqlite::Connection db{url.substr(std::string_view{"sqlite:"}.size()), store::sqlite::Mode::owner};
  db.execute(sql);
}

}  // namespace

TEST_CASE("CopyStore.GoesToPostgresAndBack" * without_postgres()) {
  Places const at;
  fill(*open_any(at.first));
  auto const before = store_digest(*open_any(at.first));
  auto const there = copied(at.first, at.second, at_minute(5));
  auto const back = copied(at.second, at.third, at_minute(6));
  CHECK(there.rows > 30);
  CHECK(there.tables == back.tables);
  CHECK(there.rows == back.rows);
  CHECK(there.digest == back.digest);
  CHECK(measured(at.first).digest == measured(at.third).digest);
  CHECK(store_digest(*open_any(at.third)) == before);
  CHECK(store_digest(*open_any(at.second)) == before);
}

TEST_CASE("CopyStore.AnswersAsBefore" * without_postgres()) {
  Places const at;
  fill(*open_any(at.first));
  copied(at.first, at.second, at_minute(5));
  copied(at.second, at.third, at_minute(6));
  auto const answers = [](std::string const& url) {
    auto const store = open_any(url);
    return seen(*store, [](store::Tx& tx) {
      std::string out = tx.remembered("key")->answer;
      auto const page = tx.list({}, {});
      for (auto const& task : page->tasks) out += " " + std::to_string(task.id);
      return out;
    });
  };
  CHECK(answers(at.third) == answers(at.first));
  auto const number = [](std::string const& url) { return add_task(*open_any(url), a_task()).id; };
  CHECK(number(at.third) == number(at.first));
}

TEST_CASE("CopyStore.KeepsNumbersOfRemovedAutomations" * without_postgres()) {
  Places const at;
  fill(*open_any(at.first));
  keep(*open_any(at.first), [](store::Tx& tx) { tx.remove_automation(1); });
  copied(at.first, at.second, at_minute(5));
  copied(at.second, at.third, at_minute(6));
  CHECK(add_automation(*open_any(at.second)) == 2);
  CHECK(add_automation(*open_any(at.third)) == 2);
}

TEST_CASE("CopyStore.FindsTextsInSqlite" * without_postgres()) {
  Places const at;
  fill(*open_any(at.first));
  copied(at.first, at.second, at_minute(5));
  copied(at.second, at.third, at_minute(6));
  auto const store = open_any(at.third);
  std::size_t hits = 0;
  store::write(*store, [&](store::Tx& tx) {
    tx.update_search_for_now();
    hits = tx.search({{{"cart", false, false}}, {}}, at_minute(1), 10, 0).hits.size();
    return store::Outcome::rollback;
  });
  CHECK(hits == 1);
}

TEST_CASE("CopyStore.RefusesATargetWithData" * without_postgres()) {
  Places const at;
  fill(*open_any(at.first));
  copied(at.first, at.second, at_minute(5));
  auto const before = measured(at.second);
  CHECK(refusal_of([&] { copied(at.first, at.second, at_minute(6)); }).contains("holds data"));
  CHECK(measured(at.second).digest == before.digest);
  CHECK(refusal_of([&] { copied(at.second, at.first, at_minute(6)); }).contains("exists already"));
  CHECK(refusal_of([&] { copied("sqlite:/nowhere/a.db", at.third, at_minute(6)); }).contains("no database"));
  CHECK(refusal_of([&] { copied(url_of_new_schema(), at.third, at_minute(6)); }).contains("no store"));
  CHECK_FALSE(std::filesystem::exists(at.scratch / "third.db"));
}

TEST_CASE("CopyStore.LeavesNothingWhenItFails" * without_postgres()) {
  Places const at;
  fill(*open_any(at.first));
  execute(at.first, "UPDATE setting SET value = 'a' || char(0) || 'b'");
  auto const why = refusal_of([&] { copied(at.first, at.second, at_minute(5)); });
  CHECK(why.contains("the column value of the table setting has a zero byte in the row name a setting"));
  CHECK(refusal_of([&] { measured(at.second); }).contains("no store"));
  execute(at.first, "UPDATE setting SET value = 'a'");
  copied(at.first, at.second, at_minute(5));
  // SQLite refuses an integer that its table may not hold.
  store::postgres::SqlConnection db{store::postgres::Settings{at.second}, store::postgres::Access::write};
  db.run_script("damage",
                "ALTER TABLE given DROP CONSTRAINT given_name_check; INSERT INTO given VALUES ('x', 1)");
  CHECK_FALSE(refusal_of([&] { copied(at.second, at.third, at_minute(5)); }).empty());
  for (auto const& file : std::filesystem::directory_iterator{at.scratch.path()})
    CHECK_FALSE(file.path().filename().native().starts_with("third"));
}

TEST_CASE("CopyStore.ShowsNoPassword") {
  auto const why =
      refusal_of([] { copied("postgres://me:s3cret@127.0.0.1:1/a", "sqlite:/nowhere/b.db", at_minute(0)); });
  CHECK_FALSE(why.empty());
  CHECK_FALSE(why.contains("s3cret"));
  CHECK(refusal_of([] { copied("mysql:x", "sqlite:/b", at_minute(0)); }).contains("is named like"));
}
