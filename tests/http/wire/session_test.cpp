#include <malloc.h>
#include <poll.h>
#include <vector>

#include <doctest/doctest.h>

#include "http/server/running_server.hpp"

using namespace andon;
using namespace andon::test;

/// There with a sanitizer, whose allocator `mallinfo2` does not know.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));

namespace {

constexpr std::size_t kConnections = 100;
constexpr std::size_t kMostOfAnIdleConnection = 8U << 10U;

std::size_t allocated_bytes() {
  if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
  auto const now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

std::string long_text(std::size_t size) { return std::string(size, 'x'); }

void exchange(std::vector<Wire>& connections, std::string const& request, int status) {
  for (auto& wire : connections) {
    wire.send(request);
    CHECK(wire.answer().status == status);
  }
}

/// How long the server keeps a connection whose client reads nothing; at most half a minute.
std::chrono::milliseconds time_to_disconnect(Wire const& wire) {
  auto const begin = std::chrono::steady_clock::now();
  pollfd socket{wire.descriptor(), 0, 0};
  CHECK(::poll(&socket, 1, 30'000) == 1);
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
}

constexpr std::chrono::milliseconds kWriteTime{1'000};  // a client on a busy machine takes bytes within it

void hurry(http::ServerOptions& options) {
  options.limits.write_time = kWriteTime;
  options.limits.tick = std::chrono::milliseconds{10};
  options.limits.queued_frames = 100'000;
  options.limits.queued_bytes = 64U << 20U;
}

}  // namespace

TEST_CASE("Session.KeepsNothingOfItsLastExchange") {
  RunningServer server;
  struct Row {
    char const* what;
    std::string request;
    int status;
  };
  std::vector<Row> const exchanges{
      {"answer", server.text("GET", "/openapi.json"), 200},
      {"body", server.text("POST", "/api/v1/tasks", R"({"no":")" + long_text(1U << 20U) + R"("})"), 422},
      {"query", server.text("GET", "/api/v1/tasks?no=" + long_text(8'000)), 422},
      {"path", server.text("GET", "/api/v1/" + long_text(8'000)), 404},
      {"fields", server.text("GET", "/healthz", {}, {"X-Long: " + long_text(12'000)}), 200},
  };
  std::vector<Wire> connections;
  for (std::size_t i = 0; i < kConnections; ++i) connections.emplace_back(server.port());
  exchange(connections, server.text("GET", "/healthz"), 200);
  for (auto const& each : exchanges) {
    CAPTURE(each.what);
    auto const before = allocated_bytes();
    exchange(connections, each.request, each.status);
    CHECK(eventually([&] { return allocated_bytes() < before + kConnections * kMostOfAnIdleConnection; }));
  }
}

TEST_CASE("Session.EndsSoonAfterAClientTookItsLastByte") {
  RunningServer server{hurry};
  // The kernel keeps one answer. It does not keep a hundred, so the last ones are not written.
  for (int const answers : {1, 100}) {
    CAPTURE(answers);
    Wire wire{server.port()};
    for (int i = 0; i < answers; ++i) wire.send(server.text("GET", "/openapi.json"));
    auto const time = time_to_disconnect(wire);
    CHECK(time >= kWriteTime / 2);  // the client's kernel took bytes before
    CHECK(time < std::chrono::seconds{20});
  }
}

TEST_CASE("Session.OfALocalClientThatReadsNothingEndsToo") {
  RunningServer server{hurry};
  Wire wire{server.socket_path()};
  wire.send(server.text("GET", "/openapi.json", {}, {"Host: andon"}));
  CHECK(time_to_disconnect(wire) < std::chrono::seconds{20});
}

TEST_CASE("Session.LastsWhenItsClientTookEverything") {
  RunningServer server{hurry};
  Wire wire{server.port()}, stalled{server.port()};
  wire.send(server.text("GET", "/openapi.json"));
  CHECK(wire.answer().status == 200);
  stalled.send(server.text("GET", "/openapi.json"));
  time_to_disconnect(stalled);
  wire.send(server.text("GET", "/healthz"));
  CHECK(wire.answer().status == 200);
}

TEST_CASE("Session.StreamEndsSoonAfterAClientTookItsLastByte") {
  RunningServer server{hurry};
  auto wire = server.stream("/api/v1/events?boards=demo");
  std::string tasks;
  for (int i = 0; i < 100; ++i) tasks += R"({"title":")" + long_text(400) + R"("},)";
  tasks.back() = ']';
  for (int i = 0; i < 20; ++i) server.call("POST", "/api/v1/tasks", "[" + tasks);
  CHECK(time_to_disconnect(wire) < std::chrono::seconds{20});
}
