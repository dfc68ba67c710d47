#include "store/contract/examination.hpp"

#include <array>
#include <unistd.h>

#include <sqlite3.h>

#include "os/data/file_lock.hpp"
#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/sqlite/counters/tallies.hpp"
#include "store/sqlite/database/connection.hpp"
#include "store/sqlite/database/schema.hpp"

namespace andon::store {
namespace {

using sqlite::Connection;

constexpr int kMostComplaints = 20;

void check_whole(Connection& db, std::vector<Finding>& out) {
  auto rows = db.assembled("PRAGMA integrity_check(" + std::to_string(kMostComplaints) + ")");
  bool is_whole = true;
  while (rows.step()) {
    if (rows.view(0) == "ok") continue;
    is_whole = false;
    out.push_back({Finding::Kind::fault, "database", rows.text(0) + "; restore a backup"});
  }
  if (is_whole) out.push_back({Finding::Kind::fact, "database", "is whole"});
  auto strays = db.assembled("PRAGMA foreign_key_check");
  for (int n = 0; n < kMostComplaints && strays.step(); ++n)
    out.push_back({Finding::Kind::fault, "database",
                   "a row of " + strays.text(0) + " names one of " + strays.text(2) + " that is not there"});
}

/// A database with an older schema may have no counts by facet, so it is not checked.
void check_counts(Connection& db, std::vector<Finding>& out) {
  if (sqlite::migrations_missing(db) > 0) return;
  // One snapshot: counts and tasks that were read before and after a write of the server would differ.
  db.execute("BEGIN");
  auto const wrong = sqlite::wrong_tallies(db);
  db.execute("COMMIT");
  if (wrong > 0)
    out.push_back({Finding::Kind::fault, "counts",
                   std::to_string(wrong) + " counts of tasks are not those of the tasks"});
  else
    out.push_back({Finding::Kind::fact, "counts", "are those of the tasks"});
}

constexpr std::string_view kSoundness = "soundness";

std::string mebibytes(std::int64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

struct Counted {
  char const* sql;
  char const* what;
};
constexpr std::array kCounted{
    Counted{"SELECT count(*) FROM task", "tasks"}, Counted{"SELECT count(*) FROM event", "events"},
    Counted{"SELECT count(*) FROM run", "runs"}, Counted{"SELECT count(*) FROM token", "credentials"},
    Counted{"SELECT count(*) FROM remembered", "answers for retried requests"}};

/// Reports the size of the database and of the tables that grow.
void tell_sizes(Connection& db, std::vector<Finding>& out) {
  auto const bytes =
      std::stoll(db.value_of("PRAGMA page_count")) * std::stoll(db.value_of("PRAGMA page_size"));
  std::string text = mebibytes(bytes);
  for (auto const& [sql, what] : kCounted) text += ", " + db.value_of(sql) + " " + what;
  out.push_back({Finding::Kind::fact, "size", text});
  if (auto const oldest = db.value_of("SELECT min(ts) FROM event"); !oldest.empty())
    out.push_back({Finding::Kind::fact, "history",
                   "since " + core::to_text(core::Instant{core::Duration{std::stoll(oldest)}})});
}

void tell_last_look(Connection& db, std::vector<Finding>& out) {
  auto const text = db.value_of("SELECT value FROM setting WHERE name = 'soundness'");
  auto const space = text.find(' ');
  if (space == std::string::npos) return;
  auto const verdict = text.substr(space + 1);
  bool const is_sound = verdict == "ok";
  out.push_back({is_sound ? Finding::Kind::fact : Finding::Kind::fault, "last look of the server",
                 text.substr(0, space) + (is_sound ? ": the database was whole" : ": " + verdict)});
}

void check_schema(Connection& db, std::vector<Finding>& out) {
  auto const behind = sqlite::migrations_missing(db);
  if (behind > 0)
    out.push_back({Finding::Kind::repair, "schema", std::to_string(behind) + " steps behind this program"});
  else
    out.push_back({Finding::Kind::fact, "schema", "is the one of this program"});
}

/// True for a process of the program that asks.
bool is_andon(pid_t pid) {
  std::error_code unreadable;
  auto const own = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  auto const theirs = std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", unreadable);
  return !unreadable && own == theirs;
}

/// True when the process is seen to have the file open. A lock on a file with the same number of another disk
/// looks alike in the table of locks.
bool has_open(pid_t pid, std::filesystem::path const& file) {
  std::error_code unreadable;
  auto const wanted = std::filesystem::canonical(file, unreadable);
  auto const open_files = "/proc/" + std::to_string(pid) + "/fd";
  auto each = std::filesystem::directory_iterator{open_files, unreadable};
  for (; !unreadable && each != std::filesystem::directory_iterator{}; each.increment(unreadable))
    if (std::error_code gone; std::filesystem::read_symlink(each->path(), gone) == wanted) return true;
  return false;
}

/// Other programs that have the database open. Each connection in WAL mode holds a shared lock on its file.
void tell_strangers(std::filesystem::path const& file, std::vector<Finding>& out) {
  auto const owner = os::lock_holder(file.native() + ".lock");
  for (auto const pid : os::lock_holders(file))
    if (pid != owner && pid != ::getpid() && !is_andon(pid) && has_open(pid, file))
      out.push_back(
          {Finding::Kind::fault, "database",
           os::process_in_words(pid) + " has it open; end it: only Andon may write and tidy its database"});
}

/// The boards with tasks that look like copies.
void tell_copies(Connection& db, std::vector<Finding>& out) {
  auto rows = db.assembled(
      "SELECT b.name, count(*) FROM board b CROSS JOIN setting s ON s.name = 'copies.' || b.id"
      " CROSS JOIN json_each(s.value, '$.pairs') p"
      " JOIN task t ON t.id = json_extract(p.value, '$.task') AND t.stage NOT IN ('done', 'archived')"
      " JOIN task o ON o.id = json_extract(p.value, '$.other') AND o.stage NOT IN ('done', 'archived')"
      " GROUP BY b.id ORDER BY b.id");
  while (rows.step()) out.push_back(suspected_copies(rows.text(0), rows.integer(1)));
}

}  // namespace

std::vector<Finding> examine_database(std::filesystem::path const& file) try {
  std::vector<Finding> out{{Finding::Kind::fact, "sqlite", sqlite3_libversion()}};
  auto const owner = os::lock_holder(file.native() + ".lock");
  out.push_back({Finding::Kind::fact, "owner",
                 owner ? "process " + std::to_string(*owner) : std::string{"no process has it open"}});
  tell_strangers(file, out);
  Connection db(file.native(), sqlite::Mode::reader);
  check_schema(db, out);
  check_whole(db, out);
  check_counts(db, out);
  if (sqlite::migrations_missing(db) == 0) {
    tell_sizes(db, out);
    tell_last_look(db, out);
    tell_copies(db, out);
  }
  return out;
} catch (StoreError const& error) {
  return {{Finding::Kind::fault, "database", error.what()}};
} catch (os::SystemError const& error) {
  return {{Finding::Kind::fault, "database", error.what()}};
}

std::optional<std::vector<std::string>> board_names(std::filesystem::path const& file) try {
  if (!std::filesystem::exists(file)) return std::nullopt;
  Connection db(file.native(), sqlite::Mode::reader);
  std::vector<std::string> out;
  for (auto rows = db.assembled("SELECT name FROM board ORDER BY id"); rows.step();)
    out.push_back(rows.text(0));
  return out;
} catch (StoreError const&) {
  return std::nullopt;
} catch (os::SystemError const&) {
  return std::nullopt;
}

std::optional<std::string> examine_soundness(std::filesystem::path const& file,
                                             std::stop_token const& stop) try {
  Connection db(file.native(), sqlite::Mode::reader);
  std::stop_callback const end{stop, [&db] { sqlite3_interrupt(db.handle()); }};
  if (stop.stop_requested()) return std::nullopt;
  return db.value_of("PRAGMA integrity_check(1)");
} catch (StoreError const& error) {
  if (stop.stop_requested()) return std::nullopt;
  return error.what();
}

std::optional<Soundness> kept_soundness(Tx& tx) {
  auto const text = tx.setting(kSoundness).value_or("");
  auto const space = text.find(' ');
  auto const at = space == std::string::npos ? std::nullopt : core::parse_instant(text.substr(0, space));
  return at ? std::optional{Soundness{*at, text.substr(space + 1)}} : std::nullopt;
}

void keep_soundness(Tx& tx, Soundness const& found) {
  tx.set_setting(kSoundness, core::to_text(found.at) + " " + found.verdict);
}

}  // namespace andon::store
