#include "service/access/access.hpp"

#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

TEST_CASE("Token.NeedsANameThatCanBeShownAndAHashOfItsOwn") {
  TestApp app;
  auto const token = [](std::string const& name, char digit) {
    return service::CreateTokenRequest{.name = name, .hash = std::string(64, digit)};
  };
  app.call<&service::create_token>(token("ann", 'a'));
  CHECK(app.refusal<&service::create_token>(token("bob", 'a')) == "INVALID_INPUT");
  CHECK(app.refusal<&service::create_token>(token("bob", 'x')) == "INVALID_INPUT");
  CHECK(app.refusal<&service::create_token>(token(" ", 'b')) == "INVALID_INPUT");
  CHECK(app.refusal<&service::create_token>(token({"b\0b", 3}, 'b')) == "INVALID_INPUT");
  app.call<&service::create_token>(token("bob", 'b'));
}

TEST_CASE("Tokens.AreListedInPages") {
  TestApp app;
  for (char const letter : {'a', 'b', 'c'})
    app.call<&service::create_token>({.name = "ann", .hash = std::string(64, letter)});
  auto const first = app.answer<&service::list_tokens>({.limit = 2});
  CHECK(first.find(R"("id":2)") != std::string::npos);
  CHECK(first.find(R"("id":3)") == std::string::npos);
  CHECK(first.ends_with(R"("next":"2"})"));
  auto const rest = app.answer<&service::list_tokens>({.limit = 2, .cursor = "2"});
  CHECK(rest.find(R"("id":3)") != std::string::npos);
  CHECK(rest.find("next") == std::string::npos);
  CHECK(app.refusal<&service::list_tokens>({.cursor = "x"}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::list_tokens>({.limit = 0}) == "INVALID_INPUT");
}
