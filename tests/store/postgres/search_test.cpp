#include <algorithm>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/postgres/open_postgres.hpp"
#include "store/postgres/opened.hpp"
#include "store/postgres/session/search_pieces.hpp"
#include "store/postgres/session/search_snippet.hpp"

using namespace andon;
using namespace andon::test;
using store::postgres::search_pieces;
using store::postgres::without_server;

namespace {

using Ids = std::vector<core::TaskId>;

/// A store with a board in a schema of its own.
struct SearchedStore {
  explicit SearchedStore(std::string const& name)
      : store(store::postgres::open_postgres(PrivatePostgres::instance().url() + "&schema=search_" + name,
                                             store::exit_on_fatal, at_minute(0))),
        board(add_board(*store)) {}

  store::SearchPage search(core::SearchQuery const& query, std::size_t limit = 10, std::size_t skip = 0,
                           core::TaskId after = 0) {
    return seen(*store, [&](auto& tx) { return tx.search(query, at_minute(1), limit, skip, after); });
  }
  Ids ids(core::SearchQuery const& query) {
    Ids out;
    auto const page = search(query);
    for (auto const& hit : page.hits) out.push_back(hit.task.id);
    return out;
  }
  Ids found(std::string const& phrase) { return ids({{{phrase, true, false}}, {}}); }
  std::string snippet(std::string const& phrase) {
    auto const page = search({{{phrase, true, false}}, {}});
    return page.hits.empty() ? std::string{} : page.hits.front().snippet;
  }
  void note(core::TaskId task, std::string const& text) {
    auto event = an_event(core::EventKind::task_noted, task);
    event.data = R"({"text":")" + text + R"("})";
    keep(*store, [&](auto& tx) { tx.append(event); });
  }

  std::unique_ptr<store::Store> store;
  core::BoardId board;
};

std::string counted(std::string const& word, int from, int to) {
  std::string out;
  for (int n = from; n < to; ++n) out += word + std::to_string(n) + " ";
  return out;
}

core::SearchWords word(std::string text, bool without = false) { return {std::move(text), false, without}; }

}  // namespace

TEST_CASE("PostgresSearch.FindsWordsInTitleBodyAndNotes" * without_server()) {
  SearchedStore store{"words"};
  auto const one = add_task(*store.store, a_task("Payments fail").with_body("The café page breaks")).id;
  auto const two = add_task(*store.store, a_task("Unrelated")).id;
  auto const old = add_task(*store.store, a_task("Old payment").in("archived")).id;
  store.note(two, R"(saw a \"flaky\" timeout)");
  CHECK(store.found("payment") == Ids{one});
  CHECK(store.found("CAFE") == Ids{one});
  CHECK(store.found("the") == Ids{one});
  CHECK(store.ids({{word("cafe"), word("breaking")}, {}}) == Ids{one});
  CHECK(store.ids({{word("fail"), word("cafe", true)}, {}}).empty());
  CHECK(store.found("page breaks") == Ids{one});
  CHECK(store.found("breaks page").empty());
  CHECK(store.found("fail the").empty());
  CHECK(store.found("timeout") == Ids{two});
  CHECK(store.snippet("timeout") == "saw a \"flaky\" timeout");
  CHECK(store.found("old").empty());
  core::SearchCondition const archived{core::SearchField::is, {"archived"}, false, 0};
  CHECK(store.ids({{word("old")}, {archived}}) == Ids{old});
  CHECK(store.ids({{}, {archived}}) == Ids{old});
  CHECK(store.ids({{word("timeout", true)}, {}}) == Ids{one});
  CHECK(store.ids({{}, {{core::SearchField::board, {std::to_string(store.board)}, false, 0}}}) ==
        Ids{one, two});
  for (auto const* odd : {"", "\"", "*", "AND", "NEAR(", "title:", "^x -y", "'; DROP", "a\"b", "\\", "a & !b",
                          "…", "x:*", "<->", "http://a.b/c?d=e&f", "a@b.example", "-1.5e-3", "$1", "?"})
    CHECK_NOTHROW(store.found(odd));

  change_task(*store.store, one, [](core::Task& task) { task.title = "Refunds fail"; });
  CHECK(store.found("payment").empty());
  CHECK(store.found("refund") == Ids{one});
  CHECK(store.found("page") == Ids{one});
  change_task(*store.store, one, [](core::Task& task) { task.body = "Elsewhere"; }, true);
  CHECK(store.found("page").empty());
  CHECK(store.snippet("refund") == "Refunds fail");
}

TEST_CASE("PostgresSearch.TakesEachCondition" * without_server()) {
  using Field = core::SearchField;
  SearchedStore store{"conditions"};
  auto const parent = add_task(*store.store, a_task("parent").in("done")).id;
  core::Task task =
      a_task("child word").ready().tagged("api").priority("high").assigned_to("ann").for_role("qa");
  task.parent = parent;
  task.blocked = true;
  task.due = core::Date{std::chrono::sys_days{std::chrono::days{-5}}};
  auto const child = add_task(*store.store, task).id;
  auto const finds = [&](core::SearchField field, std::vector<std::string> const& values) {
    auto const walked = store.ids({{}, {{field, values, false, 0}}});
    CHECK(store.ids({{word("word")}, {{field, values, false, 0}}}) == walked);
    auto const others = store.ids({{word("word")}, {{field, values, true, 0}}});
    CHECK(others.empty() == !walked.empty());
    return walked == Ids{child};
  };
  CHECK(finds(Field::status, {"todo", "x"}));
  CHECK(finds(Field::stage, {"ready"}));
  CHECK(finds(Field::tag, {"web", "api"}));
  CHECK(finds(Field::priority, {"high"}));
  CHECK(finds(Field::assignee, {"ann"}));
  CHECK(finds(Field::role, {"qa"}));
  CHECK(finds(Field::parent, {std::to_string(parent)}));
  CHECK(finds(Field::is, {"blocked"}));
  CHECK(finds(Field::is, {"overdue"}));
  CHECK_FALSE(finds(Field::is, {"claimed", "waiting"}));
  CHECK_FALSE(finds(Field::claimed_by, {"ann"}));
  CHECK_FALSE(finds(Field::class_, {"expedite"}));
  CHECK_FALSE(finds(Field::tag, {"\"'[]{}\\"}));
}

TEST_CASE("PostgresSearch.SeesTheUnitsOwnTextsAndForgetsThoseOfUndoneUnits" * without_server()) {
  SearchedStore store{"units"};
  add_task(*store.store, a_task("walnut"));
  auto const hits = [](store::Tx& tx, std::string text) {
    return tx.search({{word(std::move(text))}, {}}, at_minute(1), 10, 0).hits.size();
  };
  std::pair<std::size_t, std::size_t> found;
  store::write(*store.store, [&](store::Tx& tx) {
    tx.add(a_task("hazelnut"));
    found = {hits(tx, "hazelnut"), hits(tx, "walnut")};
    return store::Outcome::rollback;
  });
  CHECK(found == std::pair<std::size_t, std::size_t>{1, 1});
  CHECK(store.found("hazelnut").empty());
  CHECK(store.found("walnut").size() == 1);
}

TEST_CASE("PostgresSearch.RanksTitlesAboveBodiesAboveNotes" * without_server()) {
  SearchedStore store{"rank"};
  auto const noted = add_task(*store.store, a_task("first")).id;
  store.note(noted, counted("cart cart cart x", 0, 60));
  auto const bodied = add_task(*store.store, a_task("second").with_body("cart cart cart cart cart")).id;
  auto const titled = add_task(*store.store, a_task("a cart").with_body(counted("other", 0, 20'000))).id;
  CHECK(store.found("cart") == Ids{titled, bodied, noted});
  store.note(bodied, "wheel");
  CHECK(store.ids({{word("cart"), word("wheel")}, {}}) == Ids{bodied});
}

TEST_CASE("PostgresSearch.KnowsLettersOfAllKinds" * without_server()) {
  SearchedStore store{"letters"};
  auto const one = add_task(*store.store, a_task("cafe\u0301 \u00C4rger Stra\u00DFe 1e5 v1.2.3 x86_64")).id;
  auto const two =
      add_task(*store.store,
               a_task("\u6F22\u5B57 \u30AC\u30A4\u30C9\u3001\u041C\u043E\u0441\u043A\u0432\u0430 "
                      "\u03AC\u03BB\u03C6\u03B1"))
          .id;
  auto const three = add_task(*store.store, a_task(std::string(4'000, 'w') + " tail")).id;
  for (auto const* text :
       {"caf\u00E9", "CAFE", "arger", "\u00E4RGER", "STRA\u1E9EE", "1e5", "1E5", "2.3", "3 x86", "64"}) {
    CAPTURE(std::string{text});
    CHECK(store.found(text) == Ids{one});
  }
  for (auto const* text : {"\u6F22\u5B57", "\u30AC\u30A4\u30C9", "\u043C\u043E\u0441\u043A\u0432\u0430",
                           "\u03B1\u03BB\u03C6\u03B1"}) {
    CAPTURE(std::string{text});
    CHECK(store.found(text) == Ids{two});
  }
  CHECK(store.found("\u6F22").empty());
  CHECK(store.found("\u30AB\u30A4\u30C8").empty());
  CHECK(store.found(std::string(4'000, 'W')) == Ids{three});
  CHECK(store.found("tail") == Ids{three});
}

TEST_CASE("PostgresSearch.FindsPhrasesWhereALongTextIsDivided" * without_server()) {
  SearchedStore store{"long"};
  auto const body = counted("w", 0, 30'000) + "last words";
  auto const id = add_task(*store.store, a_task("long").with_body(body)).id;
  for (auto const& piece : search_pieces(body)) {
    auto const words = piece.words;
    auto const end = words.substr(words.rfind(' ') + 1);
    if (end == "words") break;
    auto const n = std::stoi(end.substr(1));
    CHECK(store.found(counted("W", n - 1, n + 3)) == Ids{id});
    CHECK(store.found(counted("w", n - 30, n + 2)) == Ids{id});
    CHECK(store.found("w" + std::to_string(n) + " w" + std::to_string(n + 2)).empty());
    CHECK(store.snippet(counted("w", n, n + 2)).contains(counted("w", n, n + 2)));
  }
  CHECK(store.snippet("last words").starts_with("…"));
  CHECK(store.snippet("last words").ends_with("last words"));
}

TEST_CASE("PostgresSearch.TakesTheLongestBodies" * without_server()) {
  SearchedStore store{"largest"};
  std::string same, different, single(2'000'000, 'z');
  while (same.size() < 2'000'000) same += "the end ";
  for (int n = 0; different.size() < 2'000'000; ++n) different += std::to_string(n * 7919) + "x\n";
  for (auto const& body : {same, different, single}) {
    auto const id = add_task(*store.store, a_task("body").with_body(body + " walnut tree")).id;
    CHECK(store.found("walnut tree") == Ids{id});
    CHECK(store.snippet("walnut tree").ends_with("walnut tree"));
    change_task(*store.store, id, [](core::Task& task) { task.body = ""; }, true);
    CHECK(store.found("walnut tree").empty());
  }
}

TEST_CASE("PostgresSearch.OffersTitlesFirstAndSaysWhenItStops" * without_server()) {
  SearchedStore store{"many"};
  constexpr int kMany = 12'000;
  for (int n = 0; n < kMany;)
    keep(*store.store, [&](store::Tx& tx) {
      for (int end = n + 1'000; n < end; ++n)
        tx.add(a_task("title " + std::to_string(n)).with_body(n % 8 == 0 ? "eighth" : ""));
    });
  auto const one = add_task(*store.store, a_task("a walnut").with_body("has a title")).id;
  auto const two = add_task(*store.store, a_task("walnut").with_body("nothing")).id;
  auto const eighth = add_task(*store.store, a_task("eighth")).id;
  core::SearchQuery const common{{word("title")}, {}};
  auto const first = store.search(common, 20);
  REQUIRE(first.hits.size() == 20);
  CHECK(first.more);
  CHECK_FALSE(first.truncated);
  for (auto const& hit : first.hits) CHECK(hit.snippet.contains("title"));
  CHECK(store.search(common, 20, 20).hits.front().task.id > first.hits.back().task.id);
  CHECK(store.search(common, 20, 2'990).hits.size() == 10);
  CHECK(store.search(common, 20, 2'990).truncated);
  CHECK(store.ids({{word("title"), word("walnut")}, {}}) == Ids{one});
  CHECK(store.ids({{word("walnut"), word("title", true)}, {}}) == Ids{two});
  auto const few = store.search({{word("eighth")}, {}}, 2'000);
  CHECK(few.hits.size() == 1'501);
  CHECK(few.hits.front().task.id == eighth);
  CHECK_FALSE(few.truncated);
  auto const both = store.search({{word("eighth"), word("title")}, {}}, 2'000);
  CHECK(both.hits.size() == 1'500);
  CHECK_FALSE(both.more);
}

TEST_CASE("PostgresSearch.WithoutWordsGoesOnBehindATask" * without_server()) {
  SearchedStore store{"walk"};
  Ids expected;
  keep(*store.store, [&](store::Tx& tx) {
    for (int n = 0; n < 500; ++n) {
      auto const task = tx.add(a_task().priority(n % 3 == 0 ? "high" : "low"));
      if (n % 3 == 0) expected.push_back(task.id);
    }
  });
  Ids found;
  core::TaskId after = 0;
  for (bool more = true; more;) {
    auto const page = store.search({{}, {{core::SearchField::priority, {"high"}, false, 0}}}, 20, 0, after);
    for (auto const& hit : page.hits) found.push_back(hit.task.id);
    after = page.after;
    more = page.more;
  }
  CHECK(found == expected);
}

TEST_CASE("SearchSnippet.ShowsTheWordsAroundTheHit") {
  using store::postgres::snippet_of;
  CHECK(snippet_of({"A title", "", false, false, "2"}) == "A title");
  auto const text = counted("w", 0, 100);
  CHECK(snippet_of({"A title", text, false, false, "2;3"}) == "A title");
  auto const around = snippet_of({"A title", text, false, false, "2;53;54"});
  CHECK(around.starts_with("…w"));
  CHECK(around.contains("w49 w50"));
  CHECK(std::ranges::count(around, ' ') == 15);
  CHECK(snippet_of({"", "one (two).", false, true, "1"}) == "one (two…");
}
