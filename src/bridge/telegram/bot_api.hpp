#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "bridge/telegram/account.hpp"
#include "core/time/time.hpp"
#include "os/network/http_client.hpp"

namespace andon::bridge::telegram {

/// Sends one request. In the program an `os::HttpClient` does it.
using SendRequest =
    std::function<std::expected<os::IncomingAnswer, os::NoAnswerReason>(os::OutgoingRequest const&)>;

/// Why a call has no result.
enum class Failure {
  unauthorized,  ///< the token is wrong or was revoked
  webhook,       ///< a webhook gets the updates; `deleteWebhook` ends it
  other_poller,  ///< another program asks for the updates of this bot
  too_many,      ///< wait `retry_after`, with every call
  blocked,       ///< the user blocked the bot, or it may not write to the chat
  migrated,      ///< the group has a new id, `new_chat`
  refused,       ///< this call will never succeed
  trouble,       ///< the network or the server; try again later
};

struct CallError {
  Failure failure = Failure::trouble;
  std::string message;            ///< for people: never the token, in one line
  core::Duration retry_after{};   ///< of `too_many`
  std::int64_t new_chat = 0;      ///< of `migrated`
  bool may_have_arrived = false;  ///< of `trouble`: the call may have had its effect
  bool is_not_modified = false;   ///< of `refused`: an edit that changes nothing
  bool is_too_large = false;      ///< of `trouble`: the server answered with more than is taken
  std::string beginning{};        ///< of an answer that was too large
};

using CallResult = std::expected<boost::json::value, CallError>;

/// The methods of the Bot API (https://core.telegram.org/bots/api, "Making requests"): each is a POST of
/// JSON, each answer an envelope of `ok` with `result`, or with `error_code`, `description` and `parameters`.
class BotApi {
 public:
  BotApi(Account account, SendRequest send) : account_(std::move(account)), send_(std::move(send)) {}

  /// The `result` of a method.
  CallResult call(std::string_view method, boost::json::object const& parameters,
                  std::chrono::milliseconds time_limit = std::chrono::seconds{30}) const;

 private:
  std::string without_token(std::string text) const;

  Account account_;
  SendRequest send_;
};

}  // namespace andon::bridge::telegram
