#include <set>

#include <doctest/doctest.h>

#include "os/data/data_directory.hpp"
#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/processes/log.hpp"
#include "os/processes/signals.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"
#include "support/scratch.hpp"

using namespace andon;

TEST_CASE("Digest.IsTheKnownOne") {
  CHECK(os::hex(os::sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("Digest.SecretsAreComparedAsAWhole") {
  CHECK(os::same_secret("token", "token"));
  CHECK_FALSE(os::same_secret("token", "tokeN"));
  CHECK_FALSE(os::same_secret("token", "token2"));
  CHECK(os::same_secret("", ""));
}

TEST_CASE("Random.TextsHaveTheirFormAndDiffer") {
  CHECK(os::random_hex(5).size() == 10);
  auto const uuid = os::random_uuid();
  CHECK(uuid.size() == 36);
  CHECK(uuid[8] == '-');
  CHECK(uuid[14] == '4');
  CHECK(std::string_view{"89ab"}.find(uuid[19]) != std::string_view::npos);
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(os::random_uuid());
  CHECK(seen.size() == 100);
}

TEST_CASE("Log.NoMessageCanForgeALine") {
  CHECK(os::log_line("T", os::Level::warning, "a\nb\x1b[0m\r\x7f") == "T warning a\\nb\\x1b[0m\\x0d\\x7f");
  CHECK(os::log_line("T", os::Level::info, "a\u009b31m\u0085\u202e\xff") ==
        "T info a[U+009B]31m[U+0085][U+202E]\\xff");
  CHECK(os::journal_line(os::Level::info, "a\u0085b").ends_with("a[U+0085]b"));
}

TEST_CASE("DataDirectory.ASocketPathThatFitsIsInIt") {
  auto const data = os::data_directory("/data/andon");
  CHECK(data.socket == "/data/andon/andon.sock");
  CHECK(data.runs() == "/data/andon/work/runs");
}

TEST_CASE("DataDirectory.SaysThatSettingsHaveNoEffect") {
  test::Scratch const scratch;
  CHECK_FALSE(os::unread_settings(scratch / "none"));
  for (auto const* marker : {"", "\n", "# a comment\n---\n  # more"}) {
    os::write_file(scratch / "andon.yml", marker);
    CHECK_FALSE(os::unread_settings(scratch / ""));
  }
  os::write_file(scratch / "andon.yml", "# ours\nlisten: 127.0.0.1:1\n");
  CHECK(os::unread_settings(scratch / "")->contains("has any effect"));
}

TEST_CASE("DataDirectory.NamesItsStore") {
  test::Scratch const scratch;
  CHECK(os::store_of(scratch / "none", "").empty());
  for (auto const* line : {"store: postgres://db/andon", "  store:  'postgres://db/andon' ",
                           "store: \"postgres://db/andon\"\r"}) {
    os::write_file(scratch / "andon.yml", std::string{"# ours\n---\n"} + line + "\n");
    CHECK(os::store_of(scratch / "", "") == "postgres://db/andon");
    CHECK_FALSE(os::unread_settings(scratch / ""));
  }
  CHECK(os::store_of(scratch / "", "postgres://other/b") == "postgres://other/b");
  CHECK(os::uses_postgres(scratch / "", ""));
  os::write_file(scratch / "andon.yml", "store: postgres://db/andon\n", 0644);
  CHECK_THROWS_AS(os::store_of(scratch / "", ""), os::SystemError);
}

TEST_CASE("DataDirectory.ALongOneKeepsItsSocketInAShortPrivatePlace") {
  test::Scratch const scratch;
  auto const root = scratch / std::string(120, 'd');
  os::make_directories(os::data_directory(root));
  auto const chosen = os::prepare_socket_path(root);
  CHECK(chosen.native().size() <= 107);
  CHECK(os::socket_path(root) == chosen);
  CHECK(os::data_directory(root).socket == chosen);
  CHECK(os::prepare_socket_path(root) == chosen);
  std::filesystem::remove_all(chosen.parent_path());
}

TEST_CASE("Signals.ArriveThroughTheDescriptor") {
  os::SignalQueue queue{SIGUSR2};
  CHECK_FALSE(queue.next());
  ::raise(SIGUSR2);
  CHECK(queue.next() == SIGUSR2);
  CHECK_FALSE(queue.next());
}
