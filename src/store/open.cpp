#include "store/open.hpp"

#include <cstdio>
#include <cstdlib>

#include "os/processes/clock.hpp"
#include "store/contract/store_error.hpp"
#include "store/markdown/attached_boards.hpp"
#include "store/markdown/markdown_store.hpp"
#include "store/markdown/sync/examination.hpp"
#include "store/postgres/connection/settings.hpp"
#include "store/postgres/examination.hpp"
#include "store/postgres/open_postgres.hpp"
#include "store/sqlite/driver/sqlite_index_opener.hpp"
#include "store/sqlite/open_sqlite.hpp"

namespace andon::store {
namespace {

sqlite::SqliteIndexOpener const kIndexes;

}  // namespace

void exit_on_fatal(std::string_view reason) {
  std::fprintf(stderr, "andon: %.*s; start it again\n", static_cast<int>(reason.size()), reason.data());
  std::_Exit(70);
}

void pass_over(std::string_view) {}

bool is_postgres(std::string_view url) {
  return url.starts_with("postgres://") || url.starts_with("postgresql://");
}

std::string display_url(std::string_view url) { return postgres::Settings{url}.display_url(); }

std::vector<Finding> examine_postgres(std::string_view url) { return postgres::examine(url); }

std::unique_ptr<Store> open_store(std::string_view url, OnFatal on_fatal, OnWarning on_warning) {
  constexpr std::string_view kSqlite = "sqlite:", kMarkdown = "markdown:";
  if (url.starts_with(kMarkdown))
    return std::make_unique<markdown::MarkdownStore>(url.substr(kMarkdown.size()), std::move(on_fatal),
                                                     std::move(on_warning), kIndexes);
  static os::SystemClock const clock;
  if (is_postgres(url)) return postgres::open_postgres(url, std::move(on_fatal), clock.now());
  if (!url.starts_with(kSqlite))
    throw StoreError{StoreError::Kind::refused,
                     "a store is named like sqlite:/path/to/andon.db or postgres://user@host/database"};
  auto const path = url.substr(kSqlite.size());
  if (path.empty()) throw StoreError{StoreError::Kind::other, "the store's URL names no file after sqlite:"};
  std::filesystem::path const file = path == ":memory:" ? std::string_view{} : path;
  return sqlite::open_sqlite(
      file.native(), std::move(on_fatal),
      std::make_unique<markdown::AttachedBoards>(file.parent_path(), clock, std::move(on_warning)),
      clock.now());
}

std::vector<Finding> examine_board(std::filesystem::path const& root, core::Instant now) {
  return markdown::examine(root, now, kIndexes);
}

}  // namespace andon::store
