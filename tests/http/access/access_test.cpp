#include <sys/stat.h>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "http/access/credentials.hpp"
#include "http/access/origin.hpp"
#include "http/access/routes.hpp"
#include "http/server/running_server.hpp"

using namespace andon;
using namespace andon::test;

namespace {

std::string address_of(http::Route const& route) {
  std::string out = route.pattern;
  for (auto open = out.find('{'); open != std::string::npos; open = out.find('{'))
    out.replace(open, out.find('}') - open + 1, "1");
  return out;
}

WireAnswer call_as(RunningServer const& server, http::Route const& route, HeaderList const& headers) {
  bool const has_body = route.method != "GET" && route.method != "DELETE";
  return server.call(route.method, address_of(route), has_body ? "{}" : "", headers);
}

http::ServerOptions at_home() {
  http::ServerOptions options;
  options.lan = {{"192.168.77.5", "fd00::7"}, {"studio", "studio.local", "no name"}};
  return options;
}

bool accepts_name(http::Origins const& origins, std::string const& host, std::string const& origin = {}) {
  http::Request request;
  request.fields.set(http::Field::host, host);
  if (!origin.empty()) request.fields.set(http::Field::origin, origin);
  return !origins.fault_of(request);
}

}  // namespace

TEST_CASE("Access.EveryRouteIsClosedToStrangersUnlessItIsNamedOpen") {
  RunningServer server;
  auto const before = server.digest();
  int open = 0;
  for (auto const& route : http::routes()) {
    CAPTURE(route.method);
    CAPTURE(route.pattern);
    for (HeaderList const& headers :
         {HeaderList{"Authorization: none"}, HeaderList{"Authorization: Bearer wrong"}}) {
      auto const answer = call_as(server, route, headers);
      if (route.required_role == http::RequiredRole::open) {
        ++open;
        continue;
      }
      CHECK(answer.status == 401);
      CHECK(answer.headers.at("www-authenticate") == "Bearer");
      CHECK(member(answer.body, "code") == "UNAUTHENTICATED");
    }
  }
  CHECK(open == 2 * 3);  // the health check, signing in and the proof of the server
  CHECK(server.call("GET", "/api/v1/nothing", {}, {"Authorization: none"}).status == 401);
  CHECK(server.digest() == before);
}

TEST_CASE("Access.EveryRouteEndsWhereTheRightsOfATokenEnd") {
  RunningServer server;
  server.add_token(core::TokenKind::run, "a-run", 7, 1, 1);
  for (auto const& route : http::routes()) {
    CAPTURE(route.method);
    CAPTURE(route.pattern);
    if (route.required_role == http::RequiredRole::person || route.required_role == http::RequiredRole::admin)
      CHECK(call_as(server, route, {RunningServer::bearer("a-run")}).status == 403);
    if (route.required_role == http::RequiredRole::admin)
      CHECK(call_as(server, route, {RunningServer::bearer("a-person")}).status == 403);
  }
}

TEST_CASE("Access.RunnerReachesItsOwnOperationsOnly") {
  RunningServer server;
  server.add_token(core::TokenKind::runner, "east");
  auto const before = server.digest();
  int own = 0;
  for (auto const& route : http::routes()) {
    CAPTURE(route.method);
    CAPTURE(route.pattern);
    if (route.required_role == http::RequiredRole::open) continue;
    bool const is_own =
        route.service == http::Service::run_output_report ||
        (route.service == http::Service::operation && api::may_call(service::Role::runner, *route.operation));
    own += is_own ? 1 : 0;
    for (HeaderList const& headers :
         {HeaderList{RunningServer::bearer("east")},
          HeaderList{RunningServer::bearer("east"), "Accept: text/event-stream"}}) {
      auto const answer = call_as(server, route, headers);
      if (is_own)
        CHECK(answer.status >= 400);  // there is no such runner
      else
        CHECK(answer.status == 403);
    }
  }
  CHECK(own > 10);
  CHECK(server.digest() == before);
}

TEST_CASE("Access.EndsWithTheNextRequestAfterARevocation") {
  RunningServer server;
  HeaderList const person{RunningServer::bearer("a-person")};
  CHECK(server.call("GET", "/api/v1/tasks", {}, person).status == 200);
  server.revoke("a-person");
  CHECK(server.call("GET", "/api/v1/tasks", {}, person).status == 401);
}

TEST_CASE("Access.TokenOfAnEndedRunHearsThatItsClaimIsStale") {
  RunningServer server;
  server.add_task("one");
  server.add_token(core::TokenKind::run, "a-run", 7, 1, 1);
  HeaderList const run{RunningServer::bearer("a-run")};
  CHECK(server.call("GET", "/api/v1/tasks/1", {}, run).status == 200);
  server.end_run("a-run");
  auto const answer = server.call("POST", "/api/v1/tasks/1/complete", "{}", run);
  CHECK(answer.status == 409);
  CHECK(member(answer.body, "code") == "STALE_CLAIM");
  CHECK(server.call("GET", "/api/v1/boards", {}, run).status == 401);
}

TEST_CASE("Access.OnlyTheAdministratorChoosesAName") {
  RunningServer server;
  auto const body = R"({"title":"one"})";
  CHECK(member(server.call("POST", "/api/v1/tasks", body, {"Andon-Actor: worker:developer"}).body,
               "created_by") == "worker:developer");
  CHECK(
      server.call("POST", "/api/v1/tasks", body, {RunningServer::bearer("a-person"), "Andon-Actor: user:eve"})
          .status == 403);
}

TEST_CASE("Access.RunCreatesOnlySoManyTasksAMinute") {
  RunningServer server{[](auto& options) { options.limits.creations_per_minute = 2; }};
  server.add_token(core::TokenKind::run, "a-run", server.add_run(), 1, 1);
  HeaderList const run{RunningServer::bearer("a-run")};
  for (auto const* body : {R"({"title":"Fix the cart"})", R"({"title":"Write the guide"})"})
    CHECK(server.call("POST", "/api/v1/tasks", body, run).status == 201);
  auto const answer = server.call("POST", "/api/v1/tasks", R"({"title":"a"})", run);
  CHECK(answer.status == 429);
  CHECK(answer.headers.at("retry-after") == "60");
  CHECK(server.call("POST", "/api/v1/tasks", R"({"title":"a"})").status == 201);
}

TEST_CASE("Access.WhatWouldBeTooManyAtOnceDoesNotUseUpTheRest") {
  RunningServer server{[](auto& options) { options.limits.creations_per_minute = 2; }};
  server.add_token(core::TokenKind::run, "a-run", server.add_run(), 1, 1);
  HeaderList const run{RunningServer::bearer("a-run")};
  auto const many = R"([{"title":"a"},{"title":"b"},{"title":"c"}])";
  CHECK(server.call("POST", "/api/v1/tasks", many, run).status == 429);
  CHECK(server.call("POST", "/api/v1/tasks", R"([{"title":"a"},{"title":"b"}])", run).status == 201);
}

TEST_CASE("Access.CodeIsExchangedOnceForASessionThatCanBeEnded") {
  RunningServer server;
  server.offer_code("once");
  auto const origin = "Origin: http://" + server.host();
  auto const signed_in =
      server.call("POST", "/api/v1/session", R"({"code":"once"})", {"Authorization: none", origin});
  REQUIRE(signed_in.status == 200);
  CHECK_FALSE(signed_in.headers.contains("set-cookie"));
  CHECK(signed_in.headers.at("cache-control") == "no-store");
  CHECK(signed_in.headers.at("referrer-policy") == "no-referrer");
  CHECK(member(signed_in.body, "expires_at").starts_with("20"));
  auto const secret = member(signed_in.body, "secret");
  REQUIRE(secret.starts_with(http::kPageSecretPrefix));
  auto const bearer = RunningServer::bearer(secret);

  CHECK(server.call("POST", "/api/v1/session", R"({"code":"once"})", {"Authorization: none"}).status == 401);
  CHECK(server.call("GET", "/api/v1/tasks", {}, {bearer}).status == 200);
  CHECK(server.call("POST", "/api/v1/tasks", R"({"title":"a"})", {bearer, origin}).status == 201);
  for (auto const* foreign : {"Origin: http://127.0.0.1:1", "Origin: http://evil.example", "Origin: null"})
    CHECK(server.call("POST", "/api/v1/tasks", R"({"title":"a"})", {bearer, foreign}).status == 403);
  CHECK(server.call("DELETE", "/api/v1/session", {}, {bearer, origin}).status == 204);
  CHECK(server.call("GET", "/api/v1/tasks", {}, {bearer}).status == 401);
}

TEST_CASE("Access.NoRouteTakesACredentialFromACookieOrTheAddress") {
  RunningServer server;
  auto const before = server.digest();
  for (auto const& route : http::routes()) {
    if (route.required_role == http::RequiredRole::open) continue;
    CAPTURE(route.method);
    CAPTURE(route.pattern);
    bool const has_body = route.method != "GET" && route.method != "DELETE";
    auto const* body = has_body ? "{}" : "";
    auto const same_origin = "Origin: http://" + server.host();
    for (std::string const name : {"andon_session", "andon", "Authorization", "token"}) {
      HeaderList const cookie{"Authorization: none", "Cookie: " + name + "=the-admin",
                              "Sec-Fetch-Site: same-origin", same_origin};
      CHECK(server.call(route.method, address_of(route), body, cookie).status == 401);
    }
    for (std::string const name : {"token", "secret", "access_token"})
      CHECK(server
                .call(route.method, address_of(route) + "?" + name + "=the-admin", body,
                      {"Authorization: none", same_origin})
                .status == 401);
  }
  CHECK(server.digest() == before);
}

TEST_CASE("Access.SecretThatOnceWasACookieIsRefusedEvenAsABearer") {
  RunningServer server;
  for (std::string const secret : {"andon_s_0123456789abcdef", "andon_s_"}) {
    server.add_token(core::TokenKind::session, secret);
    for (auto const* lead : {"Bearer ", "bearer ", "Bearer   "})
      CHECK(
          server.call("GET", "/api/v1/tasks", {}, {std::string{"Authorization: "} + lead + secret}).status ==
          401);
    CHECK(server.call("GET", "/api/v1/tasks", {}, {"Authorization: none", "Cookie: andon_session=" + secret})
              .status == 401);
  }
}

TEST_CASE("Access.GuessingCodesIsSlowedDown") {
  RunningServer server{[](auto& options) { options.limits.failed_sign_ins_per_minute = 2; }};
  server.offer_code("right");
  for (int i = 0; i < 2; ++i) CHECK(server.call("POST", "/api/v1/session", R"({"code":"no"})").status == 401);
  CHECK(server.call("POST", "/api/v1/session", R"({"code":"no"})").status == 429);
}

TEST_CASE("Access.WrongCodesOfOthersKeepNobodyOut") {
  RunningServer server{[](auto& options) { options.limits.failed_sign_ins_per_minute = 2; }};
  server.offer_code("right");
  for (int i = 0; i < 5; ++i) server.call("POST", "/api/v1/session", R"({"code":"no"})");
  CHECK(server.call("POST", "/api/v1/session", R"({"code":"right"})").status == 200);
  CHECK(server.call("POST", "/api/v1/session", R"({"code":"right"})").status == 429);
}

TEST_CASE("Access.GuessingTokensIsSlowedDownAndKeepsNobodyOut") {
  RunningServer server{[](auto& options) { options.limits.wrong_tokens_per_minute = 2; }};
  auto const with = [&](std::string const& header) {
    return server.call("GET", "/api/v1/boards", {}, {header});
  };
  for (int i = 0; i < 2; ++i) CHECK(with("Authorization: Bearer wrong").status == 401);
  auto const refused = with("Authorization: Bearer wrong");
  CHECK(refused.status == 429);
  CHECK(refused.headers.at("retry-after") == "60");
  CHECK(server.call("GET", "/api/v1/boards").status == 200);
  CHECK(with("Authorization: Bearer andon_p_ended").status == 401);
}

TEST_CASE("Access.ABodyOfAStrangerIsSmall") {
  RunningServer server;
  auto const code = [](std::size_t size) { return R"({"code":")" + std::string(size, 'a') + "\"}"; };
  CHECK(server.call("POST", "/api/v1/session", code(4'000), {"Authorization: none"}).status == 401);
  CHECK(server.call("POST", "/api/v1/session", code(4'096), {"Authorization: none"}).status == 413);
}

TEST_CASE("Access.SocketFileIsOursAloneAndStaleOnesAreReplaced") {
  RunningServer server;
  struct stat about{};
  REQUIRE(::stat(server.socket_path().c_str(), &about) == 0);
  CHECK((about.st_mode & 0777U) == 0600U);
  http::ServerOptions options;
  options.listen = {};
  options.socket_path = server.socket_path();
  http::Server second{options, {server.executor()}};
  CHECK_THROWS(second.start());
}

TEST_CASE("Access.ListeningForOtherMachinesNeedsADeclaredProxy") {
  RunningServer server;
  http::ServerOptions options;
  options.listen = {"0.0.0.0:0"};
  http::Server open{options, {server.executor()}};
  CHECK_THROWS_AS(open.start(), std::invalid_argument);
  options.behind_tls_proxy = true;
  http::Server behind{options, {server.executor()}};
  behind.start();
  CHECK(behind.port() != 0);
}

TEST_CASE("Access.NamesOfTheServerAreSaidOneByOne") {
  RunningServer server;
  auto const starts = [&](std::vector<std::string> hosts, std::vector<std::string> origins) {
    http::ServerOptions options;
    options.listen = {"127.0.0.1:0"};
    options.allowed_hosts = std::move(hosts);
    options.allowed_origins = std::move(origins);
    http::Server{options, {server.executor()}}.start();
  };
  for (auto const* host :
       {"*", "", "*.example.org", "http://board.example.org", "board/", "a,b", "board:", "board:x", "[]"}) {
    CAPTURE(host);
    CHECK_THROWS_AS(starts({host}, {}), std::invalid_argument);
  }
  for (auto const* origin :
       {"*", "", "null", "board.example.org", "https://*", "https://board.example.org/", "file://x"}) {
    CAPTURE(origin);
    CHECK_THROWS_AS(starts({}, {origin}), std::invalid_argument);
  }
  starts({"board.example.org", "Board:7420", "[fd00::1]:7420", "10.0.0.7"},
         {"https://Board.example.org", "http://localhost:5173"});
}

TEST_CASE("Access.LocalNetworkAddsTheAddressesAndNamesOfThisMachineWithItsPort") {
  http::Origins const origins{at_home(), 7420};
  for (std::string const host :
       {"192.168.77.5:7420", "[fd00::7]:7420", "studio:7420", "Studio.local:7420", "127.0.0.1:7420"}) {
    CAPTURE(host);
    CHECK(accepts_name(origins, host));
    CHECK(accepts_name(origins, host, "http://" + host));
    CHECK_FALSE(accepts_name(origins, host, "https://" + host));
  }
  for (auto const* host : {"192.168.77.5", "192.168.77.5:80", "192.168.77.6:7420", "studio",
                           "evil.example:7420", "no name:7420"}) {
    CAPTURE(host);
    CHECK_FALSE(accepts_name(origins, host));
  }
  CHECK_FALSE(accepts_name(http::Origins{{}, 7420}, "192.168.77.5:7420"));
}

TEST_CASE("Access.ATunnelMayEndAtAnotherPort") {
  http::Origins const origins{{}, 7420};
  for (std::string const host :
       {"127.0.0.1:9999", "localhost:9999", "LOCALHOST:80", "[::1]:1", "localhost"}) {
    CAPTURE(host);
    CHECK(accepts_name(origins, host));
    CHECK(accepts_name(origins, host, "http://" + host));
    for (auto const* origin :
         {"http://localhost:3000", "http://evil.example", "null", "https://localhost:9999"})
      CHECK_FALSE(accepts_name(origins, host, origin));
  }
  for (auto const* host : {"evil.example:7420", "localhost.evil.example", "localhost.evil.example:9999",
                           "127.0.0.1.evil.example:7420", "localhost:", "localhost:x", "localhost:999999",
                           "localhost:80:80", "127.0.0.2:7420", "user@localhost:7420"}) {
    CAPTURE(host);
    CHECK_FALSE(accepts_name(origins, host));
  }
}

TEST_CASE("Access.OthersReachAServerAtItsProxyOrInTheLocalNetworkOrNotAtAll") {
  CHECK(http::origins_for_others({}, 7420).empty());
  CHECK(http::origins_for_others(at_home(), 7420) ==
        std::vector<std::string>{"http://192.168.77.5:7420", "http://[fd00::7]:7420"});
  CHECK(http::origins_for_others(at_home(), 80).front() == "http://192.168.77.5");
  http::ServerOptions options;
  options.allowed_hosts = {"Board.example.org"};
  CHECK(http::origins_for_others(options, 7420).empty());
  options.behind_tls_proxy = true;
  CHECK(http::origins_for_others(options, 7420) == std::vector<std::string>{"https://board.example.org"});
}
