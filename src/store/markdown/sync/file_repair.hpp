#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/markdown/sync/loaded_file.hpp"

namespace andon::store::markdown {

/// Repairs the numbers and names of files that were read.
class FileRepair {
 public:
  /// Neither the run nor the files are owned. Their tasks still have the numbers of the files.
  FileRepair(SyncRun& run, std::vector<LoadedFile>& files) : run_(run), files_(files) {}

  /// Gives files with a taken number a new one, and renames files whose name does not fit. With read access
  /// it leaves out the files with a taken number instead. Returns the former tasks of files that got another
  /// number or name.
  std::vector<core::TaskId> repair();

 private:
  using FilesOfNumber = std::vector<LoadedFile*>;

  std::unordered_map<FileNumber, FilesOfNumber> by_number();
  void keep_one(FileNumber number, FilesOfNumber const& files);
  std::optional<std::string> unread_file_of(FileNumber number);
  void renumber(LoadedFile& loaded, FileNumber taken);
  void rewrite(LoadedFile& loaded, FileNumber number, std::string_view why);
  std::string free_name(LoadedFile const& loaded, FileNumber number);

  SyncRun& run_;
  std::vector<LoadedFile>& files_;
  std::vector<core::TaskId> renumbered_;
};

/// Makes files read-only during a live claim and writable otherwise. Warns of files that it cannot change.
void fix_modes(SyncRun& run, std::vector<FileRow> const& rows);

}  // namespace andon::store::markdown
