#include "http/client/client.hpp"

#include <atomic>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <doctest/doctest.h>

#include "http/server/running_server.hpp"

using namespace andon;
using namespace andon::test;

namespace {

api::HttpCall get(std::string target) {
  return {"GET", std::move(target), {{"Authorization", "Bearer the-admin"}}, {}};
}

/// Takes requests without a body. It ends the first connections without an answer, and answers all later
/// ones.
class DyingServer {
 public:
  explicit DyingServer(int deaths) : thread_([this, deaths] { serve(deaths); }) {}
  ~DyingServer() {
    is_ending_ = true;
    tcp::socket waker{io_};
    boost::system::error_code error;
    waker.connect(acceptor_.local_endpoint(), error);
    thread_.join();
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int asked() const { return asked_; }

 private:
  using tcp = boost::asio::ip::tcp;

  void serve(int deaths) {
    for (;; --deaths) {
      auto connection = acceptor_.accept();
      if (is_ending_) return;
      boost::asio::streambuf request;
      boost::system::error_code error;
      boost::asio::read_until(connection, request, "\r\n\r\n", error);
      ++asked_;
      constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
      if (deaths <= 0) boost::asio::write(connection, boost::asio::buffer(kAnswer), error);
    }
  }

  boost::asio::io_context io_;
  tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::uint16_t const port_ = acceptor_.local_endpoint().port();
  std::atomic<int> asked_ = 0;
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

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

TEST_CASE("Client.RepeatsWhatHasOneEffectWhenTheServerEndsBeforeItsAnswer") {
  DyingServer server{2};
  auto const client = http::client_of(server.url(), {.absence = std::chrono::minutes{1}});
  auto const answer = client->call({"POST", "/api/v1/tasks/1/done", {{"Idempotency-Key", "k"}}, {}});
  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK(server.asked() == 3);
}

TEST_CASE("Client.PausesBeforeEachRepeatedCall") {
  constexpr int kManyDeaths = 1'000'000;
  DyingServer server{kManyDeaths};
  auto const client = http::client_of(
      server.url(), {.absence = std::chrono::milliseconds{300}, .between = std::chrono::milliseconds{100}});
  CHECK(!client->call({"GET", "/healthz", {}, {}}));
  CHECK(server.asked() <= 5);
}

TEST_CASE("Client.SaysThatTheResultOfAnUnansweredWriteIsUnknown") {
  DyingServer server{1};
  auto const client = http::client_of(server.url(), {.absence = std::chrono::minutes{1}});
  auto const answer = client->call({"POST", "/api/v1/tasks/1/done", {}, {}});
  REQUIRE(!answer);
  CHECK(answer.error().message.ends_with("it is unknown whether the change was made: look again"));
  CHECK(server.asked() == 1);
  CHECK(client->call({"GET", "/healthz", {}, {}}));
}

TEST_CASE("Client.SendsNoTokenToAnotherMachine") {
  auto const far = http::client_of("http://192.0.2.1:7420");
  auto const answer = far->call(get("/api/v1/tasks"));
  REQUIRE(!answer);
  CHECK(answer.error().code == core::Code::kInvalidInput);
  CHECK(answer.error().message.starts_with(
      "a token is not sent to 192.0.2.1:7420 over plain http, where others can read it; name https://, or "
      "forward a port"));
  auto const streamed = far->stream(get("/api/v1/events"), [](std::string_view) { return true; });
  REQUIRE(!streamed);
  CHECK(streamed.error().code == core::Code::kInvalidInput);
}

TEST_CASE("Client.RefusesAddressesAndValuesItCannotSendSafely") {
  CHECK_THROWS_AS(http::client_of("ftp://board.example.org"), std::invalid_argument);
  CHECK_THROWS_AS(http::client_of("http://user@host"), std::invalid_argument);
  RunningServer server;
  auto call = get("/healthz");
  call.headers.emplace_back("X-A", "1\r\nX-B: 2");
  CHECK(!http::client_of("http://" + server.host())->call(call));
}
