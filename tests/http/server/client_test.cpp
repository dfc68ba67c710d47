#include "http/server/client.hpp"

#include <doctest/doctest.h>

#include "http/server/running_server.hpp"

using namespace andon;
using namespace andon::test;

namespace {

api::HttpCall get(std::string target) {
  return {"GET", std::move(target), {{"Authorization", "Bearer the-admin"}}, {}};
}

}  // namespace

TEST_CASE("Client.CallsOverTcpAndOverTheSocketOnOneConnection") {
  RunningServer server;
  auto const tcp = http::client_of("http://" + server.host());
  auto const local = http::client_of_socket(server.socket_path());
  for (auto* client : {tcp.get(), local.get()})
    for (int i = 0; i < 3; ++i) {
      auto const answer = client->call(get("/api/v1/tasks"));
      REQUIRE(answer);
      CHECK(answer->status == 200);
      CHECK(answer->body == R"({"items":[]})");
    }
}

TEST_CASE("Client.HandsOverTheLinesOfAStreamUntilItHasEnough") {
  RunningServer server;
  auto const client = http::client_of("http://" + server.host());
  auto call = get("/api/v1/events?boards=demo");
  call.headers.emplace_back("Accept", "text/event-stream");
  std::string seen;
  auto const done = client->stream(call, [&](std::string_view line) {
    seen = line;
    return !line.starts_with("event: hello");
  });
  CHECK(done);
  CHECK(seen == "event: hello");
}

TEST_CASE("Client.SaysThatNobodyAnswers") {
  std::string host;
  {
    RunningServer server;
    host = server.host();
  }
  auto const answer = http::client_of("http://" + host)->call(get("/healthz"));
  REQUIRE(!answer);
  CHECK(answer.error().code == core::Code::kBusy);
  CHECK(!http::client_of_socket("/nonexistent/andon.sock")->call(get("/healthz")));
}

TEST_CASE("Client.SendsNoTokenToAnotherMachine") {
  auto const far = http::client_of("http://192.0.2.1:7420");
  auto const answer = far->call(get("/api/v1/tasks"));
  REQUIRE(!answer);
  CHECK(answer.error().code == core::Code::kInvalidInput);
  CHECK(answer.error().message.starts_with(
      "a token is not sent to 192.0.2.1:7420 over plain http, where others can read it; forward a port"));
  auto const streamed = far->stream(get("/api/v1/events"), [](std::string_view) { return true; });
  REQUIRE(!streamed);
  CHECK(streamed.error().code == core::Code::kInvalidInput);
}

TEST_CASE("Client.RefusesAddressesAndValuesItCannotSendSafely") {
  CHECK_THROWS_AS(http::client_of("https://board.example.org"), std::invalid_argument);
  CHECK_THROWS_AS(http::client_of("http://user@host"), std::invalid_argument);
  RunningServer server;
  auto call = get("/healthz");
  call.headers.emplace_back("X-A", "1\r\nX-B: 2");
  CHECK(!http::client_of("http://" + server.host())->call(call));
}
