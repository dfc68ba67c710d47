#include "store/open.hpp"

#include <cstdio>
#include <cstdlib>

#include "os/processes/clock.hpp"
#include "store/markdown/attached_boards.hpp"
#include "store/markdown/markdown_store.hpp"
#include "store/markdown/sync/examination.hpp"
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

std::unique_ptr<Store> open_store(std::string_view url, OnFatal on_fatal, OnWarning on_warning) {
  constexpr std::string_view kSqlite = "sqlite:", kMarkdown = "markdown:";
  if (url.starts_with(kMarkdown))
    return std::make_unique<markdown::MarkdownStore>(url.substr(kMarkdown.size()), std::move(on_fatal),
                                                     std::move(on_warning), kIndexes);
  if (!url.starts_with(kSqlite))
    throw StoreError{StoreError::Kind::other, "cannot open \"" + std::string{url} +
                                                  "\"; a store is named like sqlite:/path/to/andon.db"};
  auto const path = url.substr(kSqlite.size());
  if (path.empty()) throw StoreError{StoreError::Kind::other, "the store's URL names no file after sqlite:"};
  static os::SystemClock const clock;
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
