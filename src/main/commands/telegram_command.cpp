#include "main/commands/telegram_command.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/status/chat_status.hpp"
#include "bridge/telegram/bot_api.hpp"
#include "bridge/telegram/json_fields.hpp"
#include "bridge/telegram/settings.hpp"
#include "cli/command_line/invocation.hpp"
#include "main/data_root.hpp"
#include "main/loops/telegram_loops.hpp"
#include "os/data/data_directory.hpp"
#include "os/data/file_lock.hpp"
#include "os/files/file.hpp"
#include "os/files/time_zones.hpp"
#include "os/random.hpp"
#include "reflect/json.hpp"
#include "store/contract/examination.hpp"

namespace andon::main {
namespace {

namespace json = boost::json;
namespace tg = bridge::telegram;
using cli::Invocation;
using cli::Takes;
using core::Code;
using core::Result;

constexpr char kPublicApi[] = "https://api.telegram.org";
constexpr std::size_t kLongestToken = 256;
constexpr std::size_t kLongestStatus = 64U << 10U;
constexpr std::chrono::seconds kPoll{10};
constexpr std::chrono::minutes kPairingTime{5};
constexpr std::chrono::seconds kBetweenPolls{1};

/// The Bot API over a connection of its own.
struct BotConnection {
  os::HttpClient client;
  tg::BotApi api;

  explicit BotConnection(tg::Account account)
      : api(std::move(account), [this](os::OutgoingRequest const& request) { return client.send(request); }) {
  }

  Result<json::value> call(std::string_view method, json::object const& parameters = {}) {
    auto answer = api.call(method, parameters, kPoll * 2);
    if (answer) return *std::move(answer);
    if (answer.error().failure == tg::Failure::other_poller)
      return core::refuse(Code::kConflict,
                          "another program reads the messages of this bot; stop it, such as a server that "
                          "runs, and try again");
    auto const code = answer.error().failure == tg::Failure::unauthorized ? Code::kInvalidInput : Code::kBusy;
    return core::refuse(code, "Telegram: " + answer.error().message);
  }

  /// The updates from an offset on; waits for the first one.
  Result<json::array> updates(std::int64_t offset, std::chrono::seconds wait = kPoll) {
    json::object const wanted{{"offset", offset},
                              {"timeout", wait.count()},
                              {"allowed_updates", json::array{"message", "callback_query"}}};
    ANDON_TRY(auto const list, call("getUpdates", wanted));
    return list.is_array() ? list.get_array() : json::array{};
  }
};

Result<std::string> asked_token(Invocation& in) {
  std::string token;
  if (auto const file = in.given().value("token-file")) {
    token = os::read_file_if_there(in.env().directory / *file, kLongestToken).value_or("");
  } else {
    in.screen().tell("Write to @BotFather in Telegram: /newbot. Paste the token that it gives you:");
    std::getline(in.env().in, token);
  }
  auto const end = token.find_last_not_of(" \t\r\n");
  token.erase(end == std::string::npos ? 0 : end + 1);
  bool const is_token = token.find(':') != std::string::npos && token.size() < kLongestToken &&
                        token.find_first_of(" \t/") == std::string::npos;
  if (!is_token)
    return core::refuse(Code::kInvalidInput, "that is no token of a bot; it looks like 123456:ABC-DEF");
  return token;
}

/// The chat in which somebody sent the code.
struct Paired {
  std::int64_t chat = 0;
  std::int64_t thread = 0;
  std::int64_t user = 0;
  std::int64_t update = 0;
};

std::optional<Paired> pairing_in(json::value const& update, std::string const& code) {
  auto const* message = tg::member(&update, "message");
  auto const* from = tg::member(message, "from");
  if (!from || tg::is_true(from, "is_bot") || tg::text(message, "text") != "/pair " + code)
    return std::nullopt;
  return Paired{tg::integer(tg::member(message, "chat"), "id"), tg::integer(message, "message_thread_id"),
                tg::integer(from, "id"), tg::integer(&update, "update_id")};
}

Result<Paired> wait_for_pairing(Invocation& in, BotConnection& bot, std::string const& code) {
  auto const until = in.env().clock.uptime() + kPairingTime;
  for (std::int64_t offset = 0; in.env().clock.uptime() < until;) {
    ANDON_TRY(auto const updates, bot.updates(offset));
    for (auto const& update : updates) {
      offset = tg::integer(&update, "update_id") + 1;
      if (auto const found = pairing_in(update, code)) {
        ANDON_CHECK(bot.call("getUpdates", {{"offset", offset}, {"timeout", 0}}));
        return *found;
      }
    }
  }
  return core::refuse(Code::kBusy, "nobody sent the code within five minutes; run setup again");
}

json::object settings_for(Invocation const& in, std::string const& api, Paired const& paired) {
  json::object chat{{"chat", paired.chat}, {"users", json::array{paired.user}}};
  if (paired.thread != 0) chat["thread"] = paired.thread;
  for (auto const* name : {"board", "worker"})
    if (auto const value = in.given().value(name)) chat[name] = *value;
  if (in.given().has("start")) chat["start"] = true;
  return {{"schema", 1}, {"token_file", "telegram.token"}, {"api", api}, {"chats", json::array{chat}}};
}

Result<void> say(BotConnection& bot, bridge::Place const& place, std::string const& text) {
  json::object message{{"chat_id", place.chat}, {"text", text}};
  if (place.thread != 0) message["message_thread_id"] = place.thread;
  ANDON_CHECK(bot.call("sendMessage", message));
  return {};
}

/// Refuses while a server may read the messages of this bot: each reaches one of two readers only.
Result<void> check_unread(std::filesystem::path const& root, tg::Account const& account) {
  auto const read = tg::read_configuration(root, os::time_zones());
  bool const is_same = read && *read && (*read)->account.bot_id() == account.bot_id();
  if (!is_same || !os::lock_holder(os::data_directory(root).db.native() + ".lock")) return {};
  return core::refuse(Code::kConflict,
                      "a server runs with this bot and would take its messages; stop the server first");
}

Result<int> run_telegram_setup(Invocation& in) {
  ANDON_TRY(auto const root, data_root(in));
  auto const file = root / "telegram.json";
  if (std::filesystem::exists(file) && !in.given().has("force"))
    return core::refuse(Code::kConflict, file.native() + " is there already; --force writes it anew");
  ANDON_TRY(auto const api, tg::checked_api(in.given().value("api").value_or(kPublicApi)));
  ANDON_TRY(auto const token, asked_token(in));
  tg::Account const account{api, token};
  ANDON_CHECK(check_unread(root, account));
  BotConnection bot(account);
  ANDON_TRY(auto const self, bot.call("getMe"));
  std::string const name{tg::text(&self, "username")};
  ANDON_CHECK(bot.call("deleteWebhook"));
  auto const code = os::random_hex(4);
  in.screen().tell("This is @" + name + ". Send it this line, in the chat that it shall serve:");
  for (auto const& line : {std::string{}, "    /pair " + code, std::string{}}) in.screen().tell(line);
  ANDON_TRY(auto const paired, wait_for_pairing(in, bot, code));
  os::make_private_directory(root);
  os::write_file(root / "telegram.token", token + "\n");
  os::write_file(file, json::serialize(settings_for(in, api, paired)) + "\n");
  ANDON_TRY(auto const read, tg::read_configuration(root, os::time_zones()));
  ANDON_CHECK(
      say(bot, {paired.chat, paired.thread},
          "Paired. When the server has started again, a line from you becomes a task. /help tells more."));
  in.screen().print("Wrote " + file.native() + " for chat " + std::to_string(paired.chat) + " and user " +
                    std::to_string(paired.user) + "\nStart the server again: andon serve\n");
  return 0;
}

Result<tg::Configuration> configuration_of(Invocation& in) {
  ANDON_TRY(auto const root, data_root(in));
  ANDON_TRY(auto read, tg::read_configuration(root, os::time_zones()));
  if (read) return *std::move(read);
  return core::refuse(Code::kNotFound, "Telegram is not set up; run: andon telegram setup");
}

Result<api::ChatStatus> last_status(std::filesystem::path const& root) {
  auto const text = os::read_file_if_there(telegram_status_file(root), kLongestStatus);
  if (!text) return api::ChatStatus{};
  return reflect::read_json<api::ChatStatus>(*text, reflect::Unknown::ignore);
}

bool is_served(Invocation& in) {
  auto const open = in.connection();
  return open && (*open)->server;
}

bool is_listed(tg::Configuration const& configuration, json::value const& update) {
  auto const* message = tg::member(&update, "message");
  auto const chat = tg::integer(tg::member(message, "chat"), "id");
  auto const user = tg::integer(tg::member(message, "from"), "id");
  return std::ranges::any_of(configuration.settings.chats, [&](bridge::Chat const& one) {
    return one.place.chat == chat && std::ranges::find(one.users, user) != one.users.end();
  });
}

/// Waits until a listed user writes in a chat. Confirms no update, so the server gets all of them later.
Result<void> wait_for_answer(Invocation& in, BotConnection& bot, tg::Configuration const& configuration,
                             json::array const& before) {
  auto const until = in.env().clock.uptime() + kPairingTime;
  while (in.env().clock.uptime() < until) {
    ANDON_TRY(auto const updates, bot.updates(0));
    for (auto const& update : updates)
      if (std::ranges::find(before, update) == before.end() && is_listed(configuration, update)) return {};
    if (!in.env().pause || !in.env().pause(kBetweenPolls)) break;
  }
  return core::refuse(Code::kBusy, "messages arrive there, but no answer came back within five minutes");
}

Result<int> run_telegram_test(Invocation& in) {
  ANDON_TRY(auto const configuration, configuration_of(in));
  bool const served = is_served(in);
  BotConnection bot(configuration.account);
  ANDON_TRY(auto const self, bot.call("getMe"));
  auto const* asks = served ? "A test of Andon: messages arrive here. Send /help to see whether answers come."
                            : "A test of Andon: answer with /help.";
  json::array before;
  if (!served) ANDON_SET(before, bot.updates(0, std::chrono::seconds{0}));
  for (auto const& chat : configuration.settings.chats) ANDON_CHECK(say(bot, chat.place, asks));
  in.screen().tell("Sent to " + std::to_string(configuration.settings.chats.size()) + " chats as @" +
                   std::string{tg::text(&self, "username")});
  if (served) {
    in.screen().print(std::string{"Sending works. The server receives: see andon telegram status\n"});
    return 0;
  }
  in.screen().tell("Answer there with /help …");
  ANDON_CHECK(wait_for_answer(in, bot, configuration, before));
  in.screen().print(std::string{"Sending and receiving work\n"});
  return 0;
}

std::string told(api::ChatStatus const& status, bool served) {
  std::string out =
      "bot           " + (status.bot.empty() ? std::string{"not seen yet"} : "@" + status.bot) + "\n";
  out += "chats         " + std::to_string(status.chats) + "\n";
  out += "last contact  " +
         (status.last_contact ? core::to_text(*status.last_contact) : std::string{"never"}) + "\n";
  out += "waiting       " + std::to_string(status.waiting) + " messages\n";
  if (!served) out += "server        is not running; this is what the last one knew\n";
  for (auto const& wrong : status.wrong) out += "problem       " + wrong + "\n";
  return out;
}

Result<int> run_telegram_status(Invocation& in) {
  ANDON_TRY(auto const root, data_root(in));
  ANDON_TRY(auto const configuration, configuration_of(in));
  ANDON_TRY(auto status, last_status(root));
  status.configured = true;
  for (auto& mistake : telegram_mistakes(root)) status.wrong.push_back(std::move(mistake));
  status.chats = static_cast<int>(configuration.settings.chats.size());
  if (in.screen().is_json())
    in.screen().print(json::parse(reflect::to_json(status)));
  else
    in.screen().print(told(status, is_served(in)));
  return status.wrong.empty() ? 0 : 1;
}

}  // namespace

std::vector<std::string> telegram_mistakes(std::filesystem::path const& data) {
  auto const read = tg::read_configuration(data, os::time_zones());
  if (!read) return {read.error().message};
  auto const boards = *read ? store::board_names(os::data_directory(data).db) : std::nullopt;
  return boards ? tg::missing_boards((*read)->settings, *boards) : std::vector<std::string>{};
}

std::vector<cli::NamedCommand> telegram_commands() {
  return {
      {"telegram setup",
       "",
       "Connect the board with a bot in Telegram, step by step.",
       {{"api", 0, Takes::value, "Base URL of the Bot API, for a server of your own"},
        {"token-file", 0, Takes::value, "File with the bot's token, instead of asking for it"},
        {"board", 0, Takes::value, "Board of the chat; the first one when left out"},
        {"worker", 0, Takes::value, "Worker whose chat it is"},
        {"start", 0, Takes::nothing, "A message goes to work at once instead of into the backlog"},
        {"force", 0, Takes::nothing, "Write settings that are there anew"}},
       &run_telegram_setup},
      {"telegram test", "", "Send a message to every chat, and wait for an answer.", {}, &run_telegram_test},
      {"telegram status", "", "Show how the bridge does.", {}, &run_telegram_status}};
}

}  // namespace andon::main
