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
/// Everything that needs room on the disk comes before the first exchange. Until the batch is settled the old
/// files wait in `.andon/new`, and the intent tells how they go back. Who finds an intent after a crash
/// undoes it when the index does not know its number, and else removes what is left. The caller holds the
/// board's lock.
class Publication {
 public:
  /// `name` is that of the file of intents, `prefix` that of new files; no other index uses them.
  Publication(BoardFolder const& folder, std::string name, std::string prefix, std::string index);

  /// Puts the files of a unit in their places; on return they are on disk. False when somebody changed one of
  /// them since it was read: then all are as they were. After `FailedSync` nothing more may be put.
  bool put(std::int64_t number, std::vector<NewFile>& files);
  /// How many units were put.
  std::size_t size() const { return units_.size(); }
  /// The highest number that was put.
  std::int64_t last() const { return last_; }
  /// Undoes all units but the first ones. When that fails the next `recover` does it.
  void take_back(std::size_t first);
  /// The index knows of all units, on disk.
  void settle() noexcept;
  /// Undoes what an index that is at `number` does not know, and finishes the rest. True when that index must
  /// be on disk before the intents may go: `settle` is to follow.
  bool recover(std::int64_t number, OnWarning const& warn);
  /// Whether it is unknown until `recover` which files are in place.
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
  std::vector<Intent> finished_;  ///< of earlier processes; the index knows them, perhaps not on disk
  std::size_t written_ = 0;       ///< new files of this batch
  std::int64_t last_ = 0;
  bool is_undecided_ = false;
};

/// Puts files in their places for good: what is repaired needs no index to be true.
bool publish_tasks(BoardFolder const& folder, std::vector<NewFile>& files);
/// The same for `config.yml`. `base` is what was read of it; nothing for a board that is made.
bool publish_settings(BoardFolder const& folder, std::string const& text, Content const* base,
                      FileStatus& written);
/// Finishes a repair that a crash kept from its end.
void finish_repairs(BoardFolder const& folder, OnWarning const& warn);

/// The file for `config.yml`, likewise.
NewFile settings_file(std::string text, Content const* base);

}  // namespace andon::store::markdown
