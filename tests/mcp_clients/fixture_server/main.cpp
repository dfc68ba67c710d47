// A server with the tools that the conformance suite of MCP asks for, on the protocol library and the HTTP
// server of Andon. It prints its address, serves the administrator's token `fixture`, and ends with its
// input.
#include <cstdio>
#include <iostream>

#include "fixture_features.hpp"
#include "http/access/credentials.hpp"
#include "http/server/server.hpp"
#include "mcp/http_endpoint.hpp"
#include "os/processes/signals.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/open.hpp"

namespace {

using namespace andon;

/// What changes here is no commit, so changes are looked for at each step.
class LookingEndpoint : public api::Endpoint {
 public:
  explicit LookingEndpoint(mcp::HttpEndpoint& inner) : inner_(inner) {}
  void serve(api::EndpointRequest request,
             std::move_only_function<void(api::EndpointAnswer)> reply) override {
    inner_.serve(std::move(request), std::move(reply));
  }
  void step(bool) override { inner_.step(true); }

 private:
  mcp::HttpEndpoint& inner_;
};

void add_token(api::LocalExecutor& executor) {
  executor.write([](service::OperationContext& u) {
    store::Token token;
    token.hash = http::hash_of("fixture");
    token.kind = core::TokenKind::admin;
    token.name = "ann";
    token.created = u.now;
    u.tx.add(std::move(token));
    return true;
  });
}

}  // namespace

int main() {
  os::ignore_write_signals();
  auto const store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor(*store, os::kSystemClock, 2, "fixture");
  add_token(executor);
  test::ListVersions versions;
  mcp::HttpEndpoint inner(
      {"fixture", "Fixture", "1"},
      [&](api::EndpointRequest const&) { return std::make_shared<test::FixtureFeatures>(versions); },
      os::kSystemClock);
  LookingEndpoint endpoint(inner);
  http::ServerOptions options;
  options.listen = {"127.0.0.1:0"};
  options.limits.tick = http::Milliseconds{20};
  http::Backends backends{executor};
  backends.mcp = &endpoint;
  http::Server server(std::move(options), backends);
  server.start();
  std::cout << "http://127.0.0.1:" << server.port() << std::endl;
  while (std::getchar() != EOF) {
  }
}
