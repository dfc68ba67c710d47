#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/markdown/index/placement.hpp"

namespace andon::store::markdown {

/// What a unit of work is about to do with files, kept on disk until the index that knows of it is there too.
/// The index has a number that each such unit raises: an intent with a higher one was never committed.
struct Intent {
  std::string index;  ///< which index; that of another one says nothing
  std::int64_t number = 0;
  std::vector<Step> steps;
};

/// The file in `.andon` that keeps the intents of a batch, one on a line:
///   {"index":"…","number":7,"steps":[{"from":"task-0","to":"001-a.md","old":"001-a.md",
///     "made":12,"made_size":90,"made_modified":…,"inode":11,"size":80,"modified":…}]}
/// Earlier versions wrote the steps of one unit alone.
class IntentFile {
 public:
  IntentFile(Directory const& own, std::string name) : own_(own), name_(std::move(name)) {}

  /// Those that are whole; a line that was cut off tells of nothing that was done.
  std::vector<Intent> read() const;
  /// Adds one; on return it is on disk.
  void add(Intent const& intent);
  /// Keeps the first ones; on return that is on disk.
  void keep(std::vector<Intent> const& intents);
  /// Empties the file, if it is there, without waiting for the disk.
  void clear();

 private:
  void forget_rest() const noexcept;

  Directory const& own_;
  std::string name_;
  std::int64_t size_ = 0;
};

}  // namespace andon::store::markdown
