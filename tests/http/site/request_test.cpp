#include <doctest/doctest.h>

#include "http/server/running_server.hpp"

using namespace andon::test;

namespace {

struct BadRequest {
  std::string_view name;
  std::string text;  ///< `HOST` and `AUTH` stand for the right header lines
  int status;
  std::string_view code;
};

std::string with_head(std::string_view lines, std::string_view line = "GET /api/v1/tasks HTTP/1.1") {
  return std::string{line} + "\r\nHOST\r\nAUTH\r\n" + std::string{lines} + "\r\n";
}

std::string post(std::string_view target, std::string_view body, std::string_view type = "application/json") {
  return with_head("Content-Type: " + std::string{type} +
                       "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n",
                   "POST " + std::string{target} + " HTTP/1.1") +
         std::string{body};
}

std::string many(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::vector<BadRequest> bad_requests() {
  return {
      {"bare newline", "GET / HTTP/1.1\nHOST\r\nAUTH\r\n\r\n", 400, "MALFORMED"},
      {"bare newlines only", "GET / HTTP/1.1\nHost: x\n\n", 400, "MALFORMED"},
      {"folded header", with_head("X-A: 1\r\n b\r\n"), 400, "MALFORMED"},
      {"control character", with_head("X-A: a\x01z\r\n"), 400, "MALFORMED"},
      {"bare carriage return", with_head("X-A: a\rz\r\n"), 400, "MALFORMED"},
      {"blank before the colon", with_head("X-A : 1\r\n"), 400, "MALFORMED"},
      {"no host", "GET /api/v1/tasks HTTP/1.1\r\nAUTH\r\n\r\n", 400, "MALFORMED"},
      {"two hosts", with_head("Host: localhost\r\n"), 400, "MALFORMED"},
      {"two credentials", with_head("Authorization: Bearer x\r\n"), 400, "MALFORMED"},
      {"two lengths", with_head("Content-Length: 0\r\nContent-Length: 0\r\n"), 400, "MALFORMED"},
      {"length and chunks", with_head("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"), 400,
       "MALFORMED"},
      {"strange coding", with_head("Transfer-Encoding: gzip, chunked\r\n"), 400, "MALFORMED"},
      {"length that is none", with_head("Content-Length: 1x\r\n"), 400, "MALFORMED"},
      {"two lengths in one", with_head("Content-Length: 2, 2\r\n"), 400, "MALFORMED"},
      {"negative length", with_head("Content-Length: -1\r\n"), 400, "MALFORMED"},
      {"no version", "GET /\r\nHOST\r\nAUTH\r\n\r\n", 400, "MALFORMED"},
      {"another version", "GET / HTTP/3.0\r\nHOST\r\nAUTH\r\n\r\n", 400, "MALFORMED"},
      {"absolute address", with_head("", "GET http://elsewhere/ HTTP/1.1"), 400, "MALFORMED"},
      {"broken escape", with_head("", "GET /api/v1/tasks?q=%zz HTTP/1.1"), 400, "MALFORMED"},
      {"broken escape in the path", with_head("", "GET /api/v1/tasks/%zz HTTP/1.1"), 400, "MALFORMED"},
      {"escaped NUL in the path", with_head("", "GET /api/v1/tasks/1%00 HTTP/1.1"), 400, "MALFORMED"},
      {"escaped bytes that are no UTF-8", with_head("", "GET /api/v1/tasks?q=%ff HTTP/1.1"), 400,
       "MALFORMED"},
      {"too many fields", with_head(many("X-A: 1\r\n", 100)), 431, "HEAD_TOO_LARGE"},
      {"long head", with_head("X-A: " + std::string(17'000, 'a') + "\r\n"), 431, "HEAD_TOO_LARGE"},
      {"long address", with_head("", "GET /" + std::string(9'000, 'a') + " HTTP/1.1"), 414, "URI_TOO_LONG"},
      {"long address without an end", "GET /" + std::string(20'000, 'a'), 414, "URI_TOO_LONG"},
      {"unknown method", with_head("", "BREW /api/v1/tasks HTTP/1.1"), 501, "METHOD_NOT_ALLOWED"},
      {"wrong method", with_head("", "DELETE /api/v1/tasks HTTP/1.1"), 405, "METHOD_NOT_ALLOWED"},
      {"overridden method", with_head("X-HTTP-Method-Override: DELETE\r\n", "PATCH /api/v1/tasks HTTP/1.1"),
       405, "METHOD_NOT_ALLOWED"},
      {"unknown route", with_head("", "GET /api/v1/nothing HTTP/1.1"), 404, "NOT_FOUND"},
      {"path that climbs", with_head("", "GET /api/v1/boards/%2e%2e HTTP/1.1"), 404, "NOT_FOUND"},
      {"foreign host", "GET /api/v1/tasks HTTP/1.1\r\nHost: evil.example\r\nAUTH\r\n\r\n", 403,
       "FOREIGN_ORIGIN"},
      {"foreign origin", with_head("Origin: http://evil.example\r\n"), 403, "FOREIGN_ORIGIN"},
      {"null origin", with_head("Origin: null\r\n"), 403, "FOREIGN_ORIGIN"},
      {"form body", post("/api/v1/tasks", "title=x", "application/x-www-form-urlencoded"), 415,
       "UNSUPPORTED_MEDIA"},
      {"text body", post("/api/v1/tasks", "{}", "text/plain"), 415, "UNSUPPORTED_MEDIA"},
      {"compressed body",
       with_head("Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n",
                 "POST /api/v1/tasks HTTP/1.1") +
           "{}",
       415, "UNSUPPORTED_MEDIA"},
      {"broken JSON", post("/api/v1/tasks", "{\"title\":"), 400, "MALFORMED"},
      {"key twice", post("/api/v1/tasks", R"({"title":"a","title":"b"})"), 400, "MALFORMED"},
      {"no UTF-8", post("/api/v1/tasks", "{\"title\":\"\xff\"}"), 400, "MALFORMED"},
      {"deep JSON", post("/api/v1/tasks", many("[", 100)), 400, "MALFORMED"},
      {"no title", post("/api/v1/tasks", "{}"), 422, "INVALID_INPUT"},
      {"unknown field", post("/api/v1/tasks", R"({"title":"a","colour":"red"})"), 422, "UNKNOWN_FIELD"},
      {"wrong type", post("/api/v1/tasks", R"({"title":7})"), 422, "INVALID_INPUT"},
      {"array where an object belongs", post("/api/v1/boards", "[]"), 422, "INVALID_INPUT"},
      {"query with a body", post("/api/v1/tasks?title=a", R"({"title":"a"})"), 422, "UNKNOWN_FIELD"},
      {"unknown parameter", with_head("", "GET /api/v1/tasks?colour=red HTTP/1.1"), 422, "UNKNOWN_FIELD"},
      {"limit that is no number", with_head("", "GET /api/v1/tasks?limit=many HTTP/1.1"), 422,
       "INVALID_INPUT"},
      {"long wait", post("/api/v1/pick", R"({"wait":"61s"})"), 422, "INVALID_INPUT"},
      {"task that cannot be", with_head("", "GET /api/v1/tasks/abc HTTP/1.1"), 404, "TASK_NOT_FOUND"},
      {"task that is not", with_head("", "GET /api/v1/tasks/4711 HTTP/1.1"), 404, "TASK_NOT_FOUND"},
      {"run that cannot be", with_head("", "GET /api/v1/runs/abc HTTP/1.1"), 404, "NOT_FOUND"},
      {"unknown board", with_head("", "GET /api/v1/boards/none/snapshot HTTP/1.1"), 404, "BOARD_NOT_FOUND"},
      {"bad idempotency key",
       with_head("Idempotency-Key: a b\r\nContent-Length: 0\r\n", "POST /api/v1/pick HTTP/1.1"), 400,
       "MALFORMED"},
      {"bad revision",
       with_head("If-Match: \"x\"\r\nContent-Length: 0\r\n", "PATCH /api/v1/tasks/1 HTTP/1.1"), 400,
       "MALFORMED"},
      {"bad actor", with_head("Andon-Actor: runner:x\r\n"), 422, "INVALID_INPUT"},
  };
}

std::string filled(std::string text, RunningServer const& server) {
  auto const put = [&](std::string_view mark, std::string const& line) {
    if (auto const at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), line);
  };
  put("HOST", "Host: " + server.host());
  put("AUTH", RunningServer::bearer("the-admin"));
  return text;
}

}  // namespace

TEST_CASE("Request.IsRefusedWithTheStatusOfItsFaultAndChangesNothing") {
  RunningServer server;
  server.add_task("one");
  auto const before = server.digest();
  for (auto const& bad : bad_requests()) {
    CAPTURE(bad.name);
    Wire wire{server.port()};
    wire.send(filled(bad.text, server));
    auto const answer = wire.answer();
    CHECK(answer.status == bad.status);
    CHECK(member(answer.body, "code") == bad.code);
    CHECK(!answer.headers.at("x-request-id").empty());
    CHECK(answer.headers.at("x-content-type-options") == "nosniff");
    CHECK(answer.headers.at("cache-control") == "no-store");
  }
  CHECK(server.digest() == before);
}

TEST_CASE("Request.WithAmbiguousFramingEndsTheConnection") {
  RunningServer server;
  Wire wire{server.port()};
  wire.send(filled(with_head("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"), server));
  CHECK(wire.answer().headers.at("connection") == "close");
  CHECK(wire.is_closed_by_server());
}

TEST_CASE("Request.BodyBeyondTheLimitIsAnsweredAndDiscarded") {
  RunningServer server;
  Wire wire{server.port()};
  std::string const body(3U << 20U, ' ');
  wire.send(filled(post("/api/v1/tasks", body), server));
  auto const answer = wire.answer();
  CHECK(answer.status == 413);
  CHECK(member(answer.body, "code") == "TOO_LARGE");
  CHECK(wire.is_closed_by_server());
}

TEST_CASE("Request.ChunkedBodyBeyondTheLimitIsRefused") {
  RunningServer server{[](auto& options) { options.limits.body = 1'000; }};
  Wire wire{server.port()};
  wire.send(filled(with_head("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
                             "POST /api/v1/tasks HTTP/1.1"),
                   server) +
            "800\r\n" + std::string(0x800, ' ') + "\r\n0\r\n\r\n");
  CHECK(wire.answer().status == 413);
}

TEST_CASE("Request.WithAnEndlessHeadOfAChunkOrTrailerIsRefused") {
  RunningServer server;
  std::string const endless(1U << 20U, 'a');
  for (auto const& begun : {"2;" + endless, "2\r\n{}\r\n0\r\nX-A: " + endless}) {
    Wire wire{server.port()};
    wire.send(filled(with_head("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
                               "POST /api/v1/tasks HTTP/1.1"),
                     server) +
              begun);
    auto const answer = wire.answer();
    CHECK(answer.status == 431);
    CHECK(member(answer.body, "code") == "HEAD_TOO_LARGE");
    CHECK(wire.is_closed_by_server());
  }
}

TEST_CASE("Request.PipelinedOnesAreAnsweredInOrder") {
  RunningServer server;
  Wire wire{server.port()};
  wire.send(server.text("POST", "/api/v1/tasks", R"({"title":"first"})") +
            server.text("GET", "/api/v1/tasks/1") + server.text("GET", "/healthz"));
  CHECK(wire.answer().status == 201);
  CHECK(member(wire.answer().body, "title") == "first");
  CHECK(wire.answer().body == R"({"status":"ok"})");
}

TEST_CASE("Request.ArrivingByteByByteIsUnderstood") {
  RunningServer server;
  Wire wire{server.port()};
  for (char const c : server.text("POST", "/api/v1/tasks", R"({"title":"slow"})")) wire.send({&c, 1});
  CHECK(wire.answer().status == 201);
}

TEST_CASE("Request.HeadIsAnsweredLikeGetWithoutABody") {
  RunningServer server;
  Wire wire{server.port()};
  wire.send(server.text("HEAD", "/api/v1/tasks") + server.text("GET", "/api/v1/tasks"));
  auto const head = wire.answer(true);
  auto const get = wire.answer();
  CHECK(head.status == 200);
  CHECK(head.headers.at("content-length") == get.headers.at("content-length"));
  CHECK(get.body == R"({"items":[]})");
}

TEST_CASE("Request.OfVersionOneDotZeroEndsTheConnection") {
  RunningServer server;
  Wire wire{server.port()};
  wire.send("GET /healthz HTTP/1.0\r\nHost: " + server.host() + "\r\n\r\n");
  CHECK(wire.answer().status == 200);
  CHECK(wire.is_closed_by_server());
}

TEST_CASE("Request.ExpectingToContinueIsToldTo") {
  RunningServer server;
  Wire wire{server.port()};
  wire.send(
      filled(with_head("Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 13\r\n",
                       "POST /api/v1/tasks HTTP/1.1"),
             server));
  wire.until("HTTP/1.1 100 Continue\r\n\r\n");
  wire.send(R"({"title":"a"})");
  CHECK(wire.answer().status == 201);
}

TEST_CASE("Request.ExpectingAnythingElseIsRefused") {
  RunningServer server;
  for (auto const* expectation : {"banana", "", "100-continue, banana"}) {
    auto const answer =
        server.call("POST", "/api/v1/tasks", R"({"title":"a"})", {"Expect: " + std::string{expectation}});
    CHECK(answer.status == 400);
    CHECK(member(answer.body, "field") == "Expect");
  }
}

TEST_CASE("Request.WithAnIdempotencyKeyThatSaysNothingIsRefused") {
  RunningServer server;
  auto const before = server.digest();
  for (std::string const& key :
       {std::string{}, std::string{"   "}, std::string(129, 'k'), std::string{"a b"}}) {
    auto const answer =
        server.call("POST", "/api/v1/tasks", R"({"board":"demo","title":"a"})", {"Idempotency-Key: " + key});
    CHECK(answer.status == 400);
    CHECK(member(answer.body, "field") == "Idempotency-Key");
  }
  CHECK(server.digest() == before);
}

TEST_CASE("Request.TooSlowIsCutOff") {
  RunningServer server{[](auto& options) {
    options.limits.head_time = std::chrono::milliseconds{30};
    options.limits.tick = std::chrono::milliseconds{10};
  }};
  Wire wire{server.port()};
  wire.send("GET / HTTP/1.1\r\n");
  CHECK(wire.is_closed_by_server());
}

TEST_CASE("Request.IdleStrangersGiveWayToANewConnection") {
  RunningServer server{[](auto& options) { options.limits.connections_per_peer = 2; }};
  Wire idle{server.port()}, slow{server.port()};
  slow.send("GET /healthz HTTP/1.1\r\n");
  Wire known{server.port()};
  CHECK(idle.is_closed_by_server());
  known.send(server.text("GET", "/api/v1/boards"));
  CHECK(known.answer().status == 200);
  Wire next{server.port()};
  CHECK(slow.is_closed_by_server());
  next.send(server.text("GET", "/api/v1/boards"));
  CHECK(next.answer().status == 200);
  Wire last{server.port()};
  CHECK(last.answer().status == 429);
}

TEST_CASE("Request.BeyondTheConnectionsOfAPeerIsTurnedAway") {
  RunningServer server{[](auto& options) { options.limits.connections_per_peer = 2; }};
  Wire one{server.port()}, two{server.port()};
  one.send(server.text("GET", "/api/v1/boards"));
  CHECK(one.answer().status == 200);
  two.send(server.text("GET", "/api/v1/boards"));
  CHECK(two.answer().status == 200);
  Wire three{server.port()};
  auto const turned_away = three.answer();
  CHECK(turned_away.status == 429);
  CHECK(turned_away.headers.at("retry-after") == "1");
  CHECK(member(turned_away.body, "code") == "RATE_LIMITED");
  CHECK(three.is_closed_by_server());
  Wire local{server.socket_path()};
  local.send(server.text("GET", "/healthz", {}, {"Host: andon"}));
  CHECK(local.answer().status == 200);
}
