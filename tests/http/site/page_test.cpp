#include <doctest/doctest.h>

#include "api/description/openapi.hpp"
#include "http/server/running_server.hpp"

using namespace andon;
using namespace andon::test;

namespace {

std::span<unsigned char const> bytes(std::string_view text) {
  return {reinterpret_cast<unsigned char const*>(text.data()), text.size()};
}

std::vector<EmbeddedFile> const kFiles{
    {"assets/app-1.js", "text/javascript", "aa", bytes("raw script"), bytes("zipped"), bytes("brotli")},
    {"index.html", "text/html; charset=utf-8", "bb", bytes("<html>"), {}, {}},
};

void with_page(http::Backends& backends) { backends.page = kFiles; }

HeaderList const kStranger{"Authorization: none"};

}  // namespace

TEST_CASE("Page.IsOpenAndSaysWhatItMayLoad") {
  RunningServer server{{}, with_page};
  auto const answer = server.call("GET", "/boards/demo/tasks/7", {}, kStranger);
  CHECK(answer.status == 200);
  CHECK(answer.body == "<html>");
  CHECK(answer.headers.at("content-type") == "text/html; charset=utf-8");
  CHECK(
      answer.headers.at("content-security-policy") ==
      "default-src 'self'; img-src 'self' blob:; base-uri 'none'; object-src 'none'; frame-ancestors 'none'");
  CHECK(answer.headers.at("x-frame-options") == "DENY");
  CHECK(answer.headers.at("cross-origin-opener-policy") == "same-origin");
  CHECK(answer.headers.at("cross-origin-resource-policy") == "same-origin");
  CHECK(answer.headers.at("cache-control") == "no-cache");
  CHECK(answer.headers.count("access-control-allow-origin") == 0);
}

TEST_CASE("Page.FilesComeInTheBestFormTheClientTakes") {
  RunningServer server{{}, with_page};
  auto const get = [&](std::string const& accepted) {
    return server.call("GET", "/assets/app-1.js", {},
                       {"Authorization: none", "Accept-Encoding: " + accepted});
  };
  CHECK(get("gzip, br").body == "brotli");
  CHECK(get("gzip").body == "zipped");
  CHECK(get("identity").body == "raw script");
  CHECK(get("br").headers.at("cache-control") == "public, max-age=31536000, immutable");
}

TEST_CASE("Page.FileTheClientHasIsNotSentAgain") {
  RunningServer server{{}, with_page};
  CHECK(server.call("GET", "/", {}, {"Authorization: none", "If-None-Match: \"bb\""}).status == 304);
}

TEST_CASE("Page.IsNotServedUnderForeignNamesOrForOtherMethods") {
  RunningServer server{{}, with_page};
  CHECK(server.call("GET", "/", {}, {"Authorization: none", "Host: evil.example"}).status == 403);
  auto const posted = server.call("POST", "/", {}, kStranger);
  CHECK(posted.status == 405);
  CHECK(posted.headers.at("allow") == "GET, HEAD");
  CHECK(server.call("GET", "/assets/none.js", {}, kStranger).status == 404);
}

TEST_CASE("OpenApi.IsServedToThoseWithAToken") {
  RunningServer server;
  CHECK(server.call("GET", "/openapi.json", {}, kStranger).status == 401);
  CHECK(server.call("GET", "/openapi.json").body == api::openapi_json());
}
