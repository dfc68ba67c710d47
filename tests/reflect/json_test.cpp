#include "reflect/json.hpp"

#include <random>

#include <doctest/doctest.h>

#include "core/boards/templates.hpp"
#include "core/model/board.hpp"
#include "core/model/progress.hpp"
#include "core/model/run.hpp"
#include "core/model/task.hpp"
#include "core/model/worker.hpp"
#include "service/tasks/edit.hpp"

using namespace andon;

namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

/// Writes, reads and writes again.
template <class T>
std::string round_trip(T const& object) {
  auto const json = reflect::to_json(object);
  auto const back = reflect::read_json<T>(json);
  REQUIRE_MESSAGE(back, json);
  CHECK(reflect::to_json(*back) == json);
  return json;
}

std::string refusal(std::string_view json) {
  auto const read = reflect::read_json<service::EditTaskRequest>(json);
  return read ? "" : std::string{core::row(read.error().code).name} + " " + read.error().field;
}

}  // namespace

TEST_CASE("Json.EveryDescribedStructSurvivesTheRoundTrip") {
  core::Task task;
  task.title = "Fix \"the\" cart\n\t\\ \x7f ä €";
  task.tags = {"a", "b"};
  task.due = core::parse_date("2028-02-29");
  task.parent = core::TaskId{7};
  core::NextTask ship, check;
  ship.title = "Ship";
  check.title = "QA";
  check.next_tasks = {ship};
  task.next_tasks = {check};
  task.claim_expires = core::parse_instant("2026-11-21T08:00:00.250Z");
  task.children = core::Progress{1, 2};
  task.review = core::ReviewRule::none;
  auto const json = round_trip(task);
  CHECK(reflect::read_json<core::Task>(json) == task);
  CHECK(
      json.starts_with(R"({"id":0,"title":"Fix \"the\" cart\n\t\\ \u007f ä €","status":"","priority":"",)"));
  round_trip(core::Task{});
  for (auto const name : core::template_names()) round_trip(*core::board_from_template(name));
  core::Run run;
  run.outcome = core::Outcome::rate_limited;
  run.usage = core::Usage{1, 2, 3, 4, 5, 0.1};
  run.exit = core::Exit{.code = 3, .signal = {}};
  run.stop = core::StopOrder{core::Verb::kill, "backlog", "x", "user:ann", {}};
  round_trip(run);
}

TEST_CASE("Json.AListThatIsGivenReplacesTheDefault") {
  core::Worker worker;
  worker.boards = {"shop"};
  round_trip(worker);
  CHECK(reflect::read_json<core::Worker>(R"({"boards":["shop"]})")->boards ==
        std::vector<std::string>{"shop"});
  CHECK(reflect::read_json<core::Worker>("{}")->boards == std::vector<std::string>{"*"});
}

TEST_CASE("Json.NullEmptiesAnOptionalAndAbsenceLeavesIt") {
  core::Task task;
  task.parent = core::TaskId{7};
  auto& type = reflect::type_of<core::Task>();
  REQUIRE(reflect::from_json(type, &task, reflect::parse_json("{}").value()));
  CHECK(task.parent == 7);
  REQUIRE(reflect::from_json(type, &task, reflect::parse_json(R"({"parent":null})").value()));
  CHECK_FALSE(task.parent);
}

TEST_CASE("Json.APatchTellsNullFromAbsent") {
  auto const read = [](std::string_view json) {
    return reflect::read_json<service::EditTaskRequest>(json).value();
  };
  CHECK_FALSE(read(R"({"id":1})").due);
  auto const cleared = read(R"({"id":1,"due":null})").due;
  REQUIRE(cleared);
  CHECK_FALSE(*cleared);
  CHECK(**read(R"({"id":1,"due":"2027-02-01"})").due == *core::parse_date("2027-02-01"));
}

TEST_CASE("Json.RefusalsNameTheFieldByItsPath") {
  CHECK(refusal(R"({"id":1,"next_tasks":[{"title":1}]})") == "INVALID_INPUT next_tasks/0/title");
  CHECK(refusal(R"({"id":1,"next_tasks":[{"title":"a"},{"title":"b","next_tasks":[{"body":"x"}]}]})") ==
        "INVALID_INPUT next_tasks/1/next_tasks/0/title");
  CHECK(refusal(R"({"id":1,"tags":["a",2]})") == "INVALID_INPUT tags/1");
  CHECK(refusal(R"({"id":1,"next_tasks":[{"title":"a","x":1}]})") == "UNKNOWN_FIELD next_tasks/0/x");
  CHECK(refusal(R"({"id":1,"nonsense":1})") == "UNKNOWN_FIELD nonsense");
  CHECK(refusal(R"({"id":1,"review":"maybe"})") == "INVALID_INPUT review");
  CHECK(refusal(R"({"id":1,"force":"yes"})") == "INVALID_INPUT force");
  CHECK(refusal(R"({"title":"x"})") == "INVALID_INPUT id");
  CHECK(refusal("[]") == "INVALID_INPUT ");
  CHECK(refusal(R"({"id":1})").empty());
  CHECK(reflect::read_json<service::EditTaskRequest>(R"({"id":1,"x":1})", reflect::Unknown::ignore));
}

TEST_CASE("Json.NumbersOutOfRangeAreRefusedNotWrapped") {
  CHECK(refusal(R"({"id":1,"max_attempts":4294967297})") == "INVALID_INPUT max_attempts");
  CHECK(refusal(R"({"id":1,"epoch":9223372036854775808})") == "INVALID_INPUT epoch");
  CHECK(refusal(R"({"id":1,"epoch":9223372036854775807})").empty());
  CHECK(refusal(R"({"id":1,"epoch":1.0})") == "INVALID_INPUT epoch");
  for (auto const* number : {"1e400", "-1e400", "-2888888800e8888"})
    CHECK(refusal(R"({"id":1,"epoch":)" + std::string{number} + "}") == "MALFORMED ");
}

TEST_CASE("Json.RefusalsSayWhatIsWanted") {
  auto const says = [](std::string const& text) {
    return reflect::read_json<service::EditTaskRequest>(text).error().message;
  };
  CHECK(says(R"({"id":1,"max_attempts":1.5})") == "\"max_attempts\" must be a whole number");
  CHECK(says(R"({"id":1,"max_attempts":"2"})") == "\"max_attempts\" must be a whole number, not a text");
  CHECK(says(R"({"id":1,"epoch":9223372036854775808})") == "\"epoch\" is out of range");
  CHECK(says(R"({"id":1,"review":[]})") == "\"review\" must be one of inherit required none, not a list");
}

TEST_CASE("Json.DepthAndSizeHaveTheirLimits") {
  CHECK(reflect::parse_json(nested(64)));
  CHECK(reflect::parse_json(nested(65)).error().message.starts_with("the JSON is nested deeper than 64"));
  auto const list = [](std::size_t n) {
    std::string out = "[0";
    for (std::size_t i = 1; i < n; ++i) out += ",0";
    return out + "]";
  };
  CHECK(reflect::parse_json(list(9'999)));
  CHECK(
      reflect::parse_json(list(10'000)).error().message.starts_with("the JSON holds more than 10000 values"));
}

TEST_CASE("Json.DuplicateKeysAreRefusedHoweverTheyAreWritten") {
  CHECK(reflect::parse_json(R"({"a":1,"a":2})").error().message.starts_with("the key \"a\" stands twice"));
  CHECK_FALSE(reflect::parse_json(R"({"a":1,"\u0061":2})"));
  CHECK_FALSE(reflect::parse_json(R"({"x":{"":1,"":2}})"));
  CHECK(reflect::parse_json(R"({"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]})"));
}

TEST_CASE("Json.OnlyWellFormedTextsAreTaken") {
  for (std::string_view const bad : {"",
                                     " ",
                                     "{",
                                     "{}}",
                                     "[1,]",
                                     "{\"a\":}",
                                     "nul",
                                     "01",
                                     "1.",
                                     "+1",
                                     "'a'",
                                     "\"\t\"",
                                     "\"\xff\"",
                                     "\"\xc0\x80\"",
                                     "\"\xed\xa0\x80\"",
                                     "\"\\ud800\"",
                                     "\"\\x\"",
                                     "// x\n1",
                                     "NaN",
                                     "[1 2]",
                                     "\xef\xbb\xbf{}"}) {
    CAPTURE(bad);
    auto const parsed = reflect::parse_json(bad);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == core::Code::kMalformed);
  }
  CHECK(reflect::parse_json(" {} \n"));
  CHECK(reflect::parse_json(R"("\ud83d\ude00")")->as_string() == "😀");
}

TEST_CASE("Json.GarbageNeverThrows") {
  std::mt19937 random{1};
  constexpr std::string_view kPieces[] = {"{", "}", "[",   "]",    ":",   ",",  "\"a\"", "\"id\"",
                                          "1", "-", "1e9", "null", "tru", "\\", "\xff",  " "};
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    if (auto const value = reflect::parse_json(text))
      (void)reflect::from_json<service::EditTaskRequest>(*value);
  }
}

TEST_CASE("Json.PresenceDecidesWhatIsWritten") {
  core::Task task;
  auto json = reflect::to_json(task);
  CHECK(json.find("\"blocked\"") == std::string::npos);
  CHECK(json.find("\"assignee\"") == std::string::npos);
  CHECK(json.find("\"epoch\":0") != std::string::npos);
  task.blocked = true;
  CHECK(reflect::to_json(task).find("\"blocked\":true") != std::string::npos);
  CHECK(reflect::to_json(service::NoRequest{}) == "{}");
}

TEST_CASE("Json.WhatIsWrittenIsUtf8WhateverStoodThere") {
  auto const written = [](std::string_view text) {
    std::string out;
    reflect::write_string(text, out);
    return out;
  };
  CHECK(written("caf\xC3\xA9 \xF0\x9F\x8E\x89!") == "\"caf\xC3\xA9 \xF0\x9F\x8E\x89!\"");
  CHECK(written("caf\xE9") == "\"caf\xEF\xBF\xBD\"");
  CHECK(written("\xE9\xC3\xA9\xC3x\xF0\x9F") ==
        "\"\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST_CASE("Json.NumbersAreWrittenWithoutExponents") {
  auto const written = [](double number) {
    std::string out;
    reflect::write_number(number, out);
    return out;
  };
  CHECK(written(0.1) == "0.1");
  CHECK(written(1e21) == "1000000000000000000000");
  CHECK(written(-0.5) == "-0.5");
  CHECK(written(1e-7) == "0.0000001");
}

TEST_CASE("Json.ChecksTheFormOfAnswersOfThisAndOtherVersions") {
  auto const& type = reflect::type_of<core::Task>();
  auto const field_of = [&](std::string_view text) {
    auto const checked = reflect::check_form(type, *reflect::parse_json(text));
    return checked ? std::string{"fits"} : checked.error().message;
  };
  CHECK(field_of(reflect::to_json(core::Task{})) == "fits");
  CHECK(field_of(R"({"id":1,"status":"a later word","later":[]})") == "fits");
  CHECK(field_of("{}") == "\"id\" is missing");
  CHECK(field_of("[]") == "the value must be an object, not a list");
  CHECK(field_of(R"({"id":1,"title":7})") == "\"title\" must be a text, not a number");
  CHECK(field_of(R"({"id":1,"tags":["a",null]})") == "\"tags/1\" must be a text, not null");
}
