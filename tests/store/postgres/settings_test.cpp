#include "store/postgres/connection/settings.hpp"

#include <string>

#include <doctest/doctest.h>

#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"

using namespace andon;
using namespace andon::store::postgres;

namespace {

std::string option(std::string_view url, std::string_view keyword) {
  Settings const settings{url};
  std::string out;
  for (auto const& one : settings.options())
    if (one.keyword == keyword) out += one.value;
  return out;
}

std::string refusal(std::string_view url) {
  try {
    Settings const settings{url};
  } catch (store::StoreError const& error) {
    CHECK(error.kind() == store::StoreError::Kind::refused);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("PostgresSettings.VerifyServersOnOtherMachines") {
  for (auto const* url :
       {"postgres://db.example.org/a", "postgresql://me@10.0.0.1/a", "postgres://localhost,db/a",
        "postgres://localhost/a?hostaddr=10.0.0.1", "postgres://db/a?sslmode=verify-full"}) {
    CAPTURE(url);
    CHECK(option(url, "sslmode") == "verify-full");
    CHECK(option(url, "gssencmode") == "disable");
  }
  for (auto const* mode : {"disable", "allow", "prefer", "require", "verify-ca"})
    CHECK(refusal("postgres://db/a?sslmode=" + std::string{mode}).contains("needs sslmode=verify-full"));
  CHECK(refusal("postgres://localhost/a?host=db&sslmode=require").contains("verify-full"));
}

TEST_CASE("PostgresSettings.LeaveLocalServersToTheUrl") {
  for (auto const* url : {"postgres:///a", "postgres://localhost/a", "postgres://127.0.0.2:5433/a",
                          "postgres://[::1]/a", "postgres:///a?host=/run/pg", "postgres://%2Frun%2Fpg/a"}) {
    CAPTURE(url);
    CHECK(option(url, "sslmode").empty());
  }
  CHECK(option("postgres://localhost/a?sslmode=disable", "sslmode") == "disable");
}

TEST_CASE("PostgresSettings.CountAHostOfTheEnvironment") {
  ::setenv("PGHOST", "db.example.org", 1);
  CHECK(option("postgres:///a", "sslmode") == "verify-full");
  CHECK(option("postgres://localhost/a", "sslmode").empty());
  ::unsetenv("PGHOST");
}

TEST_CASE("PostgresSettings.ShowTheUrlWithoutPasswordAndOptions") {
  CHECK(Settings{"postgres://me:s3cret@db:5433/a?password=s3cret"}.display_url() ==
        "postgres://me@db:5433/a");
  CHECK(Settings{"postgres://me:s3%40c@localhost/a%20b"}.display_url() == "postgres://me@localhost/a%20b");
  CHECK(Settings{"postgresql:///a"}.display_url() == "postgres:///a");
}

TEST_CASE("PostgresSettings.RefuseWithoutShowingThePassword") {
  for (auto const* url :
       {"mysql://me:s3cret@db/a", "postgres://me:s3@cret@db/a", "postgres://me:s3/cret@db/a",
        "postgres://me:s3cret/a", "postgres://me:s?3cret@db/a/x@y", "postgres://me:s3cret@db/a?cret=1",
        "postgres://me:s3cret@db/a?password=s3cret&x", "postgres://me:s3%zcret@db/a",
        "postgres://me:s3cret@db/a?sslmode=require", "postgres://me:s3cret@[::1/a",
        "postgres://me:s3cret@db/a?service=cret", "postgres://me:s3cret@db/a?schema=Cret"}) {
    CAPTURE(url);
    auto const text = refusal(url);
    CHECK_FALSE(text.empty());
    CHECK_FALSE(text.contains("cret"));
  }
}

TEST_CASE("PostgresSettings.TakeTheSchemaOutOfTheUrl") {
  CHECK(Settings{"postgres:///a"}.schema() == "andon");
  CHECK(Settings{"postgres:///a?schema=team_1"}.schema() == "team_1");
  CHECK(option("postgres:///a?schema=x&application_name=y&connect_timeout=3", "application_name") == "y");
  for (auto const* name : {"", "a;b", "pg_catalog", "1a", "%61", "a,b", "A"})
    CHECK(refusal("postgres:///a?schema=" + std::string{name}).contains("schema"));
}
