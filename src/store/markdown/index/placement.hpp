#pragma once

#include <string>

#include "store/markdown/files/board_folder.hpp"

namespace andon::store::markdown {

/// A file to be written.
struct NewFile {
  std::string name;
  std::string old_name{};  ///< of the file it takes the place of; empty for none
  Stamp base{};            ///< of that file when it was read
  std::int64_t base_hash = 0;
  std::string text{};
  mode_t mode = 0600;
  FileStatus written{};  ///< what it is on disk
};

/// The way of one new file to its place, as an intent tells it. Of the stamps the change of the inode does
/// not count: moving a file alters it.
struct Step {
  std::string from;  ///< in `.andon/new`
  std::string to;
  std::string old;  ///< the file it takes the place of; empty for none
  Stamp made;       ///< of the new file
  Stamp base;       ///< of the old one

  bool is_renamed() const { return !old.empty() && old != to; }
  /// Where the old file waits until the new one is kept, when it does not wait as `from`.
  std::string kept_old() const { return from + ".old"; }
};

/// The directory that holds the file in its place.
Directory const& place_of(BoardFolder const& folder, Step const& step);
/// Whether there is this very file.
bool is_there(Directory const& directory, std::string const& name, Stamp const& stamp);

/// Puts a new file in its place by exchanging it with the old one, and looks at what came out: where that is
/// not what was read, somebody wrote at the last moment, and the exchange is undone. Where the file system
/// cannot exchange, the old file is compared and copied, and then replaced. Owns nothing.
class Placement {
 public:
  Placement(BoardFolder const& folder, std::string temporary, NewFile& file);

  /// Writes the file beside its place and waits until it is on disk.
  void write();
  /// False when somebody changed the old file; then everything is as it was.
  bool put();
  /// Notes the stamp of what is in place.
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

/// Undoes what was put, however far it came: the old file is in its place again. What somebody changed since
/// keeps what it has.
void undo(BoardFolder const& folder, Step const& step);
/// Brings a file to its place that a crash kept from it. False when somebody changed what was there.
bool finish(BoardFolder const& folder, Step const& step);
/// Removes what is left of the old file.
void clean_up(BoardFolder const& folder, Step const& step);

}  // namespace andon::store::markdown
