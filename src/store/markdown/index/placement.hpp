#pragma once

#include <string>

#include "store/markdown/files/board_folder.hpp"

namespace andon::store::markdown {

/// A file that is to be written.
struct NewFile {
  std::string name;
  std::string old_name{};  ///< the name of the file it replaces; empty for none
  Stamp base{};            ///< the stamp of the replaced file when it was read
  std::int64_t base_hash = 0;
  std::string text{};
  mode_t mode = 0600;
  FileStatus written{};  ///< the file as it is on disk
};

/// The move of one new file to its place, as an intent stores it. Comparisons of stamps ignore the inode's
/// change time, because moving a file alters it.
struct Step {
  std::string from;  ///< in `.andon/new`
  std::string to;
  std::string old;  ///< the name of the file it replaces; empty for none
  Stamp made;       ///< stamp of the new file
  Stamp base;       ///< stamp of the old one

  bool is_renamed() const { return !old.empty() && old != to; }
  /// The name of the old file in `.andon/new` until the new one is kept, when it does not wait there as
  /// `from`.
  std::string kept_old() const { return from + ".old"; }
};

/// The directory of the file's place.
Directory const& place_of(BoardFolder const& folder, Step const& step);
/// Whether the file with this name has this stamp.
bool is_there(Directory const& directory, std::string const& name, Stamp const& stamp);

/// Puts a new file in its place by exchanging it with the old one, and then examines the old file. When it is
/// not the file that was read, another program wrote at the last moment, and the exchange is undone. When the
/// file system cannot exchange files, the old file is compared, copied and then replaced. Owns nothing.
class Placement {
 public:
  Placement(BoardFolder const& folder, std::string temporary, NewFile& file);

  /// Writes the file into `.andon/new` and waits until it is on disk.
  void write();
  /// Puts the file in its place. False when another program changed the old file; then nothing is changed.
  bool put();
  /// Records the stamp of the file in its place.
  void note() const;

  Step const& step() const { return step_; }

 private:
  bool replace();
  bool copy_and_replace();
  bool rename();
  bool is_base(Directory const& directory, std::string const& name) const;
  void swap_back();

  BoardFolder const& folder_;
  Directory const& fresh_;
  Step step_;
  NewFile& file_;
};

/// Undoes a step at whatever point it stopped: the old file is in its place again. A file that another
/// program changed since is kept.
void undo(BoardFolder const& folder, Step const& step);
/// Completes a step that a crash interrupted. False when another program changed the file in its place.
bool finish(BoardFolder const& folder, Step const& step);
/// Removes the remains of a step from `.andon/new`.
void clean_up(BoardFolder const& folder, Step const& step);

}  // namespace andon::store::markdown
