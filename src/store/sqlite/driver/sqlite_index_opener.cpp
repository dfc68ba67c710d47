#include "store/sqlite/driver/sqlite_index_opener.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <unistd.h>

#include "store/contract/store_error.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/driver/sqlite_driver.hpp"
#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kEndings{"", "-wal", "-shm"};

/// A path as written in a URI of SQLite.
std::string in_uri(std::string const& path) {
  std::string out;
  for (char const c : path)
    if (c == '%' || c == '?' || c == '#')
      out += c == '%' ? "%25" : c == '?' ? "%3F" : "%23";
    else
      out += c;
  return out;
}

/// The name under which a reader opens the index. SQLite creates files beside a database unless the name
/// states that nothing can change it. The name states that on a read-only disk without a log to be read.
std::string name_to_read(fs::path const& file) {
  bool const is_frozen = ::access(file.parent_path().c_str(), W_OK) != 0 && errno == EROFS;
  if (!is_frozen || fs::exists(file.native() + "-wal")) return file.native();
  return "file:" + in_uri(file.native()) + "?immutable=1";
}

}  // namespace

std::shared_ptr<engine::Driver> SqliteIndexOpener::open(fs::path const& file, core::Instant now) const {
  auto db = std::make_unique<Connection>(file.native(), Mode::owner);
  if (db->value_of("PRAGMA journal_mode") != "wal")
    throw StoreError{StoreError::Kind::other,
                     "the file system of " + file.native() + " cannot hold the board's index"};
  migrate(*db, now);
  return std::make_shared<SqliteDriver>(std::move(db), Writers::many);
}

std::shared_ptr<engine::Driver> SqliteIndexOpener::open_to_read(fs::path const& file) const {
  return std::make_shared<SqliteDriver>(name_to_read(file));
}

std::shared_ptr<engine::Driver> SqliteIndexOpener::in_memory() const {
  auto db = std::make_unique<Connection>("", Mode::memory);
  migrate(*db);
  return std::make_shared<SqliteDriver>(std::move(db), Writers::many);
}

std::unique_ptr<engine::Session> SqliteIndexOpener::examine(fs::path const& file) const {
  auto db = std::make_unique<Connection>(file.native(), Mode::reader);
  if (auto const verdict = db->value_of("PRAGMA quick_check(1)"); verdict != "ok")
    throw StoreError{StoreError::Kind::damaged, verdict};
  if (migrations_missing(*db) > 0) return nullptr;
  return std::make_unique<SqliteSession>(std::move(db));
}

std::span<std::string_view const> SqliteIndexOpener::endings() const { return kEndings; }

}  // namespace andon::store::sqlite
