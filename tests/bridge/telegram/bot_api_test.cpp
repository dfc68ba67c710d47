#include "bridge/telegram/bot_api.hpp"

#include <doctest/doctest.h>

using namespace andon;
using namespace std::chrono_literals;
using bridge::telegram::BotApi;
using bridge::telegram::CallResult;
using bridge::telegram::Failure;

namespace {

constexpr std::string_view kToken = "123456:AAbbCCddEEffGGhhIIjj";

BotApi api_with(bridge::telegram::SendRequest send) {
  return BotApi{{.api = "https://api.example", .token = std::string{kToken}}, std::move(send)};
}

CallResult called(int status, std::string body) {
  return api_with([&](auto const&) { return os::IncomingAnswer{status, body}; }).call("getMe", {});
}

CallResult called(os::NoAnswer why, std::string message = "cannot") {
  return api_with([&](auto const&) {
           return std::expected<os::IncomingAnswer, os::NoAnswerReason>{
               std::unexpected(os::NoAnswerReason{why, message})};
         })
      .call("getMe", {});
}

}  // namespace

TEST_CASE("BotApi.PostsJsonAndReturnsTheResult") {
  os::OutgoingRequest seen;
  auto const api = api_with([&](os::OutgoingRequest const& request) {
    seen = request;
    return os::IncomingAnswer{200, R"({"ok":true,"result":{"message_id":9}})"};
  });
  auto const result = api.call("sendMessage", {{"chat_id", -7}, {"text", "a"}}, 65s);
  REQUIRE(result.has_value());
  CHECK(result->at("message_id") == 9);
  CHECK(seen.method == "POST");
  CHECK(seen.url == "https://api.example/bot" + std::string{kToken} + "/sendMessage");
  CHECK(seen.headers == std::vector<std::string>{"Content-Type: application/json"});
  CHECK(seen.body == R"({"chat_id":-7,"text":"a"})");
  CHECK(seen.time_limit == 65s);
}

TEST_CASE("BotApi.KnowsTheErrorsOfTheEnvelope") {
  struct Row {
    int status;
    std::string description;
    Failure failure;
  };
  std::vector<Row> const rows{
      {401, "Unauthorized", Failure::unauthorized},
      {404, "Not Found", Failure::unauthorized},
      {409, "Conflict: can't use getUpdates method while webhook is active", Failure::webhook},
      {409, "Conflict: terminated by other getUpdates request", Failure::other_poller},
      {403, "Forbidden: bot was blocked by the user", Failure::blocked},
      {400, "Bad Request: chat not found", Failure::blocked},
      {400, "Bad Request: can't parse entities", Failure::refused},
      {413, "Request Entity Too Large", Failure::refused},
      {500, "Internal Server Error", Failure::trouble},
  };
  for (auto const& row : rows) {
    CAPTURE(row.description);
    auto const result = called(row.status, R"({"ok":false,"error_code":)" + std::to_string(row.status) +
                                               R"(,"description":")" + row.description + "\"}");
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().failure == row.failure);
    CHECK(result.error().message == row.description);
    CHECK(result.error().may_have_arrived == (row.failure == Failure::trouble));
  }
}

TEST_CASE("BotApi.ReadsTheParametersOfErrors") {
  auto const many = called(429, R"({"ok":false,"error_code":429,"description":"Too Many Requests",
                                    "parameters":{"retry_after":35}})");
  CHECK(many.error().failure == Failure::too_many);
  CHECK(many.error().retry_after == 35s);
  auto const migrated = called(400, R"({"ok":false,"error_code":400,"description":"Bad Request: upgraded",
                                        "parameters":{"migrate_to_chat_id":-100500}})");
  CHECK(migrated.error().failure == Failure::migrated);
  CHECK(migrated.error().new_chat == -100500);
  auto const same = called(400, R"({"ok":false,"error_code":400,
                                    "description":"Bad Request: message is not modified: specified"})");
  CHECK(same.error().is_not_modified);
}

TEST_CASE("BotApi.AnAbsurdWaitIsBounded") {
  for (auto const* wait : {"-5", "0", "1e9", "\"x\"", "99999999999"}) {
    auto const many = called(
        429, R"({"ok":false,"error_code":429,"parameters":{"retry_after":)" + std::string{wait} + "}}");
    CHECK(many.error().retry_after >= 1s);
    CHECK(many.error().retry_after <= 1h);
  }
}

TEST_CASE("BotApi.SaysWhetherACallMayHaveArrived") {
  CHECK_FALSE(called(os::NoAnswer::unreachable).error().may_have_arrived);
  CHECK_FALSE(called(os::NoAnswer::unavailable).error().may_have_arrived);
  CHECK(called(os::NoAnswer::broken).error().may_have_arrived);
  CHECK(called(502, "<html>Bad Gateway</html>").error().may_have_arrived);
  CHECK(called(502, "<html>Bad Gateway</html>").error().failure == Failure::trouble);
  CHECK(called(200, "[]").error().failure == Failure::trouble);
}

TEST_CASE("BotApi.KnowsAnAnswerThatIsTooLarge") {
  CHECK(called(os::NoAnswer::too_large).error().is_too_large);
  CHECK_FALSE(called(os::NoAnswer::broken).error().is_too_large);
  std::string many = R"({"ok":true,"result":[0)";
  for (int i = 0; i < 300'000; ++i) many += ",0";
  auto const result = called(200, many + "]}");
  CHECK(result.error().is_too_large);
  CHECK(result.error().beginning.starts_with(R"({"ok":true,"result":[0,)"));
}

TEST_CASE("BotApi.NeverShowsTheToken") {
  auto const result =
      called(os::NoAnswer::broken, "no route to /bot" + std::string{kToken} + "/getMe\nand more");
  CHECK(result.error().message == "no route to /bot123456:[token]/getMe\\nand more");
}
