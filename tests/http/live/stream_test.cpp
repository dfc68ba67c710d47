#include <map>

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include "http/server/running_server.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon::test;
namespace json = boost::json;

namespace {

struct Frame {
  std::string event;
  std::string id;
  json::object data;
};

/// The next event; comments are passed over.
Frame next(Wire& wire) {
  for (;;) {
    auto const text = wire.until("\n\n");
    Frame out;
    std::size_t at = 0;
    for (auto end = text.find('\n'); end != std::string::npos && end != at; end = text.find('\n', at)) {
      auto const line = text.substr(at, end - at);
      at = end + 1;
      if (line.starts_with("id: ")) out.id = line.substr(4);
      if (line.starts_with("event: ")) out.event = line.substr(7);
      if (line.starts_with("data: ")) out.data = json::parse(line.substr(6)).as_object();
    }
    if (!out.event.empty()) return out;
  }
}

Frame greeted(Wire& wire) {
  CHECK(wire.until("\r\n\r\n").starts_with("HTTP/1.1 200"));
  return next(wire);
}

/// A copy of a board made of nothing but the stream.
struct Replica {
  std::map<std::int64_t, json::object> tasks;
  std::int64_t last = 0;

  void take(Frame const& frame) {
    if (frame.data.contains("from")) {
      CHECK(frame.data.at("from").as_int64() == last + 1);
      if (!frame.id.empty()) last = frame.data.at("to").as_int64();
    }
    for (auto const& value : frame.data.at("ops").as_array()) {
      auto const& op = value.as_object();
      if (op.at("op") == "gone") tasks.erase(op.at("id").as_int64());
      if (op.at("op") == "task") tasks[op.at("id").as_int64()] = op.at("set").as_object();
    }
  }
  void follow(Wire& wire, std::int64_t to) {
    while (last < to) take(next(wire));
  }
};

std::int64_t last_seq(RunningServer& server) {
  std::int64_t out = 0;
  server.executor().read([&](andon::service::OperationContext& u) { out = u.tx.last_seq(); });
  return out;
}

std::string cursor(RunningServer& server, std::int64_t seq) {
  return server.executor().origin().incarnation + "." + std::to_string(seq);
}

}  // namespace

TEST_CASE("Stream.GreetsAndTellsOfAChangeAsOneBatch") {
  RunningServer server;
  auto wire = server.stream("/api/v1/events?boards=demo");
  auto const hello = greeted(wire);
  CHECK(hello.event == "hello");
  CHECK(hello.id.empty());
  CHECK(hello.data.at("epoch").as_string() == server.executor().origin().incarnation);
  CHECK(hello.data.at("resume") == "none");
  CHECK(hello.data.at("build") == "build-1");
  server.call("POST", "/api/v1/tasks", R"({"title":"one"})", {"Idempotency-Key: m-1"});
  auto const frame = next(wire);
  CHECK(frame.event == "ops");
  CHECK(frame.id == cursor(server, last_seq(server)));
  auto const& op = frame.data.at("ops").as_array().front().as_object();
  CHECK(op.at("op") == "task");
  CHECK(op.at("set").as_object().at("title") == "one");
  CHECK(op.at("set").as_object().at("assignee").is_null());
  CHECK(op.at("why").as_object().at("m") == "m-1");
  auto const& board = frame.data.at("ops").as_array().back().as_object();
  CHECK(board.at("op") == "board");
  CHECK(board.at("set").as_object().at("columns").is_object());
}

TEST_CASE("Stream.ReplaysFromTheCursorAndTheHeaderWins") {
  RunningServer server;
  auto const start = last_seq(server);
  server.add_task("one");
  auto const after_one = last_seq(server);
  server.add_task("two");
  auto wire = server.stream("/api/v1/events?boards=demo&since=" + cursor(server, start));
  CHECK(greeted(wire).data.at("resume") == "replay");
  Replica replica;
  replica.last = start;
  replica.follow(wire, last_seq(server));
  CHECK(replica.tasks.size() == 2);

  auto later = server.stream("/api/v1/events?boards=demo&since=" + cursor(server, start),
                             {"Last-Event-ID: " + cursor(server, after_one)});
  greeted(later);
  Replica rest;
  rest.last = after_one;
  rest.follow(later, last_seq(server));
  CHECK(rest.tasks.size() == 1);
}

TEST_CASE("Stream.APlaceBeforeTheFeedIsAReset") {
  RunningServer server;
  server.add_task("one");
  server.clock().advance(std::chrono::days{8});
  server.add_task("two");
  server.call("POST", "/api/v1/store/trim", "{}");
  auto wire = server.stream("/api/v1/events?boards=demo&since=" + cursor(server, 1));
  greeted(wire);
  auto const reset = next(wire);
  CHECK(reset.event == "reset");
  CHECK(reset.data.at("reason").as_string() == "trimmed");
}

TEST_CASE("Stream.PlaceThatCannotBeServedIsAReset") {
  RunningServer server{[](auto& options) { options.limits.replayed_events = 2; }};
  struct Row {
    std::string since;
    std::string_view reason;
  };
  for (int i = 0; i < 4; ++i) server.add_task("one");
  for (auto const& [since, reason] : {Row{cursor(server, 99'999), "future"}, Row{"elsewhere.1", "epoch"},
                                      Row{cursor(server, 0), "too_many"}}) {
    auto wire = server.stream("/api/v1/events?boards=demo&since=" + since);
    CHECK(greeted(wire).event == "hello");
    auto const reset = next(wire);
    CHECK(reset.event == "reset");
    CHECK(reset.id.empty());
    CHECK(reset.data.at("reason").as_string() == json::string_view{reason.data(), reason.size()});
    CHECK(wire.rest().empty());
  }
}

TEST_CASE("Stream.RefusesWhatIsNoPlaceOrNoBoard") {
  RunningServer server;
  CHECK(server.stream("/api/v1/events?boards=demo&since=x.y.z").answer().status == 400);
  CHECK(server.stream("/api/v1/events?boards=demo", {"Last-Event-ID: abc"}).answer().status == 400);
  CHECK(server.stream("/api/v1/events?boards=none").answer().status == 404);
  CHECK(server.stream("/api/v1/events?colour=red").answer().status == 422);
  CHECK(server.stream("/api/v1/events", {"Authorization: none"}).answer().status == 401);
}

TEST_CASE("Stream.OfSeveralBoardsGivesOneFrameEachAndTheIdWithTheLast") {
  RunningServer server{[](auto& options) { options.limits.stream_pace = std::chrono::milliseconds{200}; }};
  server.call("POST", "/api/v1/boards", R"({"name":"other"})");
  auto const start = last_seq(server);
  server.add_task("one", "demo");
  server.add_task("two", "other");
  auto wire = server.stream("/api/v1/events?boards=demo,other&since=" + cursor(server, start));
  greeted(wire);
  auto const first = next(wire);
  auto const second = next(wire);
  CHECK(first.data.at("board") == "demo");
  CHECK(second.data.at("board") == "other");
  CHECK(first.data.at("from") == second.data.at("from"));
  CHECK(first.data.at("to") == second.data.at("to"));
  CHECK(first.id.empty());
  CHECK(second.id == cursor(server, last_seq(server)));
}

TEST_CASE("Stream.MovesOnThroughChangesOfOtherBoards") {
  RunningServer server{[](auto& options) {
    options.limits.stream_heartbeat = std::chrono::milliseconds{50};
    options.limits.tick = std::chrono::milliseconds{10};
  }};
  server.call("POST", "/api/v1/boards", R"({"name":"other"})");
  auto wire = server.stream("/api/v1/events?boards=demo");
  greeted(wire);
  auto const start = last_seq(server);
  server.add_task("elsewhere", "other");
  auto const frame = next(wire);
  CHECK(frame.data.at("from").as_int64() == start + 1);
  CHECK(frame.id == cursor(server, frame.data.at("to").as_int64()));
  CHECK(frame.data.at("ops").as_array().empty());
  wire.until(": hb\n\n");
}

TEST_CASE("Stream.TwoReadersEndUpEqualToTheStore") {
  RunningServer server;
  auto const start = last_seq(server);
  auto one = server.stream("/api/v1/events?boards=demo&since=" + cursor(server, start));
  greeted(one);
  Replica first, second;
  first.last = second.last = start;
  for (int i = 0; i < 20; ++i) server.add_task("task");
  auto two = server.stream("/api/v1/events?boards=demo&since=" + cursor(server, start));
  greeted(two);
  for (int i = 1; i <= 10; ++i) {
    auto const path = "/api/v1/tasks/" + std::to_string(i);
    server.call("PATCH", path, R"({"title":"changed"})");
    if (i % 2 == 0) server.call("DELETE", path);
  }
  auto const end = last_seq(server);
  first.follow(one, end);
  second.follow(two, end);
  CHECK(first.tasks == second.tasks);
  auto const shown =
      json::parse(server.call("GET", "/api/v1/tasks?view=card&sort=id").body).at("items").as_array();
  REQUIRE(shown.size() == first.tasks.size());
  for (auto const& card : shown) {
    auto const& copy = first.tasks.at(card.at("id").as_int64());
    for (auto const& [name, value] : card.as_object()) CHECK(copy.at(name) == value);
  }
}

TEST_CASE("Stream.TellsOfWorkersAndOfDispatch") {
  RunningServer server;
  auto wire = server.stream("/api/v1/events?boards=demo");
  greeted(wire);
  server.call("POST", "/api/v1/workers", R"({"name":"developer","agent":"tests"})");
  auto frame = next(wire);
  auto const& op = frame.data.at("ops").as_array().front().as_object();
  CHECK(op.at("op") == "worker");
  CHECK(op.at("id") == "developer");
  CHECK(op.at("set").as_object().contains("state"));
  server.call("PUT", "/api/v1/dispatch", R"({"paused":true})");
  for (frame = next(wire); frame.data.at("ops").as_array().front().at("op") != "dispatch";
       frame = next(wire)) {
  }
  CHECK(frame.data.at("ops").as_array().front().at("set").at("paused").as_bool());
}

TEST_CASE("Stream.TellsABoardOfWorkersThatComeToItAndLeaveIt") {
  RunningServer server;
  server.call("POST", "/api/v1/boards", R"({"name":"other"})");
  server.call("POST", "/api/v1/workers", R"({"name":"developer","agent":"tests","boards":["other"]})");
  auto wire = server.stream("/api/v1/events?boards=demo");
  greeted(wire);
  // A new stream is also told of all workers, before or after the first change.
  auto const told = [&](std::string_view boards, std::string_view member) {
    server.call("PATCH", "/api/v1/workers/developer", R"({"boards":[")" + std::string{boards} + R"("]})");
    for (;;) {
      auto const frame = next(wire);
      for (auto const& op : frame.data.at("ops").as_array())
        if (op.as_object().contains(member)) return op.as_object();
    }
  };
  CHECK(told("demo", "set").at("set").at("colour") == "azure");
  CHECK(told("other", "gone").at("gone").as_bool());
}

TEST_CASE("Stream.ThatIsResumedTellsOfAWorkerThatIsGone") {
  RunningServer server;
  server.call("POST", "/api/v1/workers", R"({"name":"developer","agent":"tests"})");
  auto const seq = json::parse(server.call("GET", "/api/v1/boards/demo/snapshot").body).at("seq").as_int64();
  auto other = server.stream("/api/v1/events?boards=demo");
  greeted(other);
  server.call("DELETE", "/api/v1/workers/developer");
  while (!next(other).data.at("ops").as_array().front().as_object().contains("gone")) {
  }
  auto wire = server.stream("/api/v1/events?boards=demo&since=" + std::to_string(seq));
  greeted(wire);
  auto const frame = next(wire);
  auto const& op = frame.data.at("ops").as_array().front().as_object();
  CHECK(op.at("id") == "developer");
  CHECK(op.at("gone").as_bool());
}

TEST_CASE("Stream.TellsTheLastLineOfARunWithoutAPlace") {
  RunningServer server;
  auto wire = server.stream("/api/v1/events?boards=demo");
  greeted(wire);
  server.server().publish_line({"demo", 7, 1, "Compiling 4/7"});
  auto frame = next(wire);
  while (frame.data.at("ops").as_array().front().at("op") != "line") frame = next(wire);
  CHECK(frame.id.empty());
  CHECK(!frame.data.contains("from"));
  CHECK(frame.data.at("ops").as_array().front().at("text") == "Compiling 4/7");
}

TEST_CASE("Stream.LeavesTheLastLineOfARunForThoseWhoReadTheCardsLater") {
  RunningServer server;
  auto const run = server.add_run();
  auto const line_in = [&](std::string const& address) {
    return member(server.call("GET", address).body, "line");
  };
  server.server().publish_line({"demo", 1, run, "Compiling 4/7"});
  CHECK(eventually([&] { return line_in("/api/v1/boards/demo/snapshot") == "Compiling 4/7"; }));
  CHECK(line_in("/api/v1/tasks?board=demo&view=card") == "Compiling 4/7");
  server.server().publish_line({"demo", 1, andon::core::next(run), "of another run"});
  server.server().publish_line({"demo", 1, run, "Linking"});
  CHECK(eventually([&] { return line_in("/api/v1/boards/demo/snapshot") == "Linking"; }));
}

TEST_CASE("Stream.OfARevokedTokenEnds") {
  RunningServer server{[](auto& options) { options.limits.tick = std::chrono::milliseconds{10}; }};
  auto wire = server.stream("/api/v1/events?boards=demo", {RunningServer::bearer("a-person")});
  greeted(wire);
  server.revoke("a-person");
  wire.until("event: bye\n");
  wire.rest();
}

TEST_CASE("Stream.EndsAfterItsTimeAndSaysGoodbyeWhenTheServerStops") {
  RunningServer server;
  auto wire = server.stream("/api/v1/events?boards=demo");
  greeted(wire);
  server.server().stop();
  CHECK(wire.rest().find("event: bye\n") != std::string::npos);
  RunningServer hasty{[](auto& options) {
    options.limits.stream_time = std::chrono::milliseconds{20};
    options.limits.tick = std::chrono::milliseconds{10};
  }};
  auto brief = hasty.stream("/api/v1/events?boards=demo");
  greeted(brief);
  brief.rest();
}

TEST_CASE("Stream.SlowReaderIsCutOff") {
  RunningServer server{[](auto& options) {
    options.limits.queued_bytes = 1'000;
    options.limits.stream_pace = std::chrono::milliseconds{1};
  }};
  auto wire = server.stream("/api/v1/events?boards=demo");
  greeted(wire);
  std::string tasks;
  for (int i = 0; i < 100; ++i) tasks += R"({"title":")" + std::string(400, 'x') + R"("},)";
  tasks.back() = ']';
  CHECK(eventually([&] {
    server.call("POST", "/api/v1/tasks", "[" + tasks);
    return server.call("GET", "/metrics").body.find("andon_streams 0\n") != std::string::npos;
  }));
  CHECK(wire.rest().find("event: reset\ndata: {\"reason\":\"slow\"}") != std::string::npos);
}

TEST_CASE("Stream.LeavesThePlacesOfItsPeerToOthers") {
  RunningServer server{[](auto& options) { options.limits.connections_per_peer = 1; }};
  auto one = server.stream("/api/v1/events?boards=demo");
  greeted(one);
  auto two = server.stream("/api/v1/events?boards=demo");
  greeted(two);
  CHECK(server.call("GET", "/api/v1/boards").status == 200);
}

TEST_CASE("Stream.RunHasOnlySoMany") {
  RunningServer server{[](auto& options) { options.limits.streams_per_run = 1; }};
  server.add_token(andon::core::TokenKind::run, "a-run", 7, 1, 1);
  HeaderList const run{RunningServer::bearer("a-run")};
  auto one = server.stream("/api/v1/events", run);
  greeted(one);
  CHECK(server.stream("/api/v1/events", run).answer().status == 429);
}

TEST_CASE("Stream.IsNotBegunForHead") {
  RunningServer server;
  auto const head = server.call("HEAD", "/api/v1/events?boards=demo", {}, {"Accept: text/event-stream"});
  CHECK(head.status == 200);
  CHECK(head.headers.at("content-type") == "application/json");
}

TEST_CASE("Events.AreAPageOfHistoryForOtherClients") {
  RunningServer server;
  server.add_task("one");
  auto const answer = server.call("GET", "/api/v1/events?boards=demo&task=1");
  CHECK(answer.status == 200);
  CHECK(member(answer.body, "kind") == "task.created");
}
