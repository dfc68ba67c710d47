#include <malloc.h>
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
