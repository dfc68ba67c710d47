#include "core/model/plain_field.hpp"

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using namespace andon;
using test::Cli;

namespace {

std::string text_of(Cli& cli, std::string_view id, std::string_view field) {
  auto const task = cli({"show", std::string{id}, "--json"}).json().as_object();
  auto const* value = task.if_contains(field);
  return value ? std::string{value->as_string()} : std::string{};
}

}  // namespace

TEST_CASE("PlainFields.AreSetShownClearedAndTakenOverByTheirRowAlone") {
  for (auto const& field : core::kPlainFields) {
    CAPTURE(field.name);
    Cli cli;
    cli.with_board("shop");
    auto const flag = "--" + std::string{field.name};
    REQUIRE(cli({"create", "Fix the cart", flag, "first"}).code == 0);
    CHECK(text_of(cli, "1", field.name) == "first");
    REQUIRE(cli({"edit", "1", flag, "second"}).code == 0);
    CHECK(text_of(cli, "1", field.name) == "second");
    CHECK(cli({"show", "1"}).out.contains(std::string{field.label} + ":"));
    CHECK(cli({"show", "1"}).out.contains("second"));
    CHECK(cli({"edit", "1", flag, ""}).err.contains("no changes"));
    REQUIRE(cli({"edit", "1", "--" + std::string{field.clearing_flag}}).code == 0);
    CHECK(text_of(cli, "1", field.name).empty());
    boost::json::array const rows{boost::json::object{{"title", "Other"}, {field.name, "taken over"}}};
    REQUIRE(cli({"import", "-"}, boost::json::serialize(rows)).code == 0);
    CHECK(text_of(cli, "2", field.name) == "taken over");
  }
}

TEST_CASE("PlainFields.HaveALimitThatTheRefusalNames") {
  for (auto const& field : core::kPlainFields) {
    CAPTURE(field.name);
    Cli cli;
    cli.with_board("shop");
    auto const flag = "--" + std::string{field.name};
    auto const most = std::to_string(field.most_bytes);
    REQUIRE(cli({"create", "Fix the cart", flag, std::string(field.most_bytes, 'x')}).code == 0);
    for (auto const& text :
         {std::string(field.most_bytes + 1, 'x'), std::string{"two\nlines"}, std::string{"  "}}) {
      auto const refused = cli({"edit", "1", flag, text});
      CHECK(refused.code != 0);
      CHECK(refused.err.contains("\"" + std::string{field.name} + "\" must be one line of at most " + most));
    }
  }
}

TEST_CASE("PlainFields.AreImportedUnderTheirOtherNames") {
  Cli cli;
  cli.with_board("shop");
  REQUIRE(cli({"import", "-"}, R"([{"title":"A","Story Points":"5"}])").code == 0);
  CHECK(text_of(cli, "1", "estimate") == "5");
}
