#include "store/markdown/sync/settings_sync.hpp"

#include <algorithm>
#include <optional>

#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/files/stable_read.hpp"
#include "store/markdown/index/publication.hpp"
#include "store/markdown/sync/board_parts.hpp"
#include "store/markdown/sync/foreign_edit.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "store/markdown/yaml/settings_reading.hpp"

namespace andon::store::markdown {
namespace {

std::optional<ReadSettings> settings_in_files(SyncRun& run) {
  if (run.postponed) return read_settings(run.folder);
  return read_still_settings(run.folder, run.clock, run.tx.board(run.numbering.board()) != nullptr);
}

void take_board(SyncRun& run, core::Board const& read) {
  auto const* known = run.tx.board(run.numbering.board());
  if (!known) {
    run.tx.add(read);
    return;
  }
  auto board = *known;
  if (run.numbering.is_attached())
    take_file_part(board, read);
  else
    keep_index_part(board, read);
  board.rev = core::next(board.rev);
  run.tx.put(board);
  if (run.numbering.is_attached() && !run.is_filling)
    run.tx.append(foreign_board_edit(board, "edited", run.now));
}

/// Notes that the index has the settings with this text.
void note_settings(SyncRun& run, Stamp const& stamp, std::string_view text, FileNumber next_id) {
  run.state.settings.stamp = stamp;
  run.state.settings.hash = hash_of(text);
  run.state.settings.seen = in_nanoseconds(run.now);
  run.state.next_id = next_id;
}

}  // namespace

void open_tasks(SyncRun& run, std::string const& name) {
  if (!run.postponed) wait_for_directory(run.folder, run.clock, tasks_path(name));
  run.folder.open_tasks(name);
}

bool take_settings(SyncRun& run) {
  auto read = settings_in_files(run);
  if (!read) {
    if (run.tx.board(run.numbering.board()))
      throw StoreError{
          StoreError::Kind::unusable,
          "no kanban board found: " + (run.folder.root().path() / kSettingsName).native() + " is gone"};
    return false;
  }
  auto look = read->content.look;
  bool const is_rewritten = read->migrated && run.folder.is_to_write();
  if (is_rewritten) publish_settings(run.folder, read->file.text(), &read->content, look);
  auto const tasks_dir = std::string{read->file.word({"tasks_dir"})};
  open_tasks(run, tasks_dir);
  take_board(run, board_in(read->file));
  note_settings(run, look.stamp, is_rewritten ? read->file.text() : read->content.text,
                next_id_in(read->file));
  run.state.tasks_dir = tasks_dir;
  run.index.put(run.state);
  return true;
}

void number_after(SyncRun& run, FileNumber last) {
  if (!run.numbering.is_attached()) run.tx.number_tasks_after(as_id(last));
}

void raise_next_id(SyncRun& run, FileNumber highest) {
  auto read = settings_in_files(run);
  if (!read) return;
  auto const next = FileNumber{std::max<std::int64_t>(run.state.next_id, highest + 1)};
  auto const told = next_id_in(read->file);
  number_after(run, FileNumber{next - 1});
  if (told >= next) return;
  read->file.set({"next_id"}, std::to_string(next));
  FileStatus written;
  if (!publish_settings(run.folder, read->file.text(), &read->content, written)) return;
  run.warnings.tell("auto-repaired: next_id was " + std::to_string(told) + " and is now " +
                    std::to_string(next));
  note_settings(run, written.stamp, read->file.text(), next);
  run.index.put(run.state);
}

}  // namespace andon::store::markdown
