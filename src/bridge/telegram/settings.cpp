#include "bridge/telegram/settings.hpp"

#include <algorithm>
#include <set>
#include <sys/stat.h>

#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "os/files/exposure.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/described.hpp"
#include "reflect/json.hpp"

namespace andon::bridge::telegram {

namespace written {

/// `telegram.json` as it is written.
struct Chat {
  std::int64_t chat = 0;
  std::vector<std::int64_t> users;
  std::string board;
  std::int64_t thread = 0;
  std::string worker;
  bool start = false;
  std::optional<std::vector<std::string>> notify;
};
void describe(auto& field, Chat const*) {
  field(&Chat::chat, "chat");
  field(&Chat::users, "users");
  field(&Chat::board, "board");
  field(&Chat::thread, "thread");
  field(&Chat::worker, "worker");
  field(&Chat::start, "start");
  field(&Chat::notify, "notify");
}

struct Quiet {
  std::string from;
  std::string to;
  std::string zone;
};
void describe(auto& field, Quiet const*) {
  field(&Quiet::from, "from");
  field(&Quiet::to, "to");
  field(&Quiet::zone, "zone");
}

struct File {
  std::int64_t schema = 0;
  std::string token_file;
  std::string api = "https://api.telegram.org";
  std::vector<Chat> chats;
  std::optional<Quiet> quiet;
  core::Duration digest{};
};
void describe(auto& field, File const*) {
  field(&File::schema, "schema");
  field(&File::token_file, "token_file");
  field(&File::api, "api");
  field(&File::chats, "chats");
  field(&File::quiet, "quiet");
  field(&File::digest, "digest");
}

}  // namespace written

namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::string_view kFile = "telegram.json";
constexpr std::size_t kLargestSettings = 256U << 10U;
constexpr std::size_t kMostChats = 200;
constexpr std::size_t kMostUsers = 200;
constexpr std::size_t kShortestSecret = 20;
constexpr core::Duration kLongestDigest = std::chrono::hours{24};

std::unexpected<core::Error> invalid(std::string message, std::string field) {
  return core::refuse(core::Code::kInvalidInput, std::move(message), std::move(field));
}

/// Refuses a file that other users can read or change.
Result<void> check_private(fs::path const& path, std::string const& field) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return {};
  if ((about.st_mode & 0077U) != 0)
    return invalid(core::visible_line(path.native()) +
                       " is open to other users; make it private: chmod 600 " +
                       core::visible_line(path.native()),
                   field);
  if (auto const exposure = os::exposure_of_file(path)) return invalid(exposure->text, field);
  return {};
}

Result<std::optional<std::string>> read_private(fs::path const& path, std::string const& field) {
  ANDON_CHECK(check_private(path, field));
  try {
    return os::read_file_if_there(path, kLargestSettings);
  } catch (os::SystemError const& error) {
    return invalid(error.what(), field);
  }
}

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "[::1]") return true;
  return host.starts_with("127.") &&
         std::ranges::all_of(host, [](char c) { return c == '.' || core::is_ascii_digit(c); });
}

bool is_token(std::string_view text) {
  auto const colon = text.find(':');
  if (colon == 0 || colon > 20 || text.size() > 200 || text.size() < colon + 1 + kShortestSecret)
    return false;
  auto const is_secret = [](char c) { return core::is_ascii_alphanumeric(c) || c == '_' || c == '-'; };
  return std::ranges::all_of(text.substr(0, colon), core::is_ascii_digit) &&
         std::ranges::all_of(text.substr(colon + 1), is_secret);
}

Result<std::string> read_token(fs::path const& directory, std::string const& name) {
  if (name.empty())
    return invalid("token_file is missing; name the file that holds the bot's token", "token_file");
  auto const path = directory / name;
  ANDON_TRY(auto text, read_private(path, "token_file"));
  if (!text)
    return invalid(core::visible_line(path.native()) +
                       " is missing; write the token that @BotFather gave into it, with mode 0600",
                   "token_file");
  text->erase(text->find_last_not_of(" \t\r\n") + 1);
  if (!is_token(*text))
    return invalid("the token file must hold one token of the form 123456:ABC…, as @BotFather gave it",
                   "token_file");
  return *std::move(text);
}

Result<void> check_kinds(std::vector<std::string> const& kinds, std::string const& field) {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (std::ranges::find(kNewsKinds, kinds[i]) != kNewsKinds.end()) continue;
    std::string all;
    for (auto const kind : kNewsKinds) all += (all.empty() ? "" : ", ") + std::string{kind};
    return invalid("\"" + core::visible_line(kinds[i]) + "\" is no kind of news; the kinds are " + all,
                   field + "/" + std::to_string(i));
  }
  return {};
}

Result<Chat> check_chat(written::Chat& from, std::string const& at) {
  if (from.chat == 0)
    return invalid("a chat needs its numeric id, which `andon telegram setup` shows", at + "/chat");
  if (from.users.empty())
    return invalid("users is empty, so nobody may write there; name the numeric ids of people",
                   at + "/users");
  if (from.users.size() > kMostUsers)
    return invalid("users has more than " + std::to_string(kMostUsers) + " entries", at + "/users");
  for (std::size_t i = 0; i < from.users.size(); ++i)
    if (from.users[i] <= 0)
      return invalid("the id of a user is a positive number; a group is no user",
                     at + "/users/" + std::to_string(i));
  if (from.thread < 0) return invalid("thread must be a positive number or be left out", at + "/thread");
  for (auto const& [name, field] : {std::pair{&from.board, "/board"}, {&from.worker, "/worker"}})
    if (!name->empty() && !core::is_name(*name))
      return invalid("\"" + core::visible_line(*name) + "\" is no name", at + field);
  if (from.notify) ANDON_CHECK(check_kinds(*from.notify, at + "/notify"));
  Chat out{.place = {from.chat, from.thread},
           .users = std::move(from.users),
           .board = std::move(from.board),
           .worker = std::move(from.worker),
           .start = from.start,
           .notify = {}};
  if (from.notify)
    out.notify = *std::move(from.notify);
  else
    out.notify.assign(kNewsKinds.begin(), kNewsKinds.end());
  return out;
}

Result<std::vector<Chat>> check_chats(std::vector<written::Chat> from) {
  if (from.empty()) return invalid("chats is empty; name at least one chat with its users", "chats");
  if (from.size() > kMostChats)
    return invalid("chats has more than " + std::to_string(kMostChats) + " entries", "chats");
  std::vector<Chat> out;
  std::set<Place> places;
  for (std::size_t i = 0; i < from.size(); ++i) {
    auto const at = "chats/" + std::to_string(i);
    ANDON_TRY(auto chat, check_chat(from[i], at));
    if (!places.insert(chat.place).second)
      return invalid("an earlier entry has this chat and thread; keep one of them", at + "/chat");
    out.push_back(std::move(chat));
  }
  return out;
}

Result<core::QuietHours> check_quiet(written::Quiet const& from, core::TimeZones const& zones) {
  for (auto const& [text, field] : {std::pair{&from.from, "quiet/from"}, {&from.to, "quiet/to"}})
    if (!core::is_time_of_day(*text))
      return invalid("must be a time of the day from 00:00 to 23:59, such as 22:00", field);
  if (from.from == from.to)
    return invalid("quiet hours must end at another time than they begin", "quiet/to");
  if (!from.zone.empty() && !zones.knows(from.zone))
    return invalid("\"" + core::visible_line(from.zone) + "\" is no time zone; use a name like Europe/Berlin",
                   "quiet/zone");
  return core::QuietHours{from.from, from.to, from.zone};
}

/// Adds the remedy to what a codec says of a chat that is named by its user name.
core::Error with_remedy(core::Error error) {
  if (error.field.ends_with("/chat") || error.field.find("/users") != std::string::npos)
    error.message +=
        "; user names can change their owner, so only numeric ids count, which "
        "`andon telegram setup` shows";
  return error;
}

Result<written::File> parse(std::string_view text) {
  auto const value = reflect::parse_json(text);
  if (!value)
    return invalid(value.error().message + "; mend the file, or write it anew: andon telegram setup --force",
                   value.error().field);
  auto file = reflect::from_json<written::File>(*value);
  if (!file) return core::refuse(with_remedy(std::move(file).error()));
  if (file->schema != 1) return invalid("schema must be 1", "schema");
  return file;
}

Result<Configuration> check(written::File file, fs::path const& directory, core::TimeZones const& zones) {
  Configuration out;
  ANDON_SET(out.account.api, checked_api(std::move(file.api)));
  ANDON_SET(out.settings.chats, check_chats(std::move(file.chats)));
  if (file.quiet) ANDON_SET(out.settings.quiet, check_quiet(*file.quiet, zones));
  if (file.digest < core::Duration{} || file.digest > kLongestDigest)
    return invalid("digest must be a duration of at most 24h, such as 15m", "digest");
  out.settings.digest = file.digest;
  ANDON_SET(out.account.token, read_token(directory, file.token_file));
  return out;
}

}  // namespace

Result<std::string> checked_api(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  bool const is_plain = url.starts_with("http://");
  if (!is_plain && !url.starts_with("https://"))
    return invalid("api must begin with https://, such as https://api.telegram.org", "api");
  auto const rest = std::string_view{url}.substr(is_plain ? 7 : 8);
  auto const authority = rest.substr(0, rest.find('/'));
  if (authority.empty() || core::is_unsafe_line(url) || url.find_first_of("@?#\\ ") != std::string::npos)
    return invalid("api must be a base URL without user, query or spaces", "api");
  auto const is_bracketed = authority.starts_with('[');
  auto const host = authority.substr(0, is_bracketed ? authority.find(']') + 1 : authority.find(':'));
  if (is_plain && !is_loopback(host))
    return invalid(
        "api uses plain http, which shows the token to the network; use https, or http for 127.0.0.1 only",
        "api");
  return url;
}

Result<std::optional<Configuration>> read_configuration(fs::path const& data_directory,
                                                        core::TimeZones const& zones) {
  auto const name_file = [](core::Error error) {
    error.message =
        std::string{kFile} + (error.field.empty() ? "" : " at " + error.field) + ": " + error.message;
    return error;
  };
  auto text = read_private(data_directory / kFile, "");
  if (!text) return core::refuse(name_file(std::move(text).error()));
  if (!*text) return std::nullopt;
  auto file = parse(**text);
  if (!file) return core::refuse(name_file(std::move(file).error()));
  auto checked = check(*std::move(file), data_directory, zones);
  if (!checked) return core::refuse(name_file(std::move(checked).error()));
  return *std::move(checked);
}

std::vector<std::string> missing_boards(Settings const& settings, std::vector<std::string> const& boards) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < settings.chats.size(); ++i) {
    auto const& board = settings.chats[i].board;
    if (board.empty() || std::ranges::find(boards, board) != boards.end()) continue;
    out.push_back(std::string{kFile} + " at chats/" + std::to_string(i) + "/board: there is no board " +
                  board + "; name one that andon boards list shows, or make it: andon boards create " +
                  board);
  }
  return out;
}

}  // namespace andon::bridge::telegram
