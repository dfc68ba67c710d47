#include "service/boards/import.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/tasks/pick.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

namespace {

service::Imported import(TestApp& app, std::string_view items, std::string_view more = {}) {
  auto const request = R"({"items":[)" + std::string{items} + "]" + std::string{more} + "}";
  return app.call_of_json<&service::import_tasks>(request);
}

}  // namespace

TEST_CASE("Import.NumbersTheTasksAnewAndKeepsTheirLinks") {
  TestApp app;
  app.create("Here before");
  auto const done = import(app, R"({"ref":"7","title":"Last","depends_on":["3","5"],"parent":"5"},
                                     {"ref":"3","title":"First","status":"done"},
                                     {"ref":"5","title":"Second","depends_on":["3"]})");
  REQUIRE(done.items.size() == 3);
  CHECK(done.items.at(0).ref == "7");
  auto const last = app.get(done.items.at(0).id);
  CHECK(last.depends_on == std::vector{done.items.at(1).id, done.items.at(2).id});
  CHECK(last.parent == done.items.at(2).id);
  CHECK(last.source == "import");
  CHECK(last.created_by == "user:ann");
  CHECK(app.stored(last.id).state.open_deps == 1);
  CHECK(done.notes.empty());
}

TEST_CASE("Import.ValuesTheBoardDoesNotKnowAreNotedAndBecomeItsDefaults") {
  TestApp app;
  auto const done = import(app, R"({"ref":"a","title":"A","status":"Shipping","priority":"P9","class":"vip",
      "depends_on":["x"],"parent":"y","checks":["unit"]},
      {"ref":"b","title":"B","status":"Shipped","stage":"done"})");
  std::string told;
  for (auto const& note : done.notes) told += note.ref + " " + note.field + " " + note.value + "\n";
  CHECK(told ==
        "a status Shipping\na priority P9\na class vip\na parent y\na depends_on x\na checks unit\n"
        "b status Shipped\n");
  CHECK(app.get(done.items.at(0).id).status == "backlog");
  CHECK(app.get(done.items.at(0).id).priority == "medium");
  CHECK(app.get(done.items.at(1).id).status == "done");
}

TEST_CASE("Import.KeepsWhenThingsHappenedAndWhatIsBlocked") {
  TestApp app;
  auto const done = import(app, R"({"ref":"1","title":"Old","status":"done","created":"2026-01-01T00:00:00Z",
      "started":"2026-01-02T00:00:00Z","completed":"2026-01-03T00:00:00Z"},
      {"ref":"2","title":"Stuck","status":"todo","blocked":"needs a key"},
      {"ref":"3","title":"From the future","created":"2999-01-01T00:00:00Z"})");
  auto const old = app.get(done.items.at(0).id);
  CHECK(core::to_text(old.created) == "2026-01-01T00:00:00.000Z");
  CHECK(core::to_text(*old.completed) == "2026-01-03T00:00:00.000Z");
  CHECK(app.get(done.items.at(1).id).block_reason == "needs a key");
  CHECK(app.refusal<&service::pick_task>({.by = "agent-1", .status = {"todo"}}) == "NOTHING_TO_PICK");
  CHECK(app.get(done.items.at(2).id).created == app.clock.now());
}

TEST_CASE("Import.IsAllOrNothing") {
  TestApp app;
  struct Row {
    std::string_view items, code, field;
  };
  for (auto const& row :
       {Row{R"({"ref":"1","title":"Good"},{"ref":"2","title":""})", "INVALID_INPUT", "items/1/title"},
        Row{R"({"ref":"1","title":"A"},{"ref":"1","title":"B"})", "INVALID_INPUT", "items/1/ref"},
        Row{R"({"ref":"","title":"A"})", "INVALID_INPUT", "items/0/ref"},
        Row{R"({"title":"A"})", "INVALID_INPUT", "items/0/ref"},
        Row{R"({"ref":"1","title":"A","depends_on":["2"]},{"ref":"2","title":"B","depends_on":["1"]})",
            "DEPENDENCY_CYCLE", "items/1/depends_on"},
        Row{R"({"ref":"1","title":"A","depends_on":["1"]})", "DEPENDENCY_CYCLE", "items/0/depends_on"},
        Row{R"({"ref":"1","title":"A","class":"expedite"},{"ref":"2","title":"B","class":"expedite"})",
            "CLASS_WIP_EXCEEDED", "items/1"},
        Row{"", "INVALID_INPUT", "items"}}) {
    CAPTURE(row.items);
    auto const error =
        app.error_of_json<&service::import_tasks>(R"({"items":[)" + std::string{row.items} + "]}");
    CHECK(core::row(error.code).name == row.code);
    CHECK(error.field.starts_with(row.field));
  }
}

TEST_CASE("Import.AParentMayWaitForItsParts") {
  TestApp app;
  auto const done = import(
      app, R"({"ref":"p","title":"Whole","depends_on":["c"]},{"ref":"c","title":"Part","parent":"p"})");
  CHECK(app.get(done.items.at(1).id).parent == done.items.at(0).id);
  CHECK(app.get(done.items.at(0).id).depends_on == std::vector{done.items.at(1).id});
}

TEST_CASE("Import.DryRunKeepsNothing") {
  TestApp app;
  auto const before = app.digest();
  CHECK(import(app, R"({"ref":"1","title":"A","status":"x"})", R"(,"dry_run":true)").notes.size() == 1);
  CHECK(app.digest() == before);
}
