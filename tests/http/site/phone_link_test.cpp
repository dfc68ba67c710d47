#include <doctest/doctest.h>

#include "http/server/running_server.hpp"
#include "os/qr_code.hpp"

using namespace andon;
using namespace andon::test;

namespace {

void behind_a_proxy(http::ServerOptions& options) {
  options.behind_tls_proxy = true;
  options.allowed_hosts = {"board.example.org"};
  options.limits.phone_links_per_minute = 2;
}

WireAnswer ask_for_link(RunningServer const& server, HeaderList const& headers = {}) {
  return server.call("POST", "/api/v1/session/phone", "{}", headers);
}

}  // namespace

TEST_CASE("PhoneLink.SignsAnotherDeviceInOnce") {
  RunningServer server{&behind_a_proxy};
  auto const answer = ask_for_link(server);
  REQUIRE(answer.status == 201);
  CHECK(answer.headers.at("cache-control") == "no-store");
  auto const url = member(answer.body, "url");
  std::string const begin = "https://board.example.org/#code=";
  REQUIRE(url.starts_with(begin));
  auto const code = url.substr(begin.size());
  CHECK(code.size() == std::string_view{"andon_c_"}.size() + 64);
  CHECK(!member(answer.body, "expires_at").empty());
  CHECK(answer.body.contains("\"" + os::qr_code(url).front() + "\""));
  auto const body = R"({"code":")" + code + "\"}";
  auto const signed_in = server.call("POST", "/api/v1/session", body, {"Authorization: none"});
  CHECK(signed_in.status == 200);
  CHECK(member(signed_in.body, "secret").starts_with("andon_p_"));
  CHECK(server.call("POST", "/api/v1/session", body, {"Authorization: none"}).status == 401);
}

TEST_CASE("PhoneLink.IsRefusedWithARemedyWhereNoOtherDeviceReachesTheServer") {
  RunningServer server;
  auto const answer = ask_for_link(server);
  CHECK(answer.status == 409);
  CHECK(member(answer.body, "code") == "CONFLICT");
  CHECK(member(answer.body, "error").contains("andon serve --lan"));
}

TEST_CASE("PhoneLink.IsMadeByTheAdministratorOnlyBecauseItGivesTheirRights") {
  RunningServer server{&behind_a_proxy};
  server.add_token(core::TokenKind::run, "a-run", 7, 1, 1);
  CHECK(ask_for_link(server, {RunningServer::bearer("a-run")}).status == 403);
  CHECK(ask_for_link(server, {RunningServer::bearer("a-person")}).status == 403);
  CHECK(ask_for_link(server, {"Authorization: none"}).status == 401);
}

TEST_CASE("PhoneLink.IsMadeOnlySoManyTimesAMinute") {
  RunningServer server{&behind_a_proxy};
  for (int i = 0; i < 2; ++i) CHECK(ask_for_link(server).status == 201);
  auto const answer = ask_for_link(server);
  CHECK(answer.status == 429);
  CHECK(answer.headers.at("retry-after") == "60");
}
