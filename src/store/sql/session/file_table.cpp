#include "store/sql/session/file_table.hpp"

namespace andon::store::sql {
namespace {

using engine::FileNumberRow;
using engine::FileRow;
using engine::FilesQuery;
using engine::FileValue;

Query const kFiles{"files"};
Query const kFilesWatched{"files_watched"};
Query const kFilesSettled{"files_settled"};
Query const kFilesWithProblem{"file_problems"};
Query const kFileNamed{"file_named"};
Query const kFileOfTask{"file_of_task"};
Query const kFilePut{"file_put"};
Query const kFileRemove{"file_remove"};
Query const kFilesRemove{"files_remove"};
Query const kTasksWithoutFile{"tasks_without_file"};
Query const kPastEpoch{"past_epoch"};
Query const kPastEpochPut{"past_epoch_put"};
Query const kValues{"beside"};
Query const kValuePut{"beside_put"};
Query const kValuesRemove{"beside_remove"};
Query const kTaskOfNumber{"task_of_number"};
Query const kNumberOfTask{"number_of_task"};
Query const kHighestNumber{"number_highest"};
Query const kNumberPut{"number_put"};
Query const kNumbersDrop{"numbers_remove"};
Query const kNumbersGiven{"numbers_given"};

FileRow file_in(Statement const& row) {
  FileRow out;
  out.name = row.view(0);
  out.task = row.maybe_id<core::TaskId>(1);
  out.stamp = {row.integer(2), row.integer(3), row.integer(4), row.integer(5)};
  out.seen = row.integer(6);
  out.hash = row.integer(7);
  out.claim_end = row.maybe_instant(8);
  out.problem = row.view(9);
  out.settled = row.integer(10) != 0;
  return out;
}

std::vector<FileRow> files_in(Statement rows) {
  std::vector<FileRow> out;
  while (rows.step()) out.push_back(file_in(rows));
  return out;
}

void put_file(Connection& db, core::BoardId board, FileRow const& row) {
  std::optional<std::string_view> problem;
  if (!row.problem.empty()) problem = row.problem;
  db.run(kFilePut, board, row.name, row.task, row.settled, row.stamp.size, row.stamp.modified,
         row.stamp.changed, row.stamp.inode, row.seen, row.hash, row.claim_end, problem);
}

void put_value(Connection& db, core::BoardId board, FileValue const& named) {
  std::visit([&](auto const& value) { db.run(kValuePut, board, named.first, value); }, named.second);
}

}  // namespace

std::vector<FileRow> SqlFileTable::files(FilesQuery const& query) {
  switch (query.kind) {
    case FilesQuery::Kind::all: return files_in(db_.query(kFiles, query.board));
    case FilesQuery::Kind::watched: return files_in(db_.query(kFilesWatched, query.board));
    case FilesQuery::Kind::settled: return files_in(db_.query(kFilesSettled, query.board));
    case FilesQuery::Kind::with_problem: return files_in(db_.query(kFilesWithProblem, query.board));
    case FilesQuery::Kind::named: return files_in(db_.query(kFileNamed, query.board, query.name));
    case FilesQuery::Kind::of_task: return files_in(db_.query(kFileOfTask, query.task));
  }
  return {};
}

std::vector<FileValue> SqlFileTable::values(core::BoardId board) {
  std::vector<FileValue> out;
  for (auto row = db_.query(kValues, board); row.step();)
    if (row.is_text(1))
      out.emplace_back(row.text(0), row.text(1));
    else
      out.emplace_back(row.text(0), row.integer(1));
  return out;
}

std::optional<FileNumberRow> SqlFileTable::number(engine::FileNumberQuery const& query) {
  auto row = query.number ? db_.query(kTaskOfNumber, query.board, *query.number)
             : query.task ? db_.query(kNumberOfTask, *query.task)
                          : db_.query(kHighestNumber, query.board);
  if (!row.step()) return std::nullopt;
  return FileNumberRow{core::BoardId{row.integer(0)}, row.integer(1), core::TaskId{row.integer(2)}};
}

std::vector<core::TaskId> SqlFileTable::tasks_without_file(core::BoardId board) {
  std::vector<core::TaskId> out;
  for (auto row = db_.query(kTasksWithoutFile, board); row.step();) out.emplace_back(row.integer(0));
  return out;
}

core::Epoch SqlFileTable::past_epoch(core::TaskId task) {
  auto row = db_.query(kPastEpoch, task);
  return core::Epoch{row.step() ? row.integer(0) : 0};
}

void SqlFileTable::write(engine::FileWrites const& writes) {
  auto const board = writes.board;
  if (writes.forgets_all) {
    db_.run(kFilesRemove, board);
    db_.run(kValuesRemove, board);
  }
  if (writes.drops_numbers) {
    db_.run(kNumbersGiven);
    db_.run(kNumbersDrop, board);
  }
  for (auto const& row : writes.files) put_file(db_, board, row);
  for (auto const& name : writes.removed) db_.run(kFileRemove, board, name);
  for (auto const& value : writes.values) put_value(db_, board, value);
  for (auto const& number : writes.numbers) db_.run(kNumberPut, board, number.number, number.task);
  for (auto const& [task, epoch] : writes.past_epochs) db_.run(kPastEpochPut, task, epoch);
}

void SqlFileTable::reserve_room() { db_.reserve_room(); }

}  // namespace andon::store::sql
