#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;

namespace {

std::vector<core::EventSeq> seqs(store::Store& store, store::EventFilter const& filter) {
  std::vector<core::EventSeq> out;
  for (auto const& event : seen(store, [&](auto& tx) { return tx.events(filter); })) out.push_back(event.seq);
  return out;
}
using Seqs = std::vector<core::EventSeq>;

}  // namespace

TEST_CASE("Events.AreReadAsTheyWereAppended") {
  for_each_store([](StoreUnderTest& store) {
    core::Event event = an_event(core::EventKind::task_moved, 7);
    event.run = core::RunId{3};
    event.from = "todo";
    event.to = "doing";
    event.data = R"({"why":"ü"})";
    event.mutation = "m-1";
    CHECK(keep(*store, [&](auto& tx) { return tx.append(event); }) == 1);
    auto const read = seen(*store, [](auto& tx) { return tx.events({}).at(0); });
    CHECK(read.seq == 1);
    CHECK(read.ts == event.ts);
    CHECK(read.actor == event.actor);
    CHECK(read.kind == event.kind);
    CHECK(read.board == event.board);
    CHECK(read.task == event.task);
    CHECK(read.run == event.run);
    CHECK(read.from == event.from);
    CHECK(read.to == event.to);
    CHECK(read.data == event.data);
    CHECK(read.mutation == event.mutation);
  });
}

TEST_CASE("Events.AreFilteredAndPaged") {
  for_each_store([](StoreUnderTest& store) {
    keep(*store, [](store::Tx& tx) {
      tx.append(an_event(core::EventKind::task_created, 1));
      auto other = an_event(core::EventKind::task_moved, 2);
      other.board = "other";
      other.ts = at_minute(9);
      tx.append(other);
      auto global = an_event(core::EventKind::worker_changed);
      global.board.clear();
      tx.append(global);
      tx.append(an_event(core::EventKind::task_moved, 1));
    });
    store::EventFilter f;
    CHECK(seqs(*store, f) == Seqs{1, 2, 3, 4});
    CHECK(seqs(*store, {2, {}, {}, {}, {}, 500, false}) == Seqs{3, 4});
    CHECK(seqs(*store, {0, {"shop"}, {}, {}, {}, 500, false}) == Seqs{1, 3, 4});
    CHECK(seqs(*store, {0, {"shop", "other"}, {}, {}, {}, 500, false}) == Seqs{1, 2, 3, 4});
    CHECK(seqs(*store, {0, {}, 1, {}, {}, 500, false}) == Seqs{1, 4});
    CHECK(seqs(*store, {0, {}, {}, core::EventKind::task_moved, {}, 500, false}) == Seqs{2, 4});
    CHECK(seqs(*store, {0, {}, {}, {}, at_minute(5), 500, false}) == Seqs{2});
    CHECK(seqs(*store, {0, {}, {}, {}, {}, 2, false}) == Seqs{1, 2});
    CHECK(seqs(*store, {0, {}, {}, {}, {}, 2, true}) == Seqs{3, 4});
  });
}

TEST_CASE("Runs.AreKeptAndOneOfATaskIsLive") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const task = add_task(*store).id;
    core::Run run;
    run.task = task;
    run.board = "shop";
    run.worker = "dev";
    run.started = at_minute(1);
    auto const first = keep(*store, [&](auto& tx) { return tx.add(run); });
    CHECK_THROWS_AS(keep(*store, [&](auto& tx) { return tx.add(run); }), store::StoreError);
    CHECK(seen(*store, [](auto& tx) { return tx.live_runs().size(); }) == 1);
    keep(*store, [&](auto& tx) {
      auto ended = *tx.run(first);
      ended.state = core::RunState::ended;
      ended.outcome = core::Outcome::lost;
      ended.usage = core::Usage{1, 2, 3, 4, 5, 0.25};
      tx.put(ended);
    });
    auto const second = keep(*store, [&](auto& tx) { return tx.add(run); });
    store->read([&](store::Tx& tx) {
      CHECK(tx.run(first)->outcome == core::Outcome::lost);
      CHECK(tx.run(first)->usage->cost_usd == 0.25);
      CHECK_FALSE(tx.run(core::RunId{second + 1}));
      CHECK(tx.runs_of(task).size() == 2);
      CHECK(tx.runs_of(task)[0].id == first);
      CHECK(tx.recent_runs(1).at(0).id == second);
      CHECK(tx.live_runs().at(0).id == second);
    });
  });
}

TEST_CASE("Tokens.AreFoundByTheBeginningOfTheirHash") {
  for_each_store([](StoreUnderTest& store) {
    store::Token token;
    token.kind = core::TokenKind::run;
    token.name = "dev";
    for (std::string const beginning : {"0000", "00ff", "0100", "ffff"}) {
      token.hash = beginning + std::string(60, '7');
      keep(*store, [&](auto& tx) { tx.add(token); });
    }
    auto const with = [&](std::string_view beginning) {
      auto const found = seen(*store, [&](auto& tx) { return tx.token_beginning_with(beginning); });
      return found ? found->hash.substr(0, 4) : std::string{};
    };
    CHECK(with("00ff77") == "00ff");
    CHECK(with("ffff777") == "ffff");
    CHECK(with("01") == "0100");
    CHECK(with("00ff8").empty());
    CHECK(with("02").empty());
    CHECK(with("%").empty());
  });
}

TEST_CASE("Tokens.AreFoundByTheirHash") {
  for_each_store([](StoreUnderTest& store) {
    store::Token token;
    token.hash = std::string(64, 'a');
    token.kind = core::TokenKind::run;
    token.name = "dev";
    token.run = 5;
    token.expires = at_minute(10);
    auto const id = keep(*store, [&](auto& tx) { return tx.add(token); });
    CHECK_THROWS_AS(keep(*store, [&](auto& tx) { return tx.add(token); }), store::StoreError);
    auto found = seen(*store, [&](auto& tx) { return tx.token(token.hash); });
    REQUIRE(found);
    CHECK(found->id == id);
    CHECK(found->hash == token.hash);
    CHECK_FALSE(seen(*store, [](auto& tx) { return tx.token(std::string(64, 'b')); }));
    CHECK(seen(*store, [](auto& tx) { return tx.tokens_of_run(5).size(); }) == 1);
    found->revoked = at_minute(2);
    keep(*store, [&](auto& tx) { tx.put(*found); });
    CHECK(seen(*store, [](auto& tx) { return tx.tokens().at(0).revoked; }) == at_minute(2));
    keep(*store, [](auto& tx) { tx.remove_tokens_ended_before(at_minute(2), 100); });
    CHECK(seen(*store, [](auto& tx) { return tx.tokens().size(); }) == 1);
    keep(*store, [](auto& tx) { tx.remove_tokens_ended_before(at_minute(3), 100); });
    CHECK(seen(*store, [](auto& tx) { return tx.tokens().empty(); }));
  });
}

TEST_CASE("Answers.AreRememberedUntilForgotten") {
  for_each_store([](StoreUnderTest& store) {
    keep(*store, [](auto& tx) {
      tx.remember("a", {"f", "{}", at_minute(1)});
      tx.remember("b", {"g", "[1]", at_minute(2)});
    });
    CHECK(seen(*store, [](auto& tx) { return tx.remembered("b"); })->answer == "[1]");
    keep(*store, [](auto& tx) { tx.forget_before(at_minute(2), 100); });
    CHECK_FALSE(seen(*store, [](auto& tx) { return tx.remembered("a"); }));
    CHECK(seen(*store, [](auto& tx) { return tx.remembered("b"); })->fingerprint == "g");
  });
}

TEST_CASE("Settings.AreKeptByName") {
  for_each_store([](StoreUnderTest& store) {
    keep(*store, [](auto& tx) { tx.set_setting("dispatch", "on"), tx.set_setting("dispatch", "off"); });
    CHECK(seen(*store, [](auto& tx) { return tx.setting("dispatch"); }) == "off");
    CHECK_FALSE(seen(*store, [](auto& tx) { return tx.setting("other"); }));
  });
}

TEST_CASE("Events.AreRemovedInARangeButNotesAndTheLast") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const task = add_task(*store).id;
    auto const noted = keep(*store, [&](store::Tx& tx) {
      tx.append(test::an_event(core::EventKind::task_edited, task));
      auto note = test::an_event(core::EventKind::task_noted, task);
      note.data = R"({"text":"keep me"})";
      auto const seq = tx.append(std::move(note));
      tx.append(test::an_event(core::EventKind::task_edited, task));
      tx.append(test::an_event(core::EventKind::task_edited, task));
      return seq;
    });
    auto const last = seen(*store, [](store::Tx& tx) { return tx.last_seq(); });
    CHECK(keep(*store, [&](store::Tx& tx) {
            return tx.remove_events(core::EventSeq{noted - 2}, last, at_minute(1)).size();
          }) == 0);
    CHECK(keep(*store, [&](store::Tx& tx) {
            return tx.remove_events(core::EventSeq{noted - 2}, noted, at_minute(2)).size();
          }) == 1);
    CHECK(keep(*store, [&](store::Tx& tx) { return tx.remove_events(noted, last, at_minute(2)).size(); }) ==
          1);
    store::EventFilter all;
    all.after = core::EventSeq{noted - 2};
    auto const left = seen(*store, [&](store::Tx& tx) { return tx.events(all); });
    REQUIRE(left.size() == 2);
    CHECK(left[0].seq == noted);
    CHECK(left[1].seq == last);
    if (store.lasts()) store.reopen();
    CHECK(keep(*store, [&](store::Tx& tx) { return tx.append(test::an_event()); }) == last + 1);
  });
}

TEST_CASE("Runs.AreRemovedWhenTheyEndedLongAgoButTheLastOfATask") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    add_board(*store);
    auto const task = add_task(*store).id;
    core::Run run;
    run.task = task;
    run.state = core::RunState::ended;
    run.ended = at_minute(1);
    auto const first = keep(*store, [&](store::Tx& tx) { return tx.add(run); });
    auto const second = keep(*store, [&](store::Tx& tx) { return tx.add(run); });
    test::change_task(*store, task, [&](core::Task& t) { t.run = second; });
    CHECK(keep(*store, [&](store::Tx& tx) { return tx.remove_runs_ended_before(at_minute(1), 10); }) == 0);
    CHECK(keep(*store, [&](store::Tx& tx) { return tx.remove_runs_ended_before(at_minute(2), 10); }) == 1);
    CHECK_FALSE(seen(*store, [&](store::Tx& tx) { return tx.run(first); }));
    CHECK(seen(*store, [&](store::Tx& tx) { return tx.run(second); }));
    keep(*store, [](store::Tx& tx) { tx.number_runs_after(40); });
    if (store.lasts()) store.reopen();
    CHECK(keep(*store, [&](store::Tx& tx) { return tx.add(run); }) == 41);
  });
}

TEST_CASE("Tokens.GetNoNumberAgainAndGoInSlices") {
  for_each_store([](StoreUnderTest& store) {
    core::TokenId last = 0;
    for (char c = 'a'; c < 'd'; ++c) {
      store::Token token;
      token.hash = std::string(64, c);
      token.kind = core::TokenKind::run;
      token.revoked = at_minute(1);
      last = keep(*store, [&](store::Tx& tx) { return tx.add(token); });
    }
    auto const slice = [&](std::size_t most) {
      return keep(*store, [&](store::Tx& tx) { return tx.remove_tokens_ended_before(at_minute(2), most); });
    };
    CHECK(slice(2) == 2);
    CHECK(slice(2) == 1);
    CHECK(slice(2) == 0);
    if (store.lasts()) store.reopen();
    store::Token token;
    token.hash = std::string(64, 'e');
    CHECK(keep(*store, [&](store::Tx& tx) { return tx.add(token); }) == last + 1);
  });
}
