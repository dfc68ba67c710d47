#include "store/markdown/index/file_index.hpp"

#include <array>

namespace andon::store::markdown {
namespace {

using sqlite::Query;
using sqlite::Statement;

Query const kWatched{"files_watched"};
Query const kSettled{"files_settled"};
Query const kAll{"files"};
Query const kOfTask{"file_of_task"};
Query const kNamed{"file_named"};
Query const kFilePut{"file_put"};
Query const kRemove{"file_remove"};
Query const kFilesRemove{"files_remove"};
Query const kProblems{"file_problems"};
Query const kWithoutFile{"tasks_without_file"};
Query const kPastEpoch{"past_epoch"};
Query const kPastEpochPut{"past_epoch_put"};
Query const kBeside{"beside"};
Query const kBesidePut{"beside_put"};
Query const kBesideRemove{"beside_remove"};

constexpr std::string_view kTasksDir = "tasks_dir", kBegun = "begun";

struct Number {
  std::string_view name;
  std::int64_t& (*in)(IndexState&);
};
constexpr std::array kNumbers{
    Number{"names", [](IndexState& b) -> auto& { return b.names; }},
    Number{"directory_modified", [](IndexState& b) -> auto& { return b.directory.modified; }},
    Number{"directory_changed", [](IndexState& b) -> auto& { return b.directory.changed; }},
    Number{"directory_inode", [](IndexState& b) -> auto& { return b.directory.inode; }},
    Number{"directory_seen", [](IndexState& b) -> auto& { return b.directory_seen; }},
    Number{"settings_size", [](IndexState& b) -> auto& { return b.settings.stamp.size; }},
    Number{"settings_modified", [](IndexState& b) -> auto& { return b.settings.stamp.modified; }},
    Number{"settings_changed", [](IndexState& b) -> auto& { return b.settings.stamp.changed; }},
    Number{"settings_inode", [](IndexState& b) -> auto& { return b.settings.stamp.inode; }},
    Number{"settings_seen", [](IndexState& b) -> auto& { return b.settings.seen; }},
    Number{"settings_hash", [](IndexState& b) -> auto& { return b.settings.hash; }},
    Number{"next_id", [](IndexState& b) -> auto& { return b.next_id; }},
    Number{"filling", [](IndexState& b) -> auto& { return b.is_filling; }},
    Number{"published", [](IndexState& b) -> auto& { return b.published; }},
    Number{"settled", [](IndexState& b) -> auto& { return b.settled; }},
    Number{"swept", [](IndexState& b) -> auto& { return b.swept; }},
    Number{"settled_seen", [](IndexState& b) -> auto& { return b.settled_seen; }},
};

void fill(FileRow& out, Statement const& row) {
  out.name = row.view(0);
  out.task = row.maybe_id<core::TaskId>(1);
  out.stamp = {row.integer(2), row.integer(3), row.integer(4), row.integer(5)};
  out.seen = row.integer(6);
  out.hash = row.integer(7);
  out.claim_end = row.maybe_instant(8);
  out.problem = row.view(9);
}

FileRow row_in(Statement const& row) {
  FileRow out;
  fill(out, row);
  return out;
}

void visit_each(Statement rows, std::function<bool(FileRow const&)> const& visit) {
  FileRow one;
  while (rows.step()) {
    fill(one, rows);
    if (!visit(one)) return;
  }
}

}  // namespace

bool is_doubtful(FileRow const& row) { return row.stamp.modified + tick_of(row.stamp.modified) > row.seen; }

bool FileIndex::exists() {
  auto row = db_.query(kBeside, board_);
  return row.step();
}

void FileIndex::begin() { db_.run(kBesidePut, board_, kBegun, 1); }

void FileIndex::remove_all() {
  db_.run(kFilesRemove, board_);
  db_.run(kBesideRemove, board_);
}

void FileIndex::each_watched(std::function<bool(FileRow const&)> const& visit) {
  visit_each(db_.query(kWatched, board_), visit);
}

void FileIndex::each_settled(std::function<bool(FileRow const&)> const& visit) {
  visit_each(db_.query(kSettled, board_), visit);
}

std::vector<FileRow> FileIndex::all() {
  std::vector<FileRow> out;
  for (auto row = db_.query(kAll, board_); row.step();) out.push_back(row_in(row));
  return out;
}

std::optional<FileRow> FileIndex::named(std::string const& name) {
  auto row = db_.query(kNamed, board_, name);
  if (!row.step()) return std::nullopt;
  return row_in(row);
}

std::optional<FileRow> FileIndex::of_task(core::TaskId task) {
  auto row = db_.query(kOfTask, task);
  if (!row.step()) return std::nullopt;
  auto out = row_in(row);
  out.settled = row.integer(10) != 0;
  return out;
}

void FileIndex::put(FileRow const& row) {
  std::optional<std::string_view> problem;
  if (!row.problem.empty()) problem = row.problem;
  db_.run(kFilePut, board_, row.name, row.task, row.settled, row.stamp.size, row.stamp.modified,
          row.stamp.changed, row.stamp.inode, row.seen, row.hash, row.claim_end, problem);
}

void FileIndex::remove(std::string const& name) { db_.run(kRemove, board_, name); }

std::vector<std::pair<std::string, std::string>> FileIndex::problems() {
  std::vector<std::pair<std::string, std::string>> out;
  for (auto row = db_.query(kProblems, board_); row.step();) out.emplace_back(row.text(0), row.text(1));
  return out;
}

std::vector<core::TaskId> FileIndex::without_file() {
  std::vector<core::TaskId> out;
  for (auto row = db_.query(kWithoutFile, board_); row.step();) out.emplace_back(row.integer(0));
  return out;
}

core::Epoch FileIndex::past_epoch(core::TaskId task) {
  auto row = db_.query(kPastEpoch, task);
  return core::Epoch{row.step() ? row.integer(0) : 0};
}

void FileIndex::remember_epoch(core::TaskId task, core::Epoch epoch) { db_.run(kPastEpochPut, task, epoch); }

IndexState FileIndex::beside() {
  IndexState out;
  for (auto row = db_.query(kBeside, board_); row.step();) {
    if (row.view(0) == kTasksDir) out.tasks_dir = row.text(1);
    for (auto const& number : kNumbers)
      if (number.name == row.view(0)) number.in(out) = row.integer(1);
  }
  return out;
}

void FileIndex::put(IndexState const& beside) {
  auto before = this->beside();
  auto now = beside;
  for (auto const& number : kNumbers)
    if (number.in(before) != number.in(now)) db_.run(kBesidePut, board_, number.name, number.in(now));
  if (before.tasks_dir != now.tasks_dir) db_.run(kBesidePut, board_, kTasksDir, now.tasks_dir);
}

std::int64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037U;
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return static_cast<std::int64_t>(hash);
}

std::int64_t name_part(std::string_view name, std::int64_t inode) {
  auto const mixed =
      static_cast<std::uint64_t>(hash_of(name)) ^ (static_cast<std::uint64_t>(inode) * 0x9E3779B97F4A7C15U);
  return static_cast<std::int64_t>(mixed * 0xD6E8FEB86659FD93U);
}

}  // namespace andon::store::markdown
