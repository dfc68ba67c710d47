#include <doctest/doctest.h>

#include "http/server/running_server.hpp"

using namespace andon::test;

TEST_CASE("TaskRoutes.CreatingSaysWhereTheTaskIs") {
  RunningServer server;
  auto const answer = server.call("POST", "/api/v1/tasks", R"({"title":"one"})");
  CHECK(answer.status == 201);
  CHECK(answer.headers.at("location") == "/api/v1/tasks/1");
  CHECK(answer.headers.at("etag") == "\"1\"");
}

TEST_CASE("TaskRoutes.RevisionAndAddressAreThoseOfTheTaskWhateverItsTextSays") {
  RunningServer server;
  auto const request = R"({"title":"{\"id\":7,\"rev\":99","body":"x,\"rev\":99,\"id\":7"})";
  auto const made = server.call("POST", "/api/v1/tasks", request);
  CHECK(made.headers.at("location") == "/api/v1/tasks/1");
  CHECK(made.headers.at("etag") == "\"1\"");
  CHECK(server.call("GET", "/api/v1/tasks/1").headers.at("etag").starts_with("\"1-"));
}

TEST_CASE("TaskRoutes.VerbsAreToldToPeopleButNotOnACommandLine") {
  RunningServer server;
  auto const made = server.call("POST", "/api/v1/tasks", R"({"title":"one"})");
  CHECK(made.body.contains(R"("can":[)"));
  CHECK(server.call("GET", "/api/v1/tasks/1").body == made.body);
  for (auto const* target : {"/api/v1/tasks/1", "/api/v1/tasks"}) {
    auto const told = server.call("GET", target, {}, {"Andon-Source: cli"}).body;
    CHECK_FALSE(told.contains(R"("can":)"));
    CHECK_FALSE(told.contains(R"("cannot":)"));
  }
}

TEST_CASE("TaskRoutes.ArrayCreatesAllTasksOrNone") {
  RunningServer server;
  auto const all = server.call("POST", "/api/v1/tasks", R"([{"title":"a"},{"title":"b"}])");
  CHECK(all.status == 201);
  CHECK(all.body.starts_with(R"({"items":[{"id":1,"title":"a")"));
  auto const before = server.digest();
  CHECK(server.call("POST", "/api/v1/tasks", R"([{"title":"c"},{"title":""}])").status == 422);
  CHECK(server.digest() == before);
}

TEST_CASE("TaskRoutes.RetriedRequestHasOneEffectAndOneAnswer") {
  RunningServer server;
  HeaderList const key{"Idempotency-Key: k-1"};
  auto const first = server.call("POST", "/api/v1/tasks", R"({"title":"one"})", key);
  auto const again = server.call("POST", "/api/v1/tasks", R"({"title":"one"})", key);
  CHECK(first.status == 201);
  CHECK(again.body == first.body);
  CHECK(again.headers.at("location") == first.headers.at("location"));
  CHECK(again.headers.at("etag") == first.headers.at("etag"));
  CHECK(server.call("POST", "/api/v1/tasks", R"({"title":"two"})", key).status == 422);
  CHECK(member(server.call("GET", "/api/v1/tasks?sort=id&reverse").body, "id") == "1");
}

TEST_CASE("TaskRoutes.RetriedRequestOfACommandLineIsAnsweredByteForByteAfterTheTaskChanged") {
  RunningServer server;
  HeaderList const head{"Idempotency-Key: k-1", "Andon-Source: cli"};
  auto const first = server.call("POST", "/api/v1/tasks", R"({"title":"one"})", head);
  server.call("PATCH", "/api/v1/tasks/1", R"({"title":"new"})");
  auto const again = server.call("POST", "/api/v1/tasks", R"({"title":"one"})", head);
  CHECK(again.body == first.body);
  CHECK(again.headers.at("location") == "/api/v1/tasks/1");
  CHECK(again.headers.at("etag") == "\"1\"");
}

TEST_CASE("TaskRoutes.ChangeForAnOldRevisionIsRefusedWithTheTaskAsItIs") {
  RunningServer server;
  server.add_task("one");
  auto const changed = server.call("PATCH", "/api/v1/tasks/1", R"({"title":"new"})", {"If-Match: \"1\""});
  CHECK(changed.status == 200);
  CHECK(changed.headers.at("etag") == "\"2\"");
  auto const late = server.call("PATCH", "/api/v1/tasks/1", R"({"title":"late"})", {"If-Match: \"1\""});
  CHECK(late.status == 412);
  CHECK(member(late.body, "code") == "REV_MISMATCH");
  CHECK(late.body.find(R"("current":{"id":1,"title":"new")") != std::string::npos);
}

TEST_CASE("TaskRoutes.ConflictIsAnsweredWithTheTaskAsItIs") {
  RunningServer server;
  server.call("POST", "/api/v1/boards", R"({"name":"line","template":"queue"})");
  auto const id =
      member(server.call("POST", "/api/v1/tasks", R"({"board":"line","title":"one"})").body, "id");
  auto const refused = server.call("POST", "/api/v1/tasks/" + id + "/move", R"({"status":"completed"})");
  CHECK(refused.status == 409);
  CHECK(member(refused.body, "code") == "ILLEGAL_TRANSITION");
  CHECK(refused.body.find(R"("current":{"id":)" + id + R"(,"title":"one")") != std::string::npos);
}

TEST_CASE("TaskRoutes.FullColumnIsToldWithItsCountAndTheTask") {
  RunningServer server;
  server.call(
      "POST", "/api/v1/boards",
      R"({"name":"small","columns":[{"name":"backlog"},{"name":"doing","stage":"active","wip_limit":1},{"name":"done","stage":"done"}]})");
  server.call("POST", "/api/v1/tasks", R"({"board":"small","title":"first","status":"doing"})");
  auto const id =
      member(server.call("POST", "/api/v1/tasks", R"({"board":"small","title":"next"})").body, "id");
  auto const full = server.call("POST", "/api/v1/tasks/" + id + "/move", R"({"status":"doing"})");
  CHECK(full.status == 409);
  CHECK(full.body.find(R"("limit":1,"current":1,"task":{"id":)" + id) != std::string::npos);
}

TEST_CASE("TaskRoutes.UnchangedTaskIsNotSentAgain") {
  RunningServer server;
  server.add_task("one");
  auto const etag = server.call("GET", "/api/v1/tasks/1").headers.at("etag");
  auto const answer = server.call("GET", "/api/v1/tasks/1", {}, {"If-None-Match: " + etag});
  CHECK(answer.status == 304);
  CHECK(answer.body.empty());
  CHECK(server.call("PATCH", "/api/v1/tasks/1", R"({"title":"new"})", {"If-Match: " + etag}).status == 200);
  CHECK(server.call("PATCH", "/api/v1/tasks/1", R"({"title":"late"})", {"If-Match: " + etag}).status == 412);
}

TEST_CASE("TaskRoutes.BoardWithOtherCountsIsSentAgain") {
  RunningServer server;
  auto const etag = server.call("GET", "/api/v1/boards/demo").headers.at("etag");
  server.add_task("one");
  auto const again = server.call("GET", "/api/v1/boards/demo", {}, {"If-None-Match: " + etag});
  CHECK(again.status == 200);
  CHECK(again.body.find(R"("count":1)") != std::string::npos);
}

TEST_CASE("TaskRoutes.UnchangedListIsNotSentAgain") {
  RunningServer server;
  server.add_task("one");
  auto const etag = server.call("GET", "/api/v1/tasks").headers.at("etag");
  CHECK(server.call("GET", "/api/v1/tasks", {}, {"If-None-Match: " + etag}).status == 304);
  server.add_task("two");
  auto const changed = server.call("GET", "/api/v1/tasks", {}, {"If-None-Match: " + etag});
  CHECK(changed.status == 200);
  CHECK(changed.headers.at("etag") != etag);
}

TEST_CASE("TaskRoutes.QueryFiltersByListsFlagsAndCards") {
  RunningServer server;
  server.call("POST", "/api/v1/tasks",
              R"([{"title":"a","priority":"high"},{"title":"b","priority":"low"},{"title":"c"}])");
  CHECK(member(server.call("GET", "/api/v1/tasks?priority=high,low&sort=id&limit=1").body, "title") == "a");
  CHECK(server.call("GET", "/api/v1/tasks?priority=high&priority=low&unclaimed").body.find("\"c\"") ==
        std::string::npos);
  CHECK(server.call("GET", "/api/v1/tasks?blocked=1").body == R"({"items":[]})");
  CHECK(server.call("GET", "/api/v1/tasks?view=card").body.find("\"excerpt\"") == std::string::npos);
  CHECK(server.call("GET", "/api/v1/tasks?view=card").body.find("\"open_deps\":0") != std::string::npos);
  CHECK(server.call("GET", "/api/v1/tasks?view=wide").status == 422);
}

TEST_CASE("TaskRoutes.PickWithNothingToPickSaysWhatWasPassedOver") {
  RunningServer server;
  CHECK(server.call("POST", "/api/v1/pick", R"({"by":"ann"})").status == 204);
  server.add_task("one");
  server.call("POST", "/api/v1/tasks/1/block", R"({"reason":"no key"})");
  auto const answer = server.call("POST", "/api/v1/pick", R"({"by":"ann"})");
  CHECK(answer.status == 204);
  CHECK(answer.body.empty());
}

TEST_CASE("TaskRoutes.PickTakesOneColumnOrSeveral") {
  RunningServer server;
  server.call("POST", "/api/v1/tasks", R"([{"title":"a"},{"title":"b"}])");
  for (auto const* columns : {R"("nowhere")", R"(["nowhere"])"})
    CHECK(
        server.call("POST", "/api/v1/pick", R"({"by":"ann","status":)" + std::string{columns} + "}").status ==
        422);
  auto const column = member(server.call("GET", "/api/v1/tasks/1").body, "status");
  CHECK(server.call("POST", "/api/v1/pick", R"({"by":"ann","status":")" + column + "\"}").status == 200);
  CHECK(server.call("POST", "/api/v1/pick", R"({"by":"bob","status":[")" + column + "\"]}").status == 200);
}

TEST_CASE("TaskRoutes.PickOfSeveralIsAList") {
  RunningServer server;
  server.call("POST", "/api/v1/tasks", R"([{"title":"a"},{"title":"b"}])");
  auto const answer = server.call("POST", "/api/v1/pick", R"({"by":"ann","limit":5})");
  CHECK(answer.status == 200);
  CHECK(answer.body.starts_with(R"({"items":[{)"));
}

TEST_CASE("TaskRoutes.WaitingPickWakesUpForANewTask") {
  RunningServer server;
  Wire waiting{server.port()};
  waiting.send(server.text("POST", "/api/v1/pick", R"({"by":"ann","wait":"20s"})"));
  server.add_task("one");
  auto const answer = waiting.answer();
  CHECK(answer.status == 200);
  CHECK(member(answer.body, "claimed_by") == "ann");
}

TEST_CASE("TaskRoutes.WaitingPickOfAClientThatWentClaimsNothing") {
  RunningServer server;
  {
    Wire waiting{server.port()};
    waiting.send(server.text("POST", "/api/v1/pick", R"({"by":"gone","wait":"20s"})"));
    // An answer on another connection, so that the pick was surely taken up before this one ends.
    CHECK(server.call("POST", "/api/v1/pick", R"({"by":"ann"})").status == 204);
  }
  Wire here{server.port()};
  here.send(server.text("POST", "/api/v1/pick", R"({"by":"ann","wait":"20s"})"));
  CHECK(eventually([&] {
    return server.call("GET", "/metrics").body.find("andon_http_connections 2\n") != std::string::npos;
  }));
  server.add_task("one");
  CHECK(member(here.answer().body, "claimed_by") == "ann");
}

TEST_CASE("TaskRoutes.LongAnswersAreCompressedForThoseWhoTakeIt") {
  RunningServer server;
  for (int i = 0; i < 5; ++i) server.add_task(std::string(300, 'a'));
  auto const plain = server.call("GET", "/api/v1/tasks");
  auto const small = server.call("GET", "/api/v1/tasks", {}, {"Accept-Encoding: br, gzip;q=0.5"});
  CHECK(plain.headers.count("content-encoding") == 0);
  CHECK(small.headers.at("content-encoding") == "gzip");
  CHECK(small.body.size() < plain.body.size() / 3);
  CHECK(server.call("GET", "/api/v1/tasks", {}, {"Accept-Encoding: gzip;q=0"})
            .headers.count("content-encoding") == 0);
}

TEST_CASE("TaskRoutes.SnapshotNamesTheDataAndTheBuild") {
  RunningServer server;
  auto const body = server.call("GET", "/api/v1/boards/demo/snapshot").body;
  CHECK(member(body, "epoch") == server.executor().origin().incarnation);
  CHECK(member(body, "build") == "build-1");
}
