#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/markdown/index/placement.hpp"

namespace andon::store::markdown {

/// The planned file changes of one unit of work. The intent is kept on disk until the index that includes the
/// unit is on disk too. Each such unit raises a number in the index: an intent with a higher number was never
/// committed.
struct Intent {
  std::string index;  ///< the incarnation of the index; numbers of another index cannot be compared
  std::int64_t number = 0;
  std::vector<Step> steps;
};

/// The file in `.andon` with the intents of a batch, one per line:
///   {"index":"…","number":7,"steps":[{"from":"task-0","to":"001-a.md","old":"001-a.md",
///     "made":12,"made_size":90,"made_modified":…,"inode":11,"size":80,"modified":…}]}
/// Earlier versions wrote only the steps of one unit, as an array.
class IntentFile {
 public:
  IntentFile(Directory const& own, std::string name) : own_(own), name_(std::move(name)) {}

  /// The complete intents. No file was moved for an incomplete last line.
  std::vector<Intent> read() const;
  /// Appends an intent; on return it is on disk.
  void add(Intent const& intent);
  /// Replaces the content by these intents; on return they are on disk.
  void keep(std::vector<Intent> const& intents);
  /// Empties the file, if it exists, without waiting for the disk.
  void clear();

 private:
  void forget_rest() const noexcept;

  Directory const& own_;
  std::string name_;
  std::int64_t size_ = 0;
};

}  // namespace andon::store::markdown
