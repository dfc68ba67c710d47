#pragma once

#include <string>

#include "store/markdown/board_folder.hpp"

namespace andon::store::markdown {

/// A file to be written.
struct NewFile {
  std::string name;
  std::string old_name{};  ///< of the file it takes the place of; empty for none
  Stamp base{};            ///< of that file when it was read
  std::int64_t base_hash = 0;
  std::string text{};
  mode_t mode = 0600;
  Look written{};  ///< what it is on disk
};

/// Puts a new file in its place by exchanging it with the old one, and looks at what came out: where that is
/// not what was read, somebody wrote at the last moment, and the exchange is undone. Where the file system
/// cannot exchange, the old file is compared and then replaced. Owns nothing.
class Placement {
 public:
  Placement(Directory const& fresh, Directory const& place, std::string temporary, NewFile& file)
      : fresh_(fresh), place_(place), temporary_(std::move(temporary)), file_(file) {}

  /// Writes the file beside its place and waits until it is on disk.
  void write();
  /// False when somebody changed the old file; then everything is as it was.
  bool put();
  /// Undoes what was put.
  void take_back();
  /// Removes what came out and notes the stamp of what is there.
  void settle();

  std::string const& temporary() const { return temporary_; }
  NewFile const& file() const { return file_; }

 private:
  bool is_renamed() const { return !file_.old_name.empty() && file_.old_name != file_.name; }
  std::string old_temporary() const { return temporary_ + ".old"; }
  bool replace();
  bool rename();
  bool is_base(Directory const& directory, std::string const& name) const;
  void swap_back();

  Directory const& fresh_;
  Directory const& place_;
  std::string temporary_;
  NewFile& file_;
  bool exchanged_ = false;
};

}  // namespace andon::store::markdown
