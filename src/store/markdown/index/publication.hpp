#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store/markdown/index/intent.hpp"

namespace andon::store::markdown {

using OnWarning = std::function<void(std::string_view text)>;

/// The files that the units of a batch put in their places before the index is committed.
///
///   write new files → intent → exchange with the old ones → (the index is committed and on disk) → settle
///                        └──────── take_back, or the next process ────────┘
///
/// Every act that needs room on the disk comes before the first exchange. Until the batch is settled the old
/// files wait in `.andon/new`, and the intent records how to put them back. A process that finds an intent
/// after a crash undoes it when the index does not have its number. Otherwise it completes the intent. The
/// caller holds the board's lock.
class Publication {
 public:
  /// `name` is the name of the intent file, `prefix` that of new files. No other index of the directory may
  /// use them.
  Publication(BoardFolder const& folder, std::string name, std::string prefix, std::string index);

  /// Puts the files of a unit in their places; on return they are on disk. False when another program changed
  /// one of them since it was read: then all files are unchanged. After `FailedSync` nothing more may be put.
  bool put(std::int64_t number, std::vector<NewFile>& files);
  /// The number of units that were put and neither settled nor taken back.
  std::size_t size() const { return units_.size(); }
  /// The highest number of a unit that was put.
  std::int64_t last() const { return last_; }
  /// Undoes all units except the first `first` ones. When that fails, the next `recover` does it.
  void take_back(std::size_t first);
  /// Call when the index includes all units and is on disk.
  void settle() noexcept;
  /// Undoes intents that an index at `number` does not include and completes the others. True when the caller
  /// must bring that index to the disk and then call `settle`.
  bool recover(std::int64_t number, OnWarning const& warn);
  /// Whether it is unknown which files are in place, until `recover`.
  bool is_undecided() const { return is_undecided_; }

 private:
  std::vector<Placement> write(std::vector<NewFile>& files);
  void place(std::vector<Placement>& placements);
  void sync(std::vector<Step> const& steps) const;
  void remove_leftovers() const;
  bool is_put(Intent const& intent) const;
  std::vector<Intent> all() const;
  bool is_own(std::string const& name) const;

  BoardFolder const& folder_;
  IntentFile intents_;
  std::string prefix_;
  std::string index_;
  std::vector<Intent> units_;
  std::vector<Intent> finished_;  ///< intents of earlier processes that the index includes, perhaps not yet
                                  ///< on disk
  std::size_t written_ = 0;       ///< the number of new files in this batch
  std::int64_t last_ = 0;
  bool is_undecided_ = false;
};

/// Puts repaired files in their places for good. A repair is valid without the index.
bool publish_tasks(BoardFolder const& folder, std::vector<NewFile>& files);
/// Puts a new `config.yml` in place for good. `base` is the content that was read; null for a new board.
bool publish_settings(BoardFolder const& folder, std::string const& text, Content const* base,
                      FileStatus& written);
/// Completes a repair that a crash interrupted.
void finish_repairs(BoardFolder const& folder, OnWarning const& warn);

/// The NewFile for `config.yml`. `base` is the content that was read; null for a new board.
NewFile settings_file(std::string text, Content const* base);

}  // namespace andon::store::markdown
