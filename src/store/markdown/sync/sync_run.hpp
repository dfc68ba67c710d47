#pragma once

#include <optional>
#include <string>

#include "os/processes/clock.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/index/numbering.hpp"
#include "store/markdown/sync/postponed.hpp"
#include "store/markdown/sync/warnings.hpp"

namespace andon::store::markdown {

/// The facts that all steps of one run of `IndexSync` share. It owns nothing that it refers to.
struct SyncRun {
  engine::Unit& tx;
  Numbering numbering;
  FileIndex index;
  BoardFolder& folder;
  os::Clock const& clock;
  core::Instant now;
  Warnings& warnings;
  Postponed* postponed;  ///< null for a board that is compared once and not watched all the time

  core::Board board{};  ///< as in the present settings, once these were taken
  IndexState state{};   ///< read at the begin of the run and stored at its end
  bool is_fresh{};      ///< the index was made by this run, so it has no tasks and files yet
  bool is_filling{};    ///< the index has never had all files: tasks that are read are no news

  std::optional<core::Task> known_task(core::TaskId id) { return is_fresh ? std::nullopt : tx.task(id); }
  std::optional<FileRow> known_file(std::string const& name) {
    return is_fresh ? std::nullopt : index.named(name);
  }
  /// The task of a number; nothing for a number that no file has named yet.
  std::optional<core::TaskId> id_of(FileNumber number) { return numbering.id_of(tx.files(), number); }
};

}  // namespace andon::store::markdown
