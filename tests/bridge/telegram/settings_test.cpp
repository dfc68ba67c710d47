#include "bridge/telegram/settings.hpp"

#include <fstream>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/files/time_zones.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::bridge;

namespace {

constexpr std::string_view kWrittenToken = "123456:AAbbCCddEEffGGhhIIjj-_";

/// The bridge's files, with parts of `telegram.json` replaced.
struct Files {
  test::Scratch directory;

  void write(std::string_view settings, std::string_view token = kWrittenToken) const {
    os::write_file(directory / "telegram.json", settings);
    os::write_file(directory / "telegram.token", std::string{token} + "\n");
  }
  core::Result<std::optional<telegram::Configuration>> read() const {
    return telegram::read_configuration(directory.path(), os::time_zones());
  }
};

std::string settings_with(std::string_view chat, std::string_view rest = "") {
  return R"({"schema": 1, "token_file": "telegram.token", "chats": [)" + std::string{chat} + "]" +
         std::string{rest} + "}";
}

constexpr std::string_view kChat = R"({"chat": -100123, "users": [42]})";

}  // namespace

TEST_CASE("TelegramSettings.AreOffWithoutTheFile") {
  Files const files;
  auto const read = files.read();
  REQUIRE(read.has_value());
  CHECK_FALSE(read->has_value());
}

TEST_CASE("TelegramSettings.AreRead") {
  Files const files;
  files.write(R"({"schema": 1, "token_file": "telegram.token", "api": "http://127.0.0.1:8081/",
    "chats": [{"chat": -100123, "users": [42, 43], "board": "shop", "thread": 7, "worker": "developer",
               "start": true, "notify": ["done", "approval"]},
              {"chat": -100123, "users": [42]}],
    "quiet": {"from": "22:00", "to": "07:00", "zone": "UTC"}, "digest": "15m"})");
  auto const read = files.read();
  REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().message));
  auto const& [settings, account] = **read;
  CHECK(account.api == "http://127.0.0.1:8081");
  CHECK(account.token == kWrittenToken);
  CHECK(account.bot_id() == "123456");
  REQUIRE(settings.chats.size() == 2);
  CHECK(settings.chats[0].place == Place{-100123, 7});
  CHECK(settings.chats[0].users == std::vector<std::int64_t>{42, 43});
  CHECK(settings.chats[0].board == "shop");
  CHECK(settings.chats[0].worker == "developer");
  CHECK(settings.chats[0].start);
  CHECK(settings.chats[0].notify == std::vector<std::string>{"done", "approval"});
  CHECK(settings.chats[1].notify.size() == kNewsKinds.size());
  REQUIRE(settings.quiet.has_value());
  CHECK(settings.quiet->to == "07:00");
  CHECK(settings.digest == std::chrono::minutes{15});
}

TEST_CASE("TelegramSettings.NameTheFieldThatIsWrong") {
  struct Row {
    std::string text;
    std::string field;
  };
  std::vector<Row> const rows{
      {settings_with(R"({"chat": "@me", "users": [42]})"), "chats/0/chat"},
      {settings_with(R"({"users": [42]})"), "chats/0/chat"},
      {settings_with(R"({"chat": 1, "users": ["@ann"]})"), "chats/0/users/0"},
      {settings_with(R"({"chat": 1, "users": [-7]})"), "chats/0/users/0"},
      {settings_with(R"({"chat": 1, "users": []})"), "chats/0/users"},
      {settings_with(R"({"chat": 1})"), "chats/0/users"},
      {settings_with(""), "chats"},
      {settings_with(R"({"chat": 1, "users": [2], "colour": 1})"), "chats/0/colour"},
      {settings_with(R"({"chat": 1, "users": [2]}, {"chat": 1, "users": [3]})"), "chats/1/chat"},
      {settings_with(R"({"chat": 1, "users": [2], "notify": ["done", "gossip"]})"), "chats/0/notify/1"},
      {settings_with(R"({"chat": 1, "users": [2], "board": "a b"})"), "chats/0/board"},
      {settings_with(R"({"chat": 1, "users": [2], "thread": -1})"), "chats/0/thread"},
      {settings_with(kChat, R"(, "api": "http://example.org")"), "api"},
      {settings_with(kChat, R"(, "api": "http://127.0.0.1.example.org")"), "api"},
      {settings_with(kChat, R"(, "api": "http://localhost@example.org")"), "api"},
      {settings_with(kChat, R"(, "api": "ftp://example.org")"), "api"},
      {settings_with(kChat, R"(, "quiet": {"from": "25:00", "to": "07:00"})"), "quiet/from"},
      {settings_with(kChat, R"(, "quiet": {"from": "22:00", "to": "7:00"})"), "quiet/to"},
      {settings_with(kChat, R"(, "quiet": {"from": "22:00", "to": "22:00"})"), "quiet/to"},
      {settings_with(kChat, R"(, "quiet": {"from": "22:00", "to": "07:00", "zone": "Moon/Sea"})"),
       "quiet/zone"},
      {settings_with(kChat, R"(, "digest": "soon")"), "digest"},
      {settings_with(kChat, R"(, "digest": "48h")"), "digest"},
      {settings_with(kChat, R"(, "colour": 1)"), "colour"},
      {R"({"schema": 2})", "schema"},
      {R"({"schema": 1, "chats": [{"chat": 1, "users": [2]}]})", "token_file"},
      {R"({"schema": 1, "token_file": "none", "chats": [{"chat": 1, "users": [2]}]})", "token_file"},
  };
  for (auto const& row : rows) {
    CAPTURE(row.text);
    Files const files;
    files.write(row.text);
    auto const read = files.read();
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().field == row.field);
    CHECK(read.error().message.starts_with("telegram.json at " + row.field + ": "));
    CHECK(read.error().message.find(kWrittenToken) == std::string::npos);
  }
}

TEST_CASE("TelegramSettings.ThatAreNoJsonAreRefused") {
  Files const files;
  files.write("{");
  CHECK_FALSE(files.read().has_value());
}

TEST_CASE("TelegramSettings.ThatOthersCanReadAreRefused") {
  for (auto const* name : {"telegram.json", "telegram.token"}) {
    CAPTURE(name);
    Files const files;
    files.write(settings_with(kChat));
    REQUIRE(files.read().has_value());
    REQUIRE(::chmod((files.directory / name).c_str(), 0640) == 0);
    auto const read = files.read();
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().message.find("chmod 600") != std::string::npos);
  }
}

TEST_CASE("TelegramSettings.AWrongTokenIsRefusedWithoutBeingShown") {
  for (std::string const token : {"", "123456", "abc:AAbbCCddEEffGGhhIIjj", "123456:short",
                                  "123456:AAbbCCddEEffGGhhIIjj/../x", "123456:AAbbCCddEEff GGhhIIjjKK"}) {
    CAPTURE(token);
    Files const files;
    files.write(settings_with(kChat), token);
    auto const read = files.read();
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().field == "token_file");
    if (!token.empty()) CHECK(read.error().message.find(token + "\n") == std::string::npos);
    CHECK(read.error().message.find("GGhh") == std::string::npos);
  }
}

TEST_CASE("TelegramSettings.OfABoardThatIsNotThereAreTold") {
  Files const files;
  files.write(settings_with(R"({"chat": 1, "users": [2]}, {"chat": 2, "users": [2], "board": "shop"})"));
  auto const read = files.read();
  REQUIRE(read.has_value());
  CHECK(telegram::missing_boards((*read)->settings, {"house", "shop"}).empty());
  auto const told = telegram::missing_boards((*read)->settings, {"house"});
  REQUIRE(told.size() == 1);
  CHECK(told[0].starts_with("telegram.json at chats/1/board: there is no board shop; "));
}
