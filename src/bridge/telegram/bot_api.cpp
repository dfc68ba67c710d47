#include "bridge/telegram/bot_api.hpp"

#include <algorithm>
#include <array>

#include <boost/json/serialize.hpp>

#include "bridge/telegram/json_fields.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "reflect/json.hpp"

namespace andon::bridge::telegram {
namespace {

namespace json = boost::json;

constexpr std::size_t kLargestAnswer = 8U << 20U;  // of 100 updates
constexpr reflect::JsonLimits kAnswerLimits{.depth = 64, .nodes = 200'000};
constexpr std::string_view kSuccess = R"({"ok":true)";
constexpr std::size_t kLongestBeginning = 256;
constexpr std::size_t kLongestMessage = 300;
constexpr std::int64_t kLongestWait = 3600;  // seconds

/// An error of the envelope: the first row that fits.
struct Row {
  std::int64_t code;           ///< 0 for any
  std::string_view described;  ///< part of the description; empty for any
  Failure failure;
};

constexpr std::array kErrors{
    Row{401, "", Failure::unauthorized},
    Row{404, "", Failure::unauthorized},  // the path holds no known token
    Row{409, "webhook", Failure::webhook},
    Row{409, "", Failure::other_poller},
    Row{429, "", Failure::too_many},
    Row{403, "", Failure::blocked},
    Row{400, "chat not found", Failure::blocked},
    Row{400, "user is deactivated", Failure::blocked},
    Row{400, "", Failure::refused},
};

Failure failure_of(std::int64_t code, std::string_view description) {
  auto const lower = core::ascii_lower(description);
  for (auto const& row : kErrors)
    if (row.code == code && lower.find(row.described) != std::string::npos) return row.failure;
  return code >= 400 && code < 500 ? Failure::refused : Failure::trouble;
}

CallError error_of(json::value const& envelope, int status) {
  auto const code = integer(&envelope, "error_code");
  auto const description = text(&envelope, "description");
  auto const* const parameters = member(&envelope, "parameters");
  CallError error;
  error.failure = failure_of(code ? code : status, description);
  error.message = description.empty() ? "HTTP status " + std::to_string(status) : std::string{description};
  error.new_chat = integer(parameters, "migrate_to_chat_id");
  if (error.new_chat) error.failure = Failure::migrated;
  auto const wait = std::clamp<std::int64_t>(integer(parameters, "retry_after"), 1, kLongestWait);
  error.retry_after = std::chrono::seconds{wait};
  error.may_have_arrived = error.failure == Failure::trouble;
  error.is_not_modified = core::ascii_lower(description).find("message is not modified") != std::string::npos;
  return error;
}

CallError trouble(std::string message, bool may_have_arrived) {
  return {.message = std::move(message), .may_have_arrived = may_have_arrived};
}

CallError error_of(os::NoAnswerReason const& reason) {
  using os::NoAnswer;
  bool const is_unknown =
      reason.why == NoAnswer::broken || reason.why == NoAnswer::too_large || reason.why == NoAnswer::stopped;
  auto error = trouble(reason.message, is_unknown);
  error.is_too_large = reason.why == NoAnswer::too_large;
  error.beginning = reason.beginning;
  return error;
}

CallResult result_of(os::IncomingAnswer const& answer) {
  auto envelope = reflect::parse_json(answer.body, kAnswerLimits);
  if (!envelope || !envelope->is_object()) {
    if (answer.status == 200 && answer.body.starts_with(kSuccess)) {
      auto error = trouble("the answer has too many parts", true);
      error.is_too_large = true;
      error.beginning = answer.body.substr(0, kLongestBeginning);
      return std::unexpected(std::move(error));
    }
    // Something between this program and the server answered, such as a proxy.
    if (answer.status >= 400 && answer.status < 500 && answer.status != 408 && answer.status != 404)
      return std::unexpected(error_of(json::object{}, answer.status));
    return std::unexpected(
        trouble("HTTP status " + std::to_string(answer.status) + " without an answer of the Bot API", true));
  }
  if (!is_true(&*envelope, "ok")) return std::unexpected(error_of(*envelope, answer.status));
  auto const* const result = member(&*envelope, "result");
  return result ? *result : json::value{};
}

}  // namespace

std::string BotApi::without_token(std::string text) const {
  auto const secret = account_.token.substr(account_.token.find(':') + 1);
  for (auto at = text.find(secret); !secret.empty() && at != std::string::npos; at = text.find(secret, at))
    text.replace(at, secret.size(), "[token]");
  return core::visible_line(core::beginning(text, kLongestMessage));
}

CallResult BotApi::call(std::string_view method, json::object const& parameters,
                        std::chrono::milliseconds time_limit) const {
  auto const answer = send_({.method = "POST",
                             .url = account_.api + "/bot" + account_.token + "/" + std::string{method},
                             .headers = {"Content-Type: application/json"},
                             .body = json::serialize(parameters),
                             .time_limit = time_limit,
                             .most_bytes = kLargestAnswer});
  auto result = answer ? result_of(*answer) : CallResult{std::unexpected(error_of(answer.error()))};
  if (!result) result.error().message = without_token(std::move(result.error().message));
  return result;
}

}  // namespace andon::bridge::telegram
