#include "store/postgres/connection/connection.hpp"

#include <chrono>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "store/postgres/opened.hpp"

using namespace andon;
using namespace andon::store;
using namespace andon::store::postgres;

namespace {

/// Waits until so many server processes have this number and satisfy the condition.
void wait_until(std::int64_t count, std::int64_t process, std::string const& condition) {
  auto other = open();
  auto const question = a_statement("SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND " + condition);
  while (other.query(question, Parameters::of(process))[0].integer(0) != count) std::this_thread::yield();
}

/// Ends the connection's server process from another connection, and waits until it is gone.
void end_process(std::int64_t process) {
  auto other = open();
  other.query(a_statement("SELECT pg_terminate_backend($1::int4, 5000)"), Parameters::of(process));
}

}  // namespace

TEST_CASE("PostgresConnection.OutlivesAWrongNumberOfParameters" * without_server()) {
  auto db = open();
  CHECK(caught([&] { db.query(a_statement("SELECT $1::int8, $2::int8"), Parameters::of(1)); }).kind ==
        Kind::other);
  CHECK_FALSE(db.is_lost());
  CHECK(number(db, "SELECT 1") == 1);
}

TEST_CASE("PostgresConnection.SetsUpTheSession" * without_server()) {
  auto db = open();
  auto const setting = a_statement("SELECT current_setting($1)");
  auto const is = [&](char const* name) { return db.query(setting, Parameters::of(name))[0].text(0); };
  CHECK(is("search_path") == "\"andon\", pg_temp");
  CHECK(is("application_name") == "andon");
  CHECK(is("client_encoding") == "UTF8");
  CHECK(is("statement_timeout") == "30s");
  CHECK(is("idle_in_transaction_session_timeout") == "5s");
}

TEST_CASE("PostgresConnection.NamesTheFailedStatementOfAPipelineAndGoesOn" * without_server()) {
  auto db = open();
  db.run_script("a script", "CREATE TEMP TABLE t (id int8 PRIMARY KEY); INSERT INTO t VALUES (1)");
  auto const insert = Statement{"add a row", "INSERT INTO t VALUES ($1)"};
  db.queue(begin_writing());
  db.queue(insert, Parameters::of(2));
  db.queue(insert, Parameters::of(1));
  db.queue({"delete all", "DELETE FROM t"});
  auto const error = caught([&] { db.flush(); });
  CHECK(error.kind == Kind::other);
  CHECK(holds(error.text, "run add a row: duplicate key"));
  CHECK(db.is_in_transaction());
  CHECK_FALSE(db.is_lost());
  db.queue(rollback());
  CHECK(number(db, "SELECT count(*) FROM t") == 1);
  CHECK_FALSE(db.is_in_transaction());
  db.queue({"delete all", "DELETE FROM t"});  // its preparation was skipped before
  CHECK(number(db, "SELECT count(*) FROM t") == 0);
}

TEST_CASE("PostgresConnection.UndoesToASavepoint" * without_server()) {
  auto db = open();
  db.run_script("a script", "CREATE TEMP TABLE t (id int8)");
  db.queue(begin_writing());
  db.queue(a_statement("INSERT INTO t VALUES (1)"));
  db.queue(set_savepoint());
  db.queue(a_statement("INSERT INTO t VALUES (2)"));
  db.queue(roll_back_to_savepoint());
  db.queue(commit());
  CHECK(number(db, "SELECT sum(id)::int8 FROM t") == 1);
}

TEST_CASE("PostgresConnection.ACommitOfAFailedTransactionFails" * without_server()) {
  auto db = open();
  db.queue(begin_writing());
  CHECK(caught([&] { db.query(a_statement("SELECT 1/0")); }).kind == Kind::other);
  db.queue(commit());
  auto const error = caught([&] { db.flush(); });
  CHECK(holds(error.text, "rolled back"));
  CHECK_FALSE(error.is_unknown);
}

TEST_CASE("PostgresConnection.KeepsManyPreparedStatementsInBounds" * without_server()) {
  auto db = open();
  for (int i = 0; i < 600; ++i) CHECK(number(db, "SELECT " + std::to_string(i)) == i);
  CHECK(number(db, "SELECT count(*) FROM pg_prepared_statements") <= 256);
  for (int i = 0; i < 600; ++i) db.queue(a_statement("SELECT $1, " + std::to_string(i)), Parameters::of(i));
  db.flush();
  CHECK(number(db, "SELECT count(*) FROM pg_prepared_statements") <= 256);
}

TEST_CASE("PostgresConnection.PreparesAStatementForEachTypeOfItsParameters" * without_server()) {
  auto db = open();
  auto const statement = a_statement("SELECT '1' = $1");
  CHECK(db.query(statement, Parameters::of(nullptr))[0].is_null(0));
  CHECK(db.query(statement, Parameters::of(1))[0].boolean(0));
  CHECK(db.query(statement, Parameters::of("1"))[0].boolean(0));
}

TEST_CASE("PostgresConnection.TakesALotInOnePipeline" * without_server()) {
  auto db = open();
  auto const statement = a_statement("SELECT repeat('x', 10000), $1");
  for (int i = 0; i < 5'000; ++i) db.queue(statement, Parameters::of(std::string(1'000, 'y')));
  db.flush();
  CHECK(number(db, "SELECT 1") == 1);
}

TEST_CASE("PostgresConnection.KnowsThatItIsLost" * without_server()) {
  auto db = open();
  end_process(number(db, "SELECT pg_backend_pid()"));
  auto const error = caught([&] { db.query(a_statement("SELECT 1")); });
  CHECK(error.kind == Kind::busy);
  CHECK(holds(error.text, "connection to the database was lost"));
  CHECK_FALSE(error.is_unknown);
  CHECK(db.is_lost());
  CHECK(caught([&] { db.queue(a_statement("SELECT 1")); }).kind == Kind::busy);
  CHECK_NOTHROW(db.flush());
}

TEST_CASE("PostgresConnection.ACommitThatWasCutOffIsUnknown" * without_server()) {
  auto db = open();
  db.run_script("a script", R"(
    CREATE SCHEMA cut; SET LOCAL search_path = cut;
    CREATE TABLE cut.t (id int8);
    CREATE FUNCTION cut.die() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER die AFTER INSERT ON cut.t DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION cut.die();)");
  db.queue(begin_writing());
  db.query(a_statement("INSERT INTO cut.t VALUES (1) RETURNING id"));
  db.queue(commit());
  CHECK(caught([&] { db.flush(); }).is_unknown);
  CHECK(db.is_lost());
}

TEST_CASE("PostgresConnection.ACommitOnADeadConnectionIsUnknown" * without_server()) {
  auto db = open();
  db.queue(begin_writing());
  end_process(number(db, "SELECT pg_backend_pid()"));
  CHECK(caught([&] {
          db.queue(commit());
          db.flush();
        }).is_unknown);
  CHECK(db.is_lost());
}

TEST_CASE("PostgresConnection.CancelsFromAnotherThread" * without_server()) {
  auto db = open();
  std::jthread const canceller{[&db, process = number(db, "SELECT pg_backend_pid()")] {
    wait_until(1, process, "wait_event = 'PgSleep'");
    CHECK(db.cancel());
  }};
  CHECK(caught([&] { db.query(a_statement("SELECT 1 FROM pg_sleep(20)")); }).kind == Kind::overlong);
  CHECK(number(db, "SELECT 1") == 1);
}

TEST_CASE("PostgresConnection.GivesUpAStatementThatTakesTooLong" * without_server()) {
  auto db = open(Access::read, "owner", {.statement = std::chrono::milliseconds{50}});
  CHECK(caught([&] { db.query(a_statement("SELECT 1 FROM pg_sleep(20)")); }).kind == Kind::overlong);
  CHECK_FALSE(db.is_lost());
}

TEST_CASE("PostgresConnection.AnIdleTransactionIsEnded" * without_server()) {
  auto db = open(Access::write, "owner", {.idle_in_transaction = std::chrono::milliseconds{50}});
  db.queue(begin_writing());
  wait_until(0, number(db, "SELECT pg_backend_pid()"), "true");
  CHECK(caught([&] { db.query(a_statement("SELECT 1")); }).kind == Kind::busy);
  CHECK(db.is_lost());
}

TEST_CASE("PostgresConnection.AReaderCannotWrite" * without_server()) {
  auto db = open(Access::read);
  CHECK(caught([&] { db.query(a_statement("CREATE TABLE public.x (id int8)")); }).kind == Kind::read_only);
}

TEST_CASE("PostgresConnection.SaysThatARightIsMissing" * without_server()) {
  auto db = open(Access::write, "locked:right%3Aword");
  auto const error = caught([&] { db.query(a_statement("SELECT rolpassword FROM pg_authid")); });
  CHECK(holds(error.text, "lacks a right"));
}

TEST_CASE("PostgresConnection.NoMessageHoldsThePassword" * without_server()) {
  auto const& server = test::PrivatePostgres::instance();
  auto const login = caught([] { open(Access::write, "locked:s3cret"); });
  CHECK(login.kind == Kind::busy);
  CHECK(holds(login.text, "password authentication failed"));
  CHECK_FALSE(holds(login.text, "s3cret"));
  auto const query =
      caught([&] { Connection{Settings{server.url("locked") + "&password=s3cret"}, Access::read}; });
  CHECK(holds(query.text, "password authentication failed"));
  CHECK_FALSE(holds(query.text, "s3cret"));
  auto const refused = caught(
      [] { Connection{Settings{"postgres://me:s3cret@127.0.0.1:1/db?password=s3cret"}, Access::read}; });
  CHECK(holds(refused.text, "cannot connect to postgres://me@127.0.0.1:1/db"));
  CHECK_FALSE(holds(refused.text, "s3cret"));
}
