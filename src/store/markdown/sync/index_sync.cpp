// One run brings the index up to the present files, in this order:
//
// 1. Settings: read `config.yml` when it changed, migrate an older version, and put the board.
// 2. Compare: find new, changed and missing files, and read the new and changed ones. Without a watch on the
//    directory this is repeated until the files are stable. A brief pass reads at most `kFilesInPass` files
//    and leaves the rest to the next pass.
// 3. Repair: give files with a taken number a new one, and rename files whose name does not fit.
// 4. Number: replace the numbers in the files by ids of the store.
// 5. Delete: drop tasks whose file is gone. An attached board waits for the grace period and the end of the
//    run.
// 6. Take: leave out files that are nested too deep, merge the others with the data that only the index has,
//    and put them. Attached boards get an event for each change.
// 7. Recount the open dependencies of tasks that wait for a changed task.
// 8. Correct file modes, store the state of the index, and raise `next_id`.

#include "store/markdown/sync/index_sync.hpp"

#include <algorithm>
#include <utility>

#include "os/system_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/sync/file_repair.hpp"
#include "store/markdown/sync/settings_sync.hpp"
#include "store/markdown/sync/store_error.hpp"
#include "store/markdown/sync/task_intake.hpp"

namespace andon::store::markdown {

IndexSync::IndexSync(engine::Unit& tx, Numbering const& numbering, BoardFolder& folder,
                     os::Clock const& clock, Warnings& warnings, std::set<std::string> suspects,
                     Postponed* postponed)
    : run_{.tx = tx,
           .numbering = numbering,
           .index = FileIndex(tx.files(), numbering.board()),
           .folder = folder,
           .clock = clock,
           .now = clock.now(),
           .warnings = warnings,
           .postponed = postponed},
      suspects_(std::move(suspects)) {}

bool IndexSync::run(Pass pass) try {
  open_index();
  bool const has_new_settings = settings_differ(run_.state, run_.folder);
  if (has_new_settings && !take_settings(run_)) return true;
  if (!open_board()) return true;
  ChangeReader reader(run_, std::move(suspects_), pass);
  auto read = reader.read();
  number_after(run_, std::max(FileNumber{run_.state.next_id - 1}, highest_in_files(run_, read.files)));
  reader.read_too_deep(read);
  take_changes(read);
  bool const is_changed = has_new_settings || !read.found.is_none();
  if (run_.folder.is_to_write() && is_changed) raise_next_id(run_, highest_in_names(run_, read.files));
  if (has_new_settings || read.found.is_news()) run_.tx.commit_index();
  return !read.is_cut;
} catch (os::SystemError const& error) {
  throw store_error(error);
}

/// Reads the state of the index, and begins a new index where there is none.
void IndexSync::open_index() {
  run_.is_fresh = !run_.index.exists();
  if (run_.is_fresh) {
    run_.index.begin();
    run_.tx.commit_index();
  }
  run_.state = run_.index.beside();
  run_.is_filling = run_.is_fresh || run_.state.is_filling != 0;
}

/// False when there is no board or no directory of tasks.
bool IndexSync::open_board() {
  auto const* board = run_.tx.board(run_.numbering.board());
  if (!board) return false;
  run_.board = *board;
  if (!run_.folder.has_tasks() || !run_.state.tasks_dir.empty()) open_tasks(run_, run_.state.tasks_dir);
  return run_.folder.has_tasks();
}

void IndexSync::take_changes(ReadChanges& read) {
  bool const is_missing = take_files(read);
  for (auto row : read.found.seen_again) {
    row.seen = in_nanoseconds(run_.now);
    run_.index.put(row);
  }
  fix_modes(run_, read.found.wrong_mode);
  store_state(read, is_missing);
}

/// True when files are missing that may come back.
bool IndexSync::take_files(ReadChanges& read) {
  auto const renumbered = FileRepair(run_, read.files).repair();
  number_tasks(run_, read.files);
  DependencyCounts dependencies(run_);
  TaskRemoval removal(run_, dependencies);
  bool const is_missing = removal.handle_deleted(read.found.gone, read.files);
  TaskIntake(run_, dependencies, removal).take(read.files);
  removal.drop_unnamed(renumbered);
  dependencies.recount();
  return is_missing;
}

/// Notes which state of the directory the index shows. After repairs, and while files are missing or left for
/// the next pass, the directory is to be compared again.
void IndexSync::store_state(ReadChanges const& read, bool is_missing) {
  auto& state = run_.state;
  auto const& seen = read.found.beside;
  state.names = seen.names;
  state.directory = seen.directory;
  if (read.found.names_seen) state.directory_seen = seen.directory_seen;
  state.settled = seen.settled;
  state.settled_seen = seen.settled_seen;
  if (std::ranges::any_of(read.files, &LoadedFile::is_repaired)) state.directory_seen = 0;
  if (is_missing || read.is_cut) state.names = state.directory_seen = 0;
  state.is_filling = run_.is_filling && read.is_cut ? 1 : 0;
  run_.index.put(state);
}

}  // namespace andon::store::markdown
