#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "store/markdown/sync/difference.hpp"
#include "store/markdown/sync/loaded_file.hpp"

namespace andon::store::markdown {

/// The changes of the files and the new and changed files themselves.
struct ReadChanges {
  Difference found;
  std::vector<LoadedFile> files;
  bool is_cut = false;        ///< changed files are left for the next pass
  bool is_continued = false;  ///< the files are those that an earlier pass left
};

/// Finds and reads the files that differ from the index.
class ChangeReader {
 public:
  /// The run is not owned. The files `suspects` are read even when their stamps are unchanged.
  ChangeReader(SyncRun& run, std::set<std::string> suspects, Pass pass)
      : run_(run), suspects_(std::move(suspects)), pass_(pass) {}

  /// On a board that is not watched it waits until the files are stable.
  ReadChanges read();
  /// Also reads files that were nested too deep, when a changed parent may have brought them within the
  /// limit.
  void read_too_deep(ReadChanges& read);

 private:
  ReadChanges read_postponed();
  std::optional<Difference> compare();
  ReadChanges load_changed(Difference found);
  std::vector<LoadedFile> load_all(std::vector<std::string> const& names);
  void add_left_out(Difference& found);
  bool postpone_rest(Difference& found);
  std::optional<std::int64_t> missed(ReadChanges const& read);
  bool waits_for_missing(core::Task const& task, std::unordered_set<core::TaskId> const& read);
  std::vector<std::string> unread_too_deep(ReadChanges const& read);
  bool moves_parents(std::vector<LoadedFile> const& files);

  SyncRun& run_;
  std::set<std::string> const suspects_;
  Pass const pass_;
};

}  // namespace andon::store::markdown
